/** Reads strings that Go programs print in quotes (`%q`), also if their end is missing. */

/**
 * Returns the string at the start of the text without its quotes and escapes, and the length of what
 * was read; `undefined` if the text starts with no quote.
 */
export const readGoString = (
  text: string,
): { readonly value: string; readonly length: number } | undefined => {
  // The end of a line that was not copied completely is part of the value.
  const match = /^"((?:[^"\\]|\\.)*)(?:"|\\?$)/s.exec(text);
  if (match === null) return undefined;
  return { value: unescapeGo(match[1] ?? ''), length: match[0].length };
};

const shortEscapes: ReadonlyMap<string, string> = new Map([
  ['a', '\u0007'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
]);

const unescapeGo = (text: string): string =>
  text.replaceAll(
    /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{3})|(.))/gs,
    (whole, x?: string, u?: string, long?: string, octal?: string, single?: string) => {
      const hex = x ?? u ?? long;
      if (hex !== undefined) {
        const code = Number.parseInt(hex, 16);
        return code > 0x10ffff ? whole : String.fromCodePoint(code);
      }
      if (octal !== undefined) return String.fromCodePoint(Number.parseInt(octal, 8));
      return shortEscapes.get(single ?? '') ?? single ?? '';
    },
  );
