/** What differs between two versions of a text. */

export interface ChangedRange {
  /** Offset of the first unit that differs, in both. */
  readonly start: number;
  /** Behind the last unit that differs, in the text before. */
  readonly oldEnd: number;
  /** The same in the text after. */
  readonly newEnd: number;
}

/** The smallest range; empty in both where the texts are equal. */
export const changedRange = (before: string, after: string): ChangedRange => {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start + chunkLength <= shorter && sameChunk(before, after, start, start))
    start += chunkLength;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start += 1;
  const maxSuffix = shorter - start;
  let commonSuffix = 0;
  while (
    commonSuffix + chunkLength <= maxSuffix &&
    sameChunk(
      before,
      after,
      before.length - commonSuffix - chunkLength,
      after.length - commonSuffix - chunkLength,
    )
  )
    commonSuffix += chunkLength;
  while (
    commonSuffix < maxSuffix &&
    before.charCodeAt(before.length - commonSuffix - 1) ===
      after.charCodeAt(after.length - commonSuffix - 1)
  )
    commonSuffix += 1;
  return { start, oldEnd: before.length - commonSuffix, newEnd: after.length - commonSuffix };
};

/** Compared at once: texts are compared faster than their units one by one. */
const chunkLength = 4096;

const sameChunk = (before: string, after: string, from: number, to: number): boolean =>
  before.slice(from, from + chunkLength) === after.slice(to, to + chunkLength);
