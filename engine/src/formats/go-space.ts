/**
 * White space at the ends of a text, cut as Go's `strings.TrimSpace` does: what Unicode calls white
 * space; a byte order mark is none. Linear in the length, whatever a client sends.
 */

const spaces = new Set(
  '\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000',
);

/** Their UTF-8, one character a byte. */
const spacesAsBytes = new Set(
  [...spaces].map((space) => String.fromCharCode(...new TextEncoder().encode(space))),
);

export const trimSpace = (text: string): string => trim(text, spaces, 1);

/** The same for one character a byte, as Node gives header values. */
export const trimSpaceOfLatin1 = (value: string): string => trim(value, spacesAsBytes, 3);

const trim = (text: string, known: ReadonlySet<string>, longest: number): string => {
  if (isPlain(text.charCodeAt(0)) && isPlain(text.charCodeAt(text.length - 1))) return text;
  let start = 0;
  let end = text.length;
  const lengthAt = (from: (length: number) => string): number => {
    for (let length = 1; length <= longest; length += 1) {
      if (known.has(from(length))) return length;
    }
    return 0;
  };
  while (start < end) {
    const length = lengthAt((size) => text.slice(start, start + size));
    if (length === 0) break;
    start += length;
  }
  while (end > start) {
    const length = lengthAt((size) => text.slice(Math.max(start, end - size), end));
    if (length === 0) break;
    end -= length;
  }
  return text.slice(start, end);
};

/** Printed ASCII, as nearly every text begins and ends. */
const isPlain = (code: number): boolean => code > 0x20 && code < 0x7f;
