/** Scans single and double quoted scalars: escapes, and line breaks folded between words. */

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
import { scannerError, unterminatedError } from './yaml-errors.ts';

/** Scans from the opening quote, at the cursor, to after the closing one. */
export const scanQuoted = (cursor: TextCursor, start: Mark): ScalarContent => {
  const single = cursor.code() === 0x27;
  const quote = single ? 0x27 : 0x22;
  const builder = new ScalarBuilder(cursor.text);
  cursor.skip();
  while (true) {
    if (cursor.atDocumentIndicator())
      throw unterminatedError(cursor, start, 'found unexpected document indicator');
    if (cursor.isEnd()) throw unterminatedError(cursor, start, 'found unexpected end of stream');
    const escapedBreak = single
      ? scanSingleWord(cursor, builder)
      : scanDoubleWord(cursor, builder, start);
    if (cursor.code() === quote) break;
    scanGap(cursor, builder, escapedBreak);
  }
  cursor.skip();
  return {
    text: builder.text(),
    map: builder.map(start.offset + 1),
    style: single ? 'single' : 'double',
  };
};

const singleWordCharacters = printableExcept("'");
const doubleWordCharacters = printableExcept('"\\');

/** Scans characters that are not blank; `''` is a quote. */
const scanSingleWord = (cursor: TextCursor, builder: ScalarBuilder): boolean => {
  let from = cursor.offset;
  while (!isBlankOrEnd(cursor.code())) {
    if (cursor.code() === 0x27) {
      if (cursor.code(1) !== 0x27) break;
      builder.copy(from, cursor.offset);
      builder.replace("'", cursor.offset, cursor.offset + 2);
      cursor.skipBy(2);
      from = cursor.offset;
    } else {
      cursor.skip();
      cursor.skipAll(singleWordCharacters);
    }
  }
  builder.copy(from, cursor.offset);
  return false;
};

/**
 * Scans escapes and characters that are not blank; returns true if an escaped line break ends the
 * word.
 */
const scanDoubleWord = (cursor: TextCursor, builder: ScalarBuilder, start: Mark): boolean => {
  let from = cursor.offset;
  while (!isBlankOrEnd(cursor.code())) {
    const unit = cursor.code();
    if (unit === 0x22) break;
    if (unit !== 0x5c) {
      cursor.skip();
      cursor.skipAll(doubleWordCharacters);
      continue;
    }
    builder.copy(from, cursor.offset);
    if (isBreak(cursor.code(1))) {
      cursor.skip();
      cursor.skipBreak();
      return true;
    }
    scanEscape(cursor, builder, start);
    from = cursor.offset;
  }
  builder.copy(from, cursor.offset);
  return false;
};

const simpleEscapes: ReadonlyMap<string, string> = new Map([
  ['0', '\0'],
  ['a', '\x07'],
  ['b', '\b'],
  ['t', '\t'],
  ['\t', '\t'],
  ['n', '\n'],
  ['v', '\v'],
  ['f', '\f'],
  ['r', '\r'],
  ['e', '\x1b'],
  [' ', ' '],
  ['"', '"'],
  ["'", "'"],
  ['\\', '\\'],
  ['N', '\u0085'],
  ['_', '\u00a0'],
  ['L', '\u2028'],
  ['P', '\u2029'],
]);

const codeLengths: ReadonlyMap<string, number> = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
]);

const scanEscape = (cursor: TextCursor, builder: ScalarBuilder, start: Mark): void => {
  const at = cursor.offset;
  const letter = String.fromCharCode(cursor.code(1));
  const simple = simpleEscapes.get(letter);
  if (simple !== undefined) {
    cursor.skipBy(2);
    builder.replace(simple, at, cursor.offset);
    return;
  }
  const length = codeLengths.get(letter);
  if (length === undefined) throw scannerError(cursor, start, 'found unknown escape character', at);
  cursor.skipBy(2);
  builder.replace(codePoint(cursor, start, length), at, cursor.offset);
};

const codePoint = (cursor: TextCursor, start: Mark, length: number): string => {
  let digits = '';
  for (let at = 0; at < length; at += 1) digits += String.fromCharCode(cursor.code(at));
  if (!/^[0-9a-fA-F]+$/.test(digits))
    throw scannerError(cursor, start, 'did not find expected hexdecimal number');
  const value = Number.parseInt(digits, 16);
  if ((value >= 0xd800 && value <= 0xdfff) || value > 0x10ffff)
    throw scannerError(cursor, start, 'found invalid Unicode character escape code');
  cursor.skipBy(length);
  return String.fromCodePoint(value);
};

/**
 * Scans blanks and line breaks between two words; after an escaped line break, blanks are ignored.
 */
const scanGap = (cursor: TextCursor, builder: ScalarBuilder, afterEscapedBreak: boolean): void => {
  const start = cursor.offset;
  let firstBreak = '';
  let otherBreaks = '';
  let sawBreak = afterEscapedBreak;
  while (isBlank(cursor.code()) || isBreak(cursor.code())) {
    if (isBlank(cursor.code())) cursor.skip();
    else if (sawBreak) otherBreaks += cursor.skipBreak();
    else {
      firstBreak = cursor.skipBreak();
      sawBreak = true;
    }
  }
  if (!sawBreak) builder.copy(start, cursor.offset);
  else
    builder.replace(
      firstBreak === '' ? otherBreaks : foldBreaks(firstBreak, otherBreaks),
      start,
      cursor.offset,
    );
};
