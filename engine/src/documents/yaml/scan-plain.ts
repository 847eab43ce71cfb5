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
import { scalarToken, type Token } from './token.ts';
import { scannerError } from './yaml-errors.ts';

export interface PlainScalar {
  readonly token: Token;
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
    let unit = cursor.code();
    while (!isBlankOrEnd(unit) && !endsPlainScalar(cursor, unit, options.flow)) {
      cursor.skip();
      cursor.skipAll(wordCharacters);
      unit = cursor.code();
    }
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
    if (!isBlank(unit) && !isBreak(unit)) break;
    while (isBlank(unit) || isBreak(unit)) {
      if (isBlank(unit)) {
        if (sawBreak && cursor.column < minColumn && unit === 0x09)
          throw scannerError(cursor, start, 'found a tab character that violates indentation');
        cursor.skip();
      } else if (sawBreak) otherBreaks += cursor.skipBreak();
      else {
        firstBreak = cursor.skipBreak();
        sawBreak = true;
      }
      unit = cursor.code();
    }
    if (!options.flow && cursor.column < minColumn) break;
  }
  const scalar = { text: builder.text(), map: builder.map(start.offset), style: 'plain' } as const;
  const token = scalarToken(scalar, start, { offset: gapStart, line: endLine });
  return { token, endsLine: sawBreak };
};

/** Characters that never end a plain scalar. */
const wordCharacters = printableExcept(':,?[]{}');

const endsPlainScalar = (cursor: TextCursor, unit: number, flow: boolean): boolean => {
  if (unit === 0x3a) return isBlankOrEnd(cursor.code(1));
  return flow && flowIndicators.has(unit);
};

/** The indicators `,` `?` `[` `]` `{` `}`. */
const flowIndicators: ReadonlySet<number> = new Set([0x2c, 0x3f, 0x5b, 0x5d, 0x7b, 0x7d]);
