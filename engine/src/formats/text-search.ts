/**
 * Searches for one string in another in linear time. V8 searches long strings in time proportional to the
 * product of both lengths where many long prefixes or suffixes match, for example `'b' + 'a' * n` in `'a' * n`.
 */

/**
 * The longest part for which the engine's own search is used, whose worst case is then linear in
 * the length of the string.
 */
const nativeSearchLength = 32;

/** Returns the index of the first occurrence at or after `from`, or -1. */
export const findFirst = (text: string, part: string, from = 0): number => {
  if (part.length <= nativeSearchLength) return text.indexOf(part, from);
  const start = Math.max(from, 0);
  return search(text.length - start, part.length, {
    textUnit: (index) => text.charCodeAt(start + index),
    partUnit: (index) => part.charCodeAt(index),
    resultAt: (index) => start + index,
  });
};

/** Returns the index of the last occurrence that begins at or before `from`, or -1. */
export const findLast = (text: string, part: string, from = text.length): number => {
  if (part.length <= nativeSearchLength) return text.lastIndexOf(part, from);
  const end = Math.min(from + part.length, text.length);
  return search(end, part.length, {
    textUnit: (index) => text.charCodeAt(end - 1 - index),
    partUnit: (index) => part.charCodeAt(part.length - 1 - index),
    resultAt: (index) => end - part.length - index,
  });
};

/** Returns the parts between the occurrences of a separator. */
export const splitBy = (text: string, separator: string): readonly string[] => {
  if (separator.length <= nativeSearchLength) return text.split(separator);
  const parts: string[] = [];
  let start = 0;
  for (let at = findFirst(text, separator); at >= 0; at = findFirst(text, separator, start)) {
    parts.push(text.slice(start, at));
    start = at + separator.length;
  }
  return [...parts, text.slice(start)];
};

interface Direction {
  readonly textUnit: (index: number) => number;
  readonly partUnit: (index: number) => number;
  /** Converts the distance from where the search began to an index in the string. */
  readonly resultAt: (index: number) => number;
}

/** Implements the algorithm of Knuth, Morris and Pratt. */
const search = (textLength: number, partLength: number, direction: Direction): number => {
  const { textUnit, partUnit } = direction;
  if (partLength > textLength) return -1;
  const borders = borderLengths(partLength, partUnit);
  let matched = 0;
  for (let index = 0; index < textLength; index += 1) {
    const unit = textUnit(index);
    while (matched > 0 && partUnit(matched) !== unit) matched = borders[matched - 1] ?? 0;
    if (partUnit(matched) === unit) matched += 1;
    if (matched === partLength) return direction.resultAt(index + 1 - partLength);
  }
  return -1;
};

/**
 * Returns for each prefix of the part the length of its longest proper prefix that is also its
 * suffix.
 */
const borderLengths = (length: number, unit: (index: number) => number): Int32Array => {
  const borders = new Int32Array(length);
  let matched = 0;
  for (let index = 1; index < length; index += 1) {
    while (matched > 0 && unit(matched) !== unit(index)) matched = borders[matched - 1] ?? 0;
    if (unit(matched) === unit(index)) matched += 1;
    borders[index] = matched;
  }
  return borders;
};
