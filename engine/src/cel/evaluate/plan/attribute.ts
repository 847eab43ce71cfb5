/**
 * Attributes: a variable, or the value of an expression, and a chain of selections from it.
 * cel-go's planner joins `a.b[c]` into one instruction: every selection costs one unit and the
 * attribute one more, unless it is a branch of a conditional.
 */
import {
  CelError,
  CelOptional,
  type CelResult,
  type CelValue,
  none,
  noSuchOverload,
} from '../../values/value.ts';
import { type Attribute, isTestOnly, ownCost, type Qualifier, type StepObserver } from './chain.ts';
import { convertThroughGo } from './native-optional.ts';
import { invalidKeyError, isKey, lookUp, missingKeyError } from './qualify.ts';
import type { Run, Step } from './run.ts';
import { specializeAttribute, specializeResolve } from './specialized/attribute.ts';
import { isPartOf } from './variable-data.ts';

/** How chains become steps: with a probe, specialized where possible, or exact. */
export type ChainMode = ChainForm & {
  /** Whether optionals keep the value they hold, see `native-optional.ts`. */
  readonly keepsOptionals: boolean;
};

type ChainForm =
  | { readonly kind: 'exact' }
  | { readonly kind: 'specialized' }
  | { readonly kind: 'observed'; readonly observe: StepObserver };

/** Creates the step of an attribute: it resolves the attribute and adds its own unit. */
export const attributeStep = (attribute: Attribute, mode: ChainMode): Step => {
  const step =
    mode.kind === 'specialized' && mode.keepsOptionals ? specializeAttribute(attribute) : undefined;
  if (step !== undefined) return step;
  const resolve = resolveStep(attribute, mode);
  const ownUnits = ownCost(attribute);
  if (isTestOnly(attribute)) {
    return (run) => {
      const value = resolve(run);
      run.cost += ownUnits;
      return value instanceof CelOptional ? value.value !== undefined : value;
    };
  }
  if (ownUnits === 0) return resolve;
  return (run) => {
    const value = resolve(run);
    run.cost += ownUnits;
    return value;
  };
};

/**
 * Creates a step that resolves an attribute without its own unit. A presence test of an optional
 * chain gives an optional here.
 */
export const resolveStep = (attribute: Attribute, mode: ChainMode): Step => {
  const step =
    mode.kind === 'specialized' && mode.keepsOptionals ? specializeResolve(attribute) : undefined;
  if (step !== undefined) return step;
  if (attribute.kind === 'conditional') {
    const { condition } = attribute;
    const whenTrue = resolveStep(attribute.whenTrue, mode);
    const whenFalse = resolveStep(attribute.whenFalse, mode);
    return (run) => {
      const chosen = condition(run);
      if (chosen === true) return whenTrue(run);
      if (chosen === false) return whenFalse(run);
      return chosen instanceof CelError ? chosen : noSuchOverload;
    };
  }
  const { root, qualifiers } = attribute;
  const observe = mode.kind === 'observed' ? mode.observe : undefined;
  const convertOptional = mode.keepsOptionals ? unchanged : convertThroughGo;
  if (qualifiers.length > 0) {
    return (run) => applyQualifiers(run, convertOptional(root(run)), qualifiers, observe);
  }
  return mode.keepsOptionals ? root : (run) => convertOptional(root(run));
};

const unchanged = (value: CelResult): CelResult => value;

const applyQualifiers = (
  run: Run,
  root: CelResult,
  qualifiers: readonly Qualifier[],
  observe: StepObserver | undefined,
): CelResult => {
  if (root instanceof CelError) return root;
  let optional = root instanceof CelOptional;
  if (root instanceof CelOptional && root.value === undefined) return root;
  let value: CelValue = root instanceof CelOptional ? (root.value ?? null) : root;
  for (const qualifier of qualifiers) {
    optional = optional || qualifier.optional;
    const member = qualify(run, value, qualifier, optional);
    observe?.(qualifier.nodeId, member ?? (qualifier.testOnly ? false : none));
    if (member instanceof CelError) return member;
    if (member === undefined) return none;
    value = member;
  }
  return optional ? new CelOptional(value) : value;
};

/**
 * Evaluates one selection and adds its unit. Returns `undefined` if the chain is optional and the
 * key is missing.
 */
const qualify = (
  run: Run,
  value: CelValue,
  qualifier: Qualifier,
  optional: boolean,
): CelResult | undefined => {
  const key = 'constant' in qualifier.key ? qualifier.key.constant : qualifier.key.step(run);
  const isWrapped = 'isWrapped' in qualifier.key && qualifier.key.isWrapped;
  const member = isValue(key)
    ? isKey(key)
      ? lookUp(value, key, qualifier.raw)
      : invalidKeyError(key, isWrapped && isPartOf(run.record, key))
    : key;
  if (qualifier.testOnly && !optional) {
    run.cost += 1;
    return member instanceof CelError ? member : member !== undefined;
  }
  // An optional selection costs a unit only if the key exists.
  if (optional) {
    if (member !== undefined && !(member instanceof CelError)) run.cost += 1;
    return member;
  }
  run.cost += 1;
  if (member !== undefined) return member;
  return key instanceof CelError ? key : missingKeyError(value, key);
};

const isValue = (key: CelResult): key is CelValue => !(key instanceof CelError);
