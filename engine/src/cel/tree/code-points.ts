/** Texts measured and cut in code points, as CEL counts them; JavaScript counts UTF-16 units. */

const surrogate = /[\ud800-\udbff]/;

/** Number of code points. */
export const codePointCount = (text: string): number =>
  surrogate.test(text) ? countCodePoints(text) : text.length;

/** The text as an array of code points. */
export const codePoints = (text: string): readonly string[] => Array.from(text);

/** Whether code points and UTF-16 units are the same in this text. */
export const hasNoSurrogates = (text: string): boolean => !surrogate.test(text);

/** Unicode order, which UTF-8 bytes have too; UTF-16 units differ above U+FFFF. */
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

/** Puts surrogates above the rest of the basic plane. */
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
