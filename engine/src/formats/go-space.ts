/**
 * White space at the ends of a string, trimmed as Go's `strings.TrimSpace` does: what Unicode calls white
 * space; a byte order mark is not. Linear in the length, whatever a client sends.
 */
import { anyOf, trim } from './trim.ts';

const spaces =
  '\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000';

/** Go's `unicode.IsSpace`. */
export const isSpace = anyOf(spaces);

export const trimSpace = (text: string): string => trim(text, isSpace);

/** Their UTF-8, one character per byte. */
const spacesAsBytes = new Set(
  Array.from(spaces, (space) => String.fromCharCode(...new TextEncoder().encode(space))),
);
const spaceLengths = [1, 2, 3];

/** The same for one character per byte, as Node returns header values. */
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

/** Length of the space that is found in one of the lengths, or 0. */
const spaceLength = (part: (length: number) => string): number => {
  for (const length of spaceLengths) {
    const candidate = part(length);
    if (candidate.length === length && spacesAsBytes.has(candidate)) return length;
  }
  return 0;
};
