/** Collects the decoded text of a scalar together with its position map. */
import { type Piece, type PositionMap, verbatimMap } from '../../source/position-map.ts';

export class ScalarBuilder {
  readonly #source: string;
  /** Created with the first piece, because an empty array reserves memory for many. */
  #pieces: Piece[] | undefined;
  #text = '';
  /** The text at the end that decodes to itself and is not yet a piece. */
  #copiedFrom = 0;
  #copiedTo = 0;

  constructor(source: string) {
    this.#source = source;
  }

  /** Returns the decoded text. */
  text(): string {
    if (this.#pieces === undefined) return this.#source.slice(this.#copiedFrom, this.#copiedTo);
    this.#endCopy();
    return this.#text;
  }

  /** Adds text that decodes to itself; adjacent text becomes one piece. */
  copy(start: number, end: number): void {
    if (end <= start) return;
    if (start !== this.#copiedTo) {
      this.#endCopy();
      this.#copiedFrom = start;
    }
    this.#copiedTo = end;
  }

  /** Adds the decoded form of an escape or of folded line breaks. */
  replace(decoded: string, start: number, end: number): void {
    if (decoded === '') return;
    this.#endCopy();
    this.#push(decoded, start, end);
  }

  /** Returns the map; `at` is the position of an empty scalar. */
  map(at: number): PositionMap {
    if (this.#pieces === undefined) {
      const from = this.#copiedFrom;
      const length = this.#copiedTo - from;
      return length === 0 ? verbatimMap(at, 0) : verbatimMap(from, length);
    }
    this.#endCopy();
    return { pieces: this.#pieces };
  }

  #endCopy(): void {
    const from = this.#copiedFrom;
    const to = this.#copiedTo;
    if (to === from) return;
    this.#copiedFrom = to;
    this.#push(this.#source.slice(from, to), from, to);
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
 * are retained.
 */
export const foldBreaks = (first: string, rest: string): string => {
  if (first !== '\n') return first + rest;
  return rest === '' ? ' ' : rest;
};
