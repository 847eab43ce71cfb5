/** The difference between two versions of a string. */

export interface ChangedRange {
  /** The offset of the first different unit in both versions. */
  readonly start: number;
  /** The offset after the last different unit in the old version. */
  readonly oldEnd: number;
  /** The offset after the last different unit in the new version. */
  readonly newEnd: number;
}

/** Returns the smallest range; it is empty for equal strings. */
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

/**
 * The length of the slices that are compared first, because comparing slices is faster than
 * comparing units.
 */
const chunkLength = 4096;

const sameChunk = (before: string, after: string, from: number, to: number): boolean =>
  before.slice(from, from + chunkLength) === after.slice(to, to + chunkLength);
