/** One evaluation at work: the variable, the cost spent so far, the variables of comprehensions. */

import { costLimit } from '../../cost/cost.ts';
import { codePointCount } from '../../tree/code-points.ts';
import type { CelResult, JsonRecord } from '../../values/value.ts';

/** Where closures read and write. One object serves all evaluations of a program, one after the other. */
export interface Run {
  /** The content of `claims` or `user`; in the language's own tests a record of all variables. */
  record: JsonRecord;
  cost: number;
  /** Units are never too few, but may be too many: see `textSize`. */
  isCostUpperBound: boolean;
  /** Values of comprehension variables, by slot; `undefined` while not yet computed. */
  readonly locals: (CelResult | undefined)[];
}

/** What a run holds between evaluations. */
export const emptyRecord: JsonRecord = {};

/** One node made ready: gives its value and adds its cost. */
export type Step = (run: Run) => CelResult;

/** A run that counts, and stops at the end of a loop that spent too much. */
export const createRun = (slots: number): Run => ({
  record: emptyRecord,
  cost: 0,
  isCostUpperBound: false,
  locals: new Array<CelResult | undefined>(slots).fill(undefined),
});

/**
 * Size of a text for the cost model: its code points. A bounded run takes its length, of which there
 * is never less: counting walks through every text, and joins the pieces it was made of.
 */
export const stringSize = (run: Run, text: string): number =>
  run.isCostUpperBound ? text.length : codePointCount(text);

/** Thrown by a strict run at the very unit that is too many. */
export class CostExceededError extends Error {
  readonly cost: number;
  constructor(cost: number) {
    super('cost limit exceeded');
    this.cost = cost;
  }
}

/** A run that stops at the first unit above the limit, where the real one stops too. */
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
