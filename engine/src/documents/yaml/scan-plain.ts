/** Scans plain scalars: words up to an indicator, with line breaks folded. */
import { foldBreaks, ScalarBuilder } from './scalar-builder.ts';
import {
  isBlank,
  isBlankOrEnd,
  isBreak,
  type Mark,
  printableExcept,
  type TextCursor,
} from './text-cursor.ts';
import type { ScalarContent } from './token.ts';
import { scannerError } from './yaml-errors.ts';

export interface PlainScalar {
  readonly content: ScalarContent;
  readonly end: Pick<Mark, 'offset' | 'line'>;
  /** True if line breaks follow the last word: a simple key may come next. */
  readonly endsLine: boolean;
}

/**
 * Scans a plain scalar, which starts at the cursor, in a block with this indentation; `flow` applies
 * inside brackets.
 */
export const scanPlain = (
  cursor: TextCursor,
  start: Mark,
  options: { readonly indent: number; readonly flow: boolean },
): PlainScalar => {
  const builder = new ScalarBuilder(cursor.text);
  const minColumn = options.indent + 1;
  let endLine = start.line;
  let gapStart = start.offset;
  let firstBreak = '';
  let otherBreaks = '';
  let sawBreak = false;
  while (!cursor.atDocumentIndicator() && cursor.code() !== 0x23) {
    const from = cursor.offset;
    cursor.skipAll(wordCharacters);
    while (!isBlankOrEnd(cursor.code()) && !endsPlainScalar(cursor, options.flow)) cursor.skip();
    if (cursor.offset > from) {
      if (sawBreak) builder.replace(foldBreaks(firstBreak, otherBreaks), gapStart, from);
      else builder.copy(gapStart, from);
      builder.copy(from, cursor.offset);
      endLine = cursor.line;
      firstBreak = '';
      otherBreaks = '';
      sawBreak = false;
      gapStart = cursor.offset;
    }
    if (!isBlank(cursor.code()) && !isBreak(cursor.code())) break;
    while (isBlank(cursor.code()) || isBreak(cursor.code())) {
      if (isBlank(cursor.code())) {
        if (sawBreak && cursor.column < minColumn && cursor.code() === 0x09)
          throw scannerError(cursor, start, 'found a tab character that violates indentation');
        cursor.skip();
      } else if (sawBreak) otherBreaks += cursor.skipBreak();
      else {
        firstBreak = cursor.skipBreak();
        sawBreak = true;
      }
    }
    if (!options.flow && cursor.column < minColumn) break;
  }
  return {
    content: { text: builder.text, map: builder.map(start.offset), style: 'plain' },
    end: { offset: gapStart, line: endLine },
    endsLine: sawBreak,
  };
};

/** Characters that never end a plain scalar. */
const wordCharacters = printableExcept(':,?[]{}');

const endsPlainScalar = (cursor: TextCursor, flow: boolean): boolean => {
  const unit = cursor.code();
  if (unit === 0x3a) return isBlankOrEnd(cursor.code(1));
  return flow && flowIndicators.has(unit);
};

/** The indicators `,` `?` `[` `]` `{` `}`. */
const flowIndicators: ReadonlySet<number> = new Set([0x2c, 0x3f, 0x5b, 0x5d, 0x7b, 0x7d]);
