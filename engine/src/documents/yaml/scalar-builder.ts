/** Collects the decoded text of a scalar together with its position map. */
import { type Piece, type PositionMap, verbatimMap } from '../../source/position-map.ts';

export class ScalarBuilder {
  readonly #source: string;
  /** Created with the first piece, because an empty array reserves memory for many. */
  #pieces: Piece[] | undefined;
  #text = '';

  constructor(source: string) {
    this.#source = source;
  }

  get text(): string {
    return this.#text;
  }

  /** Adds text that decodes to itself. */
  copy(start: number, end: number): void {
    if (end <= start) return;
    this.#push(this.#source.slice(start, end), start, end);
  }

  /** Adds the decoded form of an escape or of folded line breaks. */
  replace(decoded: string, start: number, end: number): void {
    if (decoded === '') return;
    this.#push(decoded, start, end);
  }

  /** Returns the map; `at` is the position of an empty scalar. */
  map(at: number): PositionMap {
    return this.#pieces === undefined ? verbatimMap(at, 0) : { pieces: this.#pieces };
  }

  #push(decoded: string, file: number, end: number): void {
    const piece: Piece = {
      decoded: this.#text.length,
      decodedLength: decoded.length,
      file,
      fileLength: end - file,
    };
    if (this.#pieces === undefined) this.#pieces = [piece];
    else this.#pieces.push(piece);
    this.#text += decoded;
  }
}

/**
 * Folds line breaks between two words: a single one becomes a space, several lose one. LS and PS
 * are kept.
 */
export const foldBreaks = (first: string, rest: string): string => {
  if (first !== '\n') return first + rest;
  return rest === '' ? ' ' : rest;
};
