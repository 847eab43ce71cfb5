/**
 * Attributes: a variable, or the value of an expression, and a chain of selections from it. The real
 * planner joins `a.b[c]` into one instruction: every selection costs one unit and the whole one more,
 * except as a branch of a conditional, where the whole costs nothing.
 */
import {
  CelError,
  CelOptional,
  type CelResult,
  type CelValue,
  none,
  noSuchOverload,
} from '../../values/value.ts';
import { type Attribute, isTestOnly, ownCost, type Qualifier, type Watch } from './chain.ts';
import { isPartOf } from './data-part.ts';
import { throughGoValue } from './native-optional.ts';
import { invalidKey, isKey, lookUp, missing } from './qualify.ts';
import type { Run, Step } from './run.ts';
import { fastAttribute, fastResolve } from './specialized/attribute.ts';

/** How steps are made of chains: seen by a probe, or quick where there is a quick form. */
export type ChainMode = ChainForm & {
  /** Whether optionals keep what they hold, see `native-optional.ts`. */
  readonly keepsOptionals: boolean;
};

type ChainForm =
  | { readonly kind: 'exact' }
  | { readonly kind: 'fast' }
  | { readonly kind: 'watched'; readonly watch: Watch };

/** The attribute as an instruction of its own: what it resolves to, and its own unit. */
export const attributeStep = (attribute: Attribute, mode: ChainMode): Step => {
  const quick = mode.kind === 'fast' && mode.keepsOptionals ? fastAttribute(attribute) : undefined;
  if (quick !== undefined) return quick;
  const resolve = resolveStep(attribute, mode);
  const own = ownCost(attribute);
  if (isTestOnly(attribute)) {
    return (run) => {
      const value = resolve(run);
      run.cost += own;
      return value instanceof CelOptional ? value.value !== undefined : value;
    };
  }
  if (own === 0) return resolve;
  return (run) => {
    const value = resolve(run);
    run.cost += own;
    return value;
  };
};

/** What the attribute resolves to, without its own unit. A test of an optional chain is an optional here. */
export const resolveStep = (attribute: Attribute, mode: ChainMode): Step => {
  const quick = mode.kind === 'fast' && mode.keepsOptionals ? fastResolve(attribute) : undefined;
  if (quick !== undefined) return quick;
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
  const watch = mode.kind === 'watched' ? mode.watch : undefined;
  const settle = mode.keepsOptionals ? sameValue : throughGoValue;
  if (qualifiers.length > 0) {
    return (run) => applyQualifiers(run, settle(root(run)), qualifiers, watch);
  }
  return mode.keepsOptionals ? root : (run) => settle(root(run));
};

const sameValue = (value: CelResult): CelResult => value;

const applyQualifiers = (
  run: Run,
  root: CelResult,
  qualifiers: readonly Qualifier[],
  watch: Watch | undefined,
): CelResult => {
  if (root instanceof CelError) return root;
  let optional = root instanceof CelOptional;
  if (root instanceof CelOptional && root.value === undefined) return root;
  let value: CelValue = root instanceof CelOptional ? (root.value ?? null) : root;
  for (const qualifier of qualifiers) {
    optional = optional || qualifier.optional;
    const found = qualify(run, value, qualifier, optional);
    watch?.(qualifier.nodeId, found ?? (qualifier.testOnly ? false : none));
    if (found instanceof CelError) return found;
    if (found === undefined) return none;
    value = found;
  }
  return optional ? new CelOptional(value) : value;
};

/** One selection and its unit. `undefined`: not there, and the chain is optional. */
const qualify = (
  run: Run,
  value: CelValue,
  qualifier: Qualifier,
  optional: boolean,
): CelResult | undefined => {
  const key = 'constant' in qualifier.key ? qualifier.key.constant : qualifier.key.step(run);
  const isWrapped = 'isWrapped' in qualifier.key && qualifier.key.isWrapped;
  const found = isValue(key)
    ? isKey(key)
      ? lookUp(value, key, qualifier.raw)
      : invalidKey(key, isWrapped && isPartOf(run.record, key))
    : key;
  if (qualifier.testOnly && !optional) {
    run.cost += 1;
    return found instanceof CelError ? found : found !== undefined;
  }
  // A selection that may be absent costs only when it is there.
  if (optional) {
    if (found !== undefined && !(found instanceof CelError)) run.cost += 1;
    return found;
  }
  run.cost += 1;
  if (found !== undefined) return found;
  return key instanceof CelError ? key : missing(value, key);
};

const isValue = (key: CelResult): key is CelValue => !(key instanceof CelError);
