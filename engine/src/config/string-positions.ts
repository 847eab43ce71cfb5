/** Positions of the characters of a configuration's strings in the file. */
import { type Span, span } from '../source/span.ts';
import type { LocatedString } from './configuration.ts';

/** Returns the position from the first character to the last, without quotes. */
export const contentSpan = ({ map, span: whole }: LocatedString): Span => {
  const { pieces } = map;
  const first = pieces[0];
  const last = pieces.at(-1);
  if (first === undefined || last === undefined) return whole;
  return span(first.file, last.file + last.fileLength);
};

/**
 * Returns true if every character has a position of its own; in a broken file some strings have
 * none. Escapes decode to one or two characters, line breaks to spaces.
 */
export const mapsEveryCharacter = ({ map, value }: LocatedString): boolean =>
  map.pieces.every(
    ({ decoded, decodedLength, fileLength }) =>
      decodedLength === fileLength ||
      decodedLength <= 2 ||
      value.slice(decoded, decoded + decodedLength).trim() === '',
  );
