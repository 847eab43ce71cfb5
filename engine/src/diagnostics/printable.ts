/**
 * Makes untrusted text safe for a terminal and measures its width. A configuration file or a
 * token's claim may contain control characters and bidirectional controls that change what the
 * terminal shows.
 */
import { unicodeEscape, unprintable } from '../source/unprintable.ts';

/** Columns between tab stops. */
const tabWidth = 4;

/** A character as it is shown in a terminal, with its width in columns. */
export interface Cell {
  readonly text: string;
  readonly width: number;
  /** Offset of the character in the line, in UTF-16 units. */
  readonly offset: number;
}

/** Splits a line into characters. A combining mark is joined to the character before it. */
export const cellsOf = (line: string): readonly Cell[] => {
  const cells: Cell[] = [];
  let column = 0;
  for (const { segment, index } of charactersOf(line)) {
    const text =
      segment === '\t' ? ' '.repeat(tabWidth - (column % tabWidth)) : replaceUnprintable(segment);
    const width = segment === '\t' ? text.length : widthOf(text);
    cells.push({ text, width, offset: index });
    column += width;
  }
  return cells;
};

/** Replaces control characters by visible symbols and keeps line breaks. */
export const toPrintable = (text: string): string =>
  text.replace(unprintable, (character) =>
    character === '\n' ? '\n' : replaceUnprintable(character),
  );

/** Returns true if the text contains a character that is invisible in a file. */
export const hasInvisibleCharacters = (text: string): boolean => text.search(invisible) !== -1;

/** Escapes invisible characters inside a quoted string of JSON, YAML or CEL. */
export const escapeInvisible = (text: string): string => text.replace(invisible, unicodeEscape);

interface Character {
  readonly segment: string;
  readonly index: number;
}

/** A segmenter takes milliseconds to create, and most lines need none. */
const charactersOf = (line: string): Iterable<Character> =>
  /^[\t\u0020-\u007e]*$/.test(line)
    ? Array.from(line, (segment, index) => ({ segment, index }))
    : new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(line);

/**
 * Characters that are invisible in a file, including joiners: although they are part of words and
 * emoji, two names that differ in one of them look the same.
 */
const invisible =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff]/g;

const replaceUnprintable = (text: string): string =>
  text.replace(unprintable, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x20) return String.fromCodePoint(0x2400 + code);
    return code === 0x7f ? '\u2421' : '\ufffd';
  });

const widthOf = (text: string): number => {
  if (/\p{Emoji_Presentation}/u.test(text)) return 2;
  const code = text.codePointAt(0) ?? 0;
  if (/^\p{M}/u.test(text)) return 0;
  return isWideCodePoint(code) ? 2 : 1;
};

/** Returns true for code points in the East Asian wide and full-width ranges. */
const isWideCodePoint = (code: number): boolean =>
  (code >= 0x1100 && code <= 0x115f) ||
  (code >= 0x2e80 && code <= 0x303e) ||
  (code >= 0x3041 && code <= 0xa4cf) ||
  (code >= 0xa960 && code <= 0xa97f) ||
  (code >= 0xac00 && code <= 0xd7a3) ||
  (code >= 0xf900 && code <= 0xfaff) ||
  (code >= 0xfe30 && code <= 0xfe6f) ||
  (code >= 0xff00 && code <= 0xff60) ||
  (code >= 0xffe0 && code <= 0xffe6) ||
  (code >= 0x1f300 && code <= 0x1faff) ||
  (code >= 0x20000 && code <= 0x3fffd);
