/** Where the letters of a text of the configuration stand in its file. */
import { type Span, span } from '../source/span.ts';
import type { LocatedString } from './configuration.ts';

/** From the first letter to the last, without quotes. */
export const contentSpan = ({ map, span: whole }: LocatedString): Span => {
  const first = map.pieces[0];
  const last = map.pieces.at(-1);
  if (first === undefined || last === undefined) return whole;
  return span(first.file, last.file + last.fileLength);
};

/**
 * Every letter has its own place; of a broken file some texts have none. Escapes are a letter or two,
 * line ends are blanks.
 */
export const mapsEveryCharacter = ({ map, value }: LocatedString): boolean =>
  map.pieces.every(
    ({ decoded, decodedLength, fileLength }) =>
      decodedLength === fileLength ||
      decodedLength <= 2 ||
      value.slice(decoded, decoded + decodedLength).trim() === '',
  );
