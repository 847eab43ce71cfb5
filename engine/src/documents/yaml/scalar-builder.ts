/** Collects the decoded text of one scalar together with the map back to its letters. */
import type { Piece, PositionMap } from '../../source/position-map.ts';

export class ScalarBuilder {
  readonly #source: string;
  /** Made with its first piece, as nearly all scalars have one: an empty list makes room for many. */
  #pieces: Piece[] | undefined;
  #text = '';

  constructor(source: string) {
    this.#source = source;
  }

  get text(): string {
    return this.#text;
  }

  /** Text that reads as it stands. */
  copy(start: number, end: number): void {
    if (end <= start) return;
    this.#push(this.#source.slice(start, end), start, end);
  }

  /** Text that stands for something else: an escape, a folded line break. */
  replace(decoded: string, start: number, end: number): void {
    if (decoded === '') return;
    this.#push(decoded, start, end);
  }

  /** The map; `at` is the place of an empty text. */
  map(at: number): PositionMap {
    if (this.#pieces !== undefined) return { pieces: this.#pieces };
    return { pieces: [{ decoded: 0, decodedLength: 0, file: at, fileLength: 0 }] };
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
 * What a run of line breaks becomes between two words: one break is a space, more are themselves
 * less one. LS and PS are kept.
 */
export const foldBreaks = (first: string, rest: string): string => {
  if (first !== '\n') return first + rest;
  return rest === '' ? ' ' : rest;
};
