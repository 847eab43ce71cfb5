/** Chains of selections as data, which planning collects before it creates steps. */
import type { CelResult, CelValue } from '../../values/value.ts';
import type { Step } from './run.ts';

/** One selection of a chain. */
export interface Qualifier {
  /** The ID of the select or index node. */
  readonly nodeId: number;
  /** Whether it is written `.?x` or `[?x]`. */
  readonly optional: boolean;
  /** Whether it comes from `has()`. */
  readonly testOnly: boolean;
  /** A constant key, or a step that evaluates to the key. */
  readonly key:
    | { readonly constant: CelValue }
    | { readonly step: Step; readonly isWrapped: boolean };
  /** Whether names are not unescaped, see `lookUp`. */
  readonly raw: boolean;
}

/** A chain of selections, or a conditional that selects one of two chains. */
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
      /** Whether `has()` tests the conditional as a whole. */
      readonly tested: boolean;
    };

/**
 * The beginning of a chain, for specialized steps: the name of a variable, or the slot of a variable
 * of a comprehension; `undefined` for a value that has to be computed.
 */
export type AttributeSource = string | number | undefined;

/** Observes each selection of a chain. */
export type StepObserver = (nodeId: number, value: CelResult) => void;

/** Appends a selection to a chain; for a conditional, to both branches. */
export const extendAttribute = (attribute: Attribute, qualifier: Qualifier): Attribute =>
  attribute.kind === 'plain'
    ? { ...attribute, qualifiers: [...attribute.qualifiers, qualifier] }
    : {
        ...attribute,
        tested: qualifier.testOnly,
        whenTrue: extendAttribute(attribute.whenTrue, qualifier),
        whenFalse: extendAttribute(attribute.whenFalse, qualifier),
      };

/**
 * Returns the attribute's own unit. A presence test subtracts it, even for a conditional, which
 * never added it.
 */
export const ownCost = (attribute: Attribute): number => {
  const tested = isTestOnly(attribute) ? 1 : 0;
  return attribute.kind === 'conditional' ? -tested : 1 - tested;
};

/** Checks whether the chain itself ends in a presence test. */
export const isTestOnly = (attribute: Attribute): boolean =>
  attribute.kind === 'conditional'
    ? attribute.tested
    : (attribute.qualifiers.at(-1)?.testOnly ?? false);
