/** The state of one evaluation: the variable, the cost so far, the variables of comprehensions. */

import { actualSize, costLimit } from '../../cost/cost.ts';
import { codePointCount } from '../../tree/code-points.ts';
import type { CelResult, JsonRecord } from '../../values/value.ts';

/**
 * The state that steps read and write. One object serves all evaluations of a program, one after
 * the other.
 */
export interface Run {
  /**
   * The content of `claims` or `user`, or all variables in conformance tests with CEL's
   * specification.
   */
  record: JsonRecord;
  cost: number;
  /** Whether the cost may be counted too high, but never too low, see `sizeIn`. */
  isCostUpperBound: boolean;
  /** Values of comprehension variables by slot; `undefined` until they are computed. */
  readonly locals: (CelResult | undefined)[];
}

/** The record of a run between evaluations. */
export const emptyRecord: JsonRecord = {};

/** Evaluates one node and adds its cost. */
export type Step = (run: Run) => CelResult;

/** Creates a run that checks its cost at the end of each iteration. */
export const createRun = (slots: number): Run => ({
  record: emptyRecord,
  cost: 0,
  isCostUpperBound: false,
  locals: new Array<CelResult | undefined>(slots).fill(undefined),
});

/**
 * Returns the size of a value for the cost model. With an upper bound of the cost, the size of a
 * string is its length, which is never less; counting code points traverses and flattens the whole
 * string.
 */
export const sizeIn = (run: Run, value: CelResult): number => {
  if (typeof value !== 'string') return actualSize(value);
  return run.isCostUpperBound ? value.length : codePointCount(value);
};

/** Thrown by a strict run at the first unit above the limit. */
export class CostExceededError extends Error {
  readonly cost: number;
  constructor(cost: number) {
    super('cost limit exceeded');
    this.cost = cost;
  }
}

/** Creates a run that stops at the first unit above the limit, like kube-apiserver. */
export const createStrictRun = (record: JsonRecord, slots: number): Run => {
  let spent = 0;
  return {
    record,
    isCostUpperBound: false,
    locals: new Array<CelResult | undefined>(slots).fill(undefined),
    get cost(): number {
      return spent;
    },
    set cost(value: number) {
      spent = value;
      if (value > costLimit) throw new CostExceededError(value);
    },
  };
};
