/** CEL measures strings in code points, JavaScript in UTF-16 code units. */

const surrogate = /[\ud800-\udbff]/;

/** Counts the code points of a string. */
export const codePointCount = (text: string): number =>
  surrogate.test(text) ? countCodePoints(text) : text.length;

/** Splits a string into its code points. */
export const codePoints = (text: string): readonly string[] => Array.from(text);

/** Reports whether every code point of a string is a single UTF-16 unit. */
export const hasNoSurrogates = (text: string): boolean => !surrogate.test(text);

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
