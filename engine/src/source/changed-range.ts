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
  while (start + chunk <= shorter && sameChunk(before, after, start, start)) start += chunk;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start += 1;
  const most = shorter - start;
  let same = 0;
  while (
    same + chunk <= most &&
    sameChunk(before, after, before.length - same - chunk, after.length - same - chunk)
  )
    same += chunk;
  while (
    same < most &&
    before.charCodeAt(before.length - same - 1) === after.charCodeAt(after.length - same - 1)
  )
    same += 1;
  return { start, oldEnd: before.length - same, newEnd: after.length - same };
};

/** Compared at once: texts are compared faster than their units one by one. */
const chunk = 4096;

const sameChunk = (before: string, after: string, from: number, to: number): boolean =>
  before.slice(from, from + chunk) === after.slice(to, to + chunk);
