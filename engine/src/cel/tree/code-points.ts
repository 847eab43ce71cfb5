/** CEL measures strings in code points, JavaScript in UTF-16 code units. */

const surrogate = /[\ud800-\udbff]/;

/** Counts the code points of a string. */
export const codePointCount = (text: string): number =>
  surrogate.test(text) ? countCodePoints(text) : text.length;

/** Splits a string into its code points. */
export const codePoints = (text: string): readonly string[] => Array.from(text);

/** Reports whether every code point of a string is a single UTF-16 unit. */
export const hasNoSurrogates = (text: string): boolean => !surrogate.test(text);

/**
 * Compares by code point, which is also the order of UTF-8 bytes. UTF-16 order differs above
 * U+FFFF.
 */
export const compareStrings = (a: string, b: string): number => {
  if (a === b) return 0;
  const shorter = Math.min(a.length, b.length);
  for (let index = 0; index < shorter; index++) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right) return codePointRank(left) < codePointRank(right) ? -1 : 1;
  }
  return a.length < b.length ? -1 : 1;
};

/** Ranks surrogates above all other code units, because their code points are above U+FFFF. */
const codePointRank = (unit: number): number =>
  unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;

const countCodePoints = (text: string): number => {
  const { length } = text;
  let count = length;
  for (let index = 0; index + 1 < length; index++) {
    if ((text.charCodeAt(index) & 0xfc00) !== 0xd800) continue;
    if ((text.charCodeAt(index + 1) & 0xfc00) !== 0xdc00) continue;
    count--;
    index++;
  }
  return count;
};
