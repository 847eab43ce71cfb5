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
} from '../value.ts';
import { invalidKey, isKey, lookUp, missing } from './qualify.ts';
import type { Run, Step } from './run.ts';

export interface Qualifier {
  /** Id of the select or index node. */
  readonly nodeId: number;
  /** Written `.?x` or `[?x]`. */
  readonly optional: boolean;
  /** Made by `has()`. */
  readonly testOnly: boolean;
  /** A constant key, or how to find the key. */
  readonly key: { readonly constant: CelValue } | { readonly step: Step };
  /** Names are not unescaped, see `lookUp`. */
  readonly raw: boolean;
}

export type Attribute =
  | {
      readonly kind: 'plain';
      /** The variable, a comprehension's variable, or an operand with a cost of its own. */
      readonly root: Step;
      readonly source: AttributeSource;
      readonly qualifiers: readonly Qualifier[];
    }
  | {
      readonly kind: 'conditional';
      readonly condition: Step;
      readonly whenTrue: Attribute;
      readonly whenFalse: Attribute;
    };

/** Where a chain begins; fast paths ask. */
export type AttributeSource =
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'local'; readonly slot: number }
  | { readonly kind: 'operand' };

/** Sees each selection of a chain. */
export type Watch = (nodeId: number, value: CelResult) => void;

/** The same chain with one more selection; of a conditional, on both branches. */
export const extendAttribute = (attribute: Attribute, qualifier: Qualifier): Attribute =>
  attribute.kind === 'plain'
    ? { ...attribute, qualifiers: [...attribute.qualifiers, qualifier] }
    : {
        ...attribute,
        whenTrue: extendAttribute(attribute.whenTrue, qualifier),
        whenFalse: extendAttribute(attribute.whenFalse, qualifier),
      };

/** The attribute as an instruction of its own: what it resolves to, and its own unit. */
export const attributeStep = (attribute: Attribute, watch: Watch | undefined): Step => {
  const resolve = resolveStep(attribute, watch);
  const own = ownCost(attribute);
  if (own === 0) return resolve;
  return (run) => {
    const value = resolve(run);
    run.cost += own;
    return value;
  };
};

/** What the attribute resolves to, without its own unit. */
export const resolveStep = (attribute: Attribute, watch: Watch | undefined): Step => {
  if (attribute.kind === 'conditional') {
    const { condition } = attribute;
    const whenTrue = resolveStep(attribute.whenTrue, watch);
    const whenFalse = resolveStep(attribute.whenFalse, watch);
    return (run) => {
      const chosen = condition(run);
      if (chosen === true) return whenTrue(run);
      if (chosen === false) return whenFalse(run);
      return chosen instanceof CelError ? chosen : noSuchOverload;
    };
  }
  const { root, qualifiers } = attribute;
  return qualifiers.length === 0
    ? root
    : (run) => applyQualifiers(run, root(run), qualifiers, watch);
};

/** A presence test takes its own unit back, and of a conditional one that was never added. */
const ownCost = (attribute: Attribute): number => {
  const tested = isTestOnly(attribute) ? 1 : 0;
  return attribute.kind === 'conditional' ? -tested : 1 - tested;
};

const isTestOnly = (attribute: Attribute): boolean =>
  attribute.kind === 'conditional'
    ? isTestOnly(attribute.whenTrue)
    : (attribute.qualifiers.at(-1)?.testOnly ?? false);

const applyQualifiers = (
  run: Run,
  root: CelResult,
  qualifiers: readonly Qualifier[],
  watch: Watch | undefined,
): CelResult => {
  if (root instanceof CelError) return root;
  let optional = root instanceof CelOptional;
  const testOnly = qualifiers.at(-1)?.testOnly ?? false;
  if (root instanceof CelOptional && root.value === undefined) return testOnly ? false : none;
  let value: CelValue = root instanceof CelOptional ? (root.value ?? null) : root;
  for (const qualifier of qualifiers) {
    optional = optional || qualifier.optional;
    const found = qualify(run, value, qualifier, optional);
    watch?.(qualifier.nodeId, found ?? (qualifier.testOnly ? false : none));
    if (found instanceof CelError) return found;
    if (found === undefined) return testOnly ? false : none;
    value = found;
  }
  if (testOnly) return optional ? true : value;
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
  const found = lookUpKey(value, key, qualifier.raw);
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

const lookUpKey = (value: CelValue, key: CelResult, raw: boolean): CelResult | undefined => {
  if (key instanceof CelError) return key;
  return isKey(key) ? lookUp(value, key, raw) : invalidKey(key);
};
