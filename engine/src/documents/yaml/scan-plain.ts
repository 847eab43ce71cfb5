/** Plain scalars: words up to an indicator, line breaks folded. */
import { foldBreaks, ScalarBuilder } from './scalar-builder.ts';
import { isBlank, isBlankOrEnd, isBreak, type Mark, type TextCursor } from './text-cursor.ts';
import type { ScalarContent } from './token.ts';
import { scannerProblem } from './yaml-problem.ts';

export interface PlainScalar {
  readonly content: ScalarContent;
  readonly end: Mark;
  /** True when line breaks were passed behind the last word: a simple key may follow. */
  readonly endsLine: boolean;
}

/** Reads a plain scalar in a block of the given indentation; `flow` inside brackets. */
export const scanPlain = (
  cursor: TextCursor,
  options: { readonly indent: number; readonly flow: boolean },
): PlainScalar => {
  const start = cursor.mark();
  const builder = new ScalarBuilder(cursor.text);
  const least = options.indent + 1;
  let end = start;
  let gapStart = start.offset;
  let first = '';
  let rest = '';
  let broken = false;
  while (!cursor.atDocumentIndicator() && cursor.code() !== 0x23) {
    const from = cursor.offset;
    while (!isBlankOrEnd(cursor.code()) && !endsPlain(cursor, options.flow)) cursor.skip();
    if (cursor.offset > from) {
      if (broken) builder.replace(foldBreaks(first, rest), gapStart, from);
      else builder.copy(gapStart, from);
      builder.copy(from, cursor.offset);
      end = cursor.mark();
      first = '';
      rest = '';
      broken = false;
      gapStart = cursor.offset;
    }
    if (!isBlank(cursor.code()) && !isBreak(cursor.code())) break;
    while (isBlank(cursor.code()) || isBreak(cursor.code())) {
      if (isBlank(cursor.code())) {
        if (broken && cursor.column < least && cursor.code() === 0x09)
          throw scannerProblem(cursor, start, 'found a tab character that violates indentation');
        cursor.skip();
      } else if (broken) rest += cursor.skipBreak();
      else {
        first = cursor.skipBreak();
        broken = true;
      }
    }
    if (!options.flow && cursor.column < least) break;
  }
  return {
    content: { text: builder.text, map: builder.map(start.offset), style: 'plain' },
    end,
    endsLine: broken,
  };
};

const endsPlain = (cursor: TextCursor, flow: boolean): boolean => {
  const unit = cursor.code();
  if (unit === 0x3a) return isBlankOrEnd(cursor.code(1));
  return flow && flowIndicators.has(unit);
};

/** `,` `?` `[` `]` `{` `}` */
const flowIndicators: ReadonlySet<number> = new Set([0x2c, 0x3f, 0x5b, 0x5d, 0x7b, 0x7d]);
