/**
 * Specializes `split` with a constant separator: as a list that is not marked as native, or as a
 * single element without a list.
 */
import { actualSize, stringTraversalCost } from '../../../cost/cost.ts';
import { typeNameOf } from '../../../values/runtime-type.ts';
import { CelError, type CelValue } from '../../../values/value.ts';
import { type Run, type Step, stringSize } from '../run.ts';

/** The string to split and the constant separator. */
export interface SplitOperands {
  readonly text: Step;
  readonly separator: string;
}

/** Returns the cost of `split`. */
const splitCost = (run: Run, text: string): number =>
  stringTraversalCost(stringSize(run, text) * 2);

/** Specializes `text.split('/')[2]`: the cost of the call, and two units for the chain. */
export const splitElementStep = ({ text, separator }: SplitOperands, index: number): Step => {
  const missing = new CelError(`index out of bounds: ${index}`);
  return (run) => {
    const value = text(run);
    if (typeof value !== 'string') {
      run.cost += stringTraversalCost(actualSize(value) * 2) + 1;
      return value instanceof CelError ? value : noSplitOverload(value);
    }
    run.cost += splitCost(run, value) + 2;
    return elementAt(value, separator, index) ?? missing;
  };
};

/** Specializes `text.split('/')` for a parent that only reads the list. */
export const plainSplitStep =
  ({ text, separator }: SplitOperands): Step =>
  (run) => {
    const value = text(run);
    if (typeof value !== 'string') {
      run.cost += stringTraversalCost(actualSize(value) * 2);
      return value instanceof CelError ? value : noSplitOverload(value);
    }
    run.cost += splitCost(run, value);
    return splitAll(value, separator);
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

const noSplitOverload = (value: CelValue): CelError =>
  new CelError(`no such overload: split(${typeNameOf(value)}, string)`);
