/**
 * Trims by index like Go's `strings.Trim` and `strings.TrimFunc`, in a time that is linear in the
 * number of characters removed. Regular expressions like `/X+$/` take quadratic time.
 */

/** Decides whether a UTF-16 code unit is trimmed. */
export type IsTrimmed = (unit: number) => boolean;

/** Trims the units of `characters`, each a single UTF-16 code unit. */
export const anyOf = (characters: string): IsTrimmed => {
  const units = new Set(Array.from(characters, (character) => character.charCodeAt(0)));
  return (unit) => units.has(unit);
};

export const isSlash = anyOf('/');

export const isZero = anyOf('0');

export const isSpaceOrTab = anyOf(' \t');

/** Removes the trimmed units from the start of the string. */
export const trimStart = (text: string, isTrimmed: IsTrimmed): string => {
  let start = 0;
  while (start < text.length && isTrimmed(text.charCodeAt(start))) start += 1;
  return text.slice(start);
};

/** Removes the trimmed units from the end of the string. */
export const trimEnd = (text: string, isTrimmed: IsTrimmed): string => {
  let end = text.length;
  while (end > 0 && isTrimmed(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(0, end);
};

/** Removes the trimmed units from both ends of the string. */
export const trim = (text: string, isTrimmed: IsTrimmed): string =>
  trimEnd(trimStart(text, isTrimmed), isTrimmed);

/** Replaces each run of white space by one space. */
export const collapseWhitespace = (text: string): string => text.replaceAll(/\s+/g, ' ');
