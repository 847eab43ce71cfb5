/**
 * Trims white space like Go's `strings.TrimSpace`: Unicode white space, but not a byte order mark.
 * It takes linear time for any input.
 */
import { anyOf, trim } from './trim.ts';

const spaces =
  '\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000';

/** Implements Go's `unicode.IsSpace`. */
export const isSpace = anyOf(spaces);

export const trimSpace = (text: string): string => trim(text, isSpace);

/** The white space characters in UTF-8, one character for each byte. */
const spacesAsBytes = new Set(
  Array.from(spaces, (space) => String.fromCharCode(...new TextEncoder().encode(space))),
);
const spaceLengths = [1, 2, 3];

/** Trims a string with one character for each byte, as Node.js returns header values. */
export const trimSpaceOfLatin1 = (value: string): string => {
  let start = 0;
  let end = value.length;
  while (true) {
    const size = spaceLength((length) => value.slice(start, Math.min(start + length, end)));
    if (size === 0) break;
    start += size;
  }
  while (true) {
    const size = spaceLength((length) => value.slice(Math.max(start, end - length), end));
    if (size === 0) break;
    end -= size;
  }
  return value.slice(start, end);
};

/** Returns the length of a white space character, for which all lengths are tried, or 0. */
const spaceLength = (part: (length: number) => string): number => {
  for (const length of spaceLengths) {
    const candidate = part(length);
    if (candidate.length === length && spacesAsBytes.has(candidate)) return length;
  }
  return 0;
};
