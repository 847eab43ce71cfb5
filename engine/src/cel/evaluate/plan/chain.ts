/** Chains of selections as data: what planning collects before it makes steps. */
import type { CelResult, CelValue } from '../../values/value.ts';
import type { Step } from './run.ts';

/** One selection of a chain. */
export interface Qualifier {
  /** Id of the select or index node. */
  readonly nodeId: number;
  /** Written `.?x` or `[?x]`. */
  readonly optional: boolean;
  /** Made by `has()`. */
  readonly testOnly: boolean;
  /** A constant key, or how to find the key. */
  readonly key:
    | { readonly constant: CelValue }
    | { readonly step: Step; readonly isWrapped: boolean };
  /** Names are not unescaped, see `lookUp`. */
  readonly raw: boolean;
}

/** A chain of selections, or a choice between two. */
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
      /** `has()` was asked of the conditional as a whole. */
      readonly tested: boolean;
    };

/** Where a chain begins; quick forms ask. A local whose value may have to be computed is an operand. */
export type AttributeSource =
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'local'; readonly slot: number }
  | { readonly kind: 'operand' };

/** Sees each selection of a chain. */
export type StepObserver = (nodeId: number, value: CelResult) => void;

/** The same chain with one more selection; of a conditional, on both branches. */
export const extendAttribute = (attribute: Attribute, qualifier: Qualifier): Attribute =>
  attribute.kind === 'plain'
    ? { ...attribute, qualifiers: [...attribute.qualifiers, qualifier] }
    : {
        ...attribute,
        tested: qualifier.testOnly,
        whenTrue: extendAttribute(attribute.whenTrue, qualifier),
        whenFalse: extendAttribute(attribute.whenFalse, qualifier),
      };

/** A presence test takes its own unit back, and of a conditional one that was never added. */
export const ownCost = (attribute: Attribute): number => {
  const tested = isTestOnly(attribute) ? 1 : 0;
  return attribute.kind === 'conditional' ? -tested : 1 - tested;
};

/** Whether the chain ends in a presence test of its own. */
export const isTestOnly = (attribute: Attribute): boolean =>
  attribute.kind === 'conditional'
    ? attribute.tested
    : (attribute.qualifiers.at(-1)?.testOnly ?? false);
