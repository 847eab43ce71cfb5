/**
 * Specializes `split` with a constant separator: as a list that is not marked as native, or as a
 * single element without a list.
 */
import { readCost, type SizeCost } from '../../../cost/cost.ts';
import { typeNameOf } from '../../../values/runtime-type.ts';
import { CelError, type CelResult, type CelValue } from '../../../values/value.ts';
import { type Step, sizeIn } from '../run.ts';

/** The string to split, the constant separator, and the cost of the call. */
export interface SplitOperands {
  readonly text: Step;
  readonly separator: string;
  readonly cost: SizeCost;
}

/** Specializes `text.split('/')[2]`. A chain costs a unit for its selection and one of its own. */
export const splitElementStep = (operands: SplitOperands, index: number): Step => {
  const { text, separator, cost } = operands;
  const missing = new CelError(`index out of bounds: ${index}`);
  return (run) => {
    const value = text(run);
    run.cost += cost.units(sizeIn(run, value), 0) + readCost;
    if (typeof value !== 'string') return noSplitOverload(value);
    run.cost += readCost;
    return elementAt(value, separator, index) ?? missing;
  };
};

/** Specializes `text.split('/')` for a parent that only reads the list. */
export const plainSplitStep =
  ({ text, separator, cost }: SplitOperands): Step =>
  (run) => {
    const value = text(run);
    run.cost += cost.units(sizeIn(run, value), 0);
    return typeof value === 'string' ? splitAll(value, separator) : noSplitOverload(value);
  };

const splitAll = (text: string, separator: string): CelValue[] => {
  const parts: CelValue[] = [];
  let start = 0;
  for (;;) {
    const at = text.indexOf(separator, start);
    if (at < 0) {
      parts.push(text.slice(start));
      return parts;
    }
    parts.push(text.slice(start, at));
    start = at + separator.length;
  }
};

const elementAt = (text: string, separator: string, index: number): string | undefined => {
  let start = 0;
  for (let skipped = 0; skipped < index; skipped++) {
    const at = text.indexOf(separator, start);
    if (at < 0) return undefined;
    start = at + separator.length;
  }
  const end = text.indexOf(separator, start);
  return end < 0 ? text.slice(start) : text.slice(start, end);
};

const noSplitOverload = (value: CelResult): CelError =>
  value instanceof CelError
    ? value
    : new CelError(`no such overload: split(${typeNameOf(value)}, string)`);
