/** `split` by a constant without the mark of native lists, and single pieces without any list. */
import { sizeOf, textCost } from '../../../cost/cost.ts';
import { typeNameOf } from '../../../values/runtime-type.ts';
import { CelError, type CelValue } from '../../../values/value.ts';
import { type Run, type Step, textSize } from '../run.ts';

/** What a piece is cut from. */
export interface Pieces {
  readonly text: Step;
  readonly separator: string;
}

/** Units of `split`. */
const splitCost = (run: Run, text: string): number => textCost(textSize(run, text) * 2);

/** `text.split('/')[2]`: the call's units, and two for the chain. */
export const pieceStep = ({ text, separator }: Pieces, index: number): Step => {
  const missing = new CelError(`index out of bounds: ${index}`);
  return (run) => {
    const whole = text(run);
    if (typeof whole !== 'string') {
      run.cost += textCost(sizeOf(whole) * 2) + 1;
      return whole instanceof CelError ? whole : noSplit(whole);
    }
    run.cost += splitCost(run, whole) + 2;
    return pieceAt(whole, separator, index) ?? missing;
  };
};

/** `text.split('/')` for a parent that only looks into it. */
export const plainSplitStep =
  ({ text, separator }: Pieces): Step =>
  (run) => {
    const whole = text(run);
    if (typeof whole !== 'string') {
      run.cost += textCost(sizeOf(whole) * 2);
      return whole instanceof CelError ? whole : noSplit(whole);
    }
    run.cost += splitCost(run, whole);
    return splitAll(whole, separator);
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

const pieceAt = (text: string, separator: string, index: number): string | undefined => {
  let start = 0;
  for (let skipped = 0; skipped < index; skipped++) {
    const at = text.indexOf(separator, start);
    if (at < 0) return undefined;
    start = at + separator.length;
  }
  const end = text.indexOf(separator, start);
  return end < 0 ? text.slice(start) : text.slice(start, end);
};

const noSplit = (value: CelValue): CelError =>
  new CelError(`no such overload: split(${typeNameOf(value)}, string)`);
