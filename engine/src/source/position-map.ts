/**
 * Maps offsets in the decoded string of a YAML scalar to offsets in its file. A quoted or block
 * scalar differs from its source (escapes, folding, indentation), so the map consists of pieces:
 * within a piece, offsets advance together, or the whole piece is one escape.
 */
import { type Span, span } from './span.ts';

export interface Piece {
  /** The start of the piece in the decoded string. */
  readonly decoded: number;
  readonly decodedLength: number;
  /** The start of the piece in the file. */
  readonly file: number;
  readonly fileLength: number;
}

/** Pieces in ascending order, which cover the decoded string. */
export interface PositionMap {
  readonly pieces: readonly Piece[];
}

/**
 * Maps a string that is unchanged in the file. Its piece is created on each access, because a
 * document has a map for each of its strings, and few of them are used.
 */
class VerbatimMap implements PositionMap {
  readonly file: number;
  readonly length: number;

  constructor(file: number, length: number) {
    this.file = file;
    this.length = length;
  }

  get pieces(): readonly Piece[] {
    const { file, length } = this;
    return [{ decoded: 0, decodedLength: length, file, fileLength: length }];
  }
}

/** Creates a map for a string that is in the file without changes. */
export const verbatimMap = (fileStart: number, length: number): PositionMap =>
  new VerbatimMap(fileStart, length);

/** Shifts a map by `by` units in the file. */
export const shiftMap = (map: PositionMap, by: number): PositionMap =>
  map instanceof VerbatimMap
    ? new VerbatimMap(map.file + by, map.length)
    : { pieces: map.pieces.map((piece) => ({ ...piece, file: piece.file + by })) };

export const toFileOffset = (map: PositionMap, decodedOffset: number): number => {
  const piece = pieceAt(map.pieces, (candidate) => candidate.decoded <= decodedOffset);
  if (piece === undefined) return 0;
  const offsetInPiece = decodedOffset - piece.decoded;
  if (offsetInPiece >= piece.decodedLength) return piece.file + piece.fileLength;
  // In an escape, whose lengths differ, the start is the only valid position.
  return piece.decodedLength === piece.fileLength ? piece.file + offsetInPiece : piece.file;
};

/** Maps a span in the decoded string to the file; an empty span remains empty. */
export const toFileSpan = (map: PositionMap, decoded: Span): Span => {
  const start = toFileOffset(map, decoded.start);
  if (decoded.end <= decoded.start) return span(start, start);
  const last = pieceAt(map.pieces, (candidate) => candidate.decoded < decoded.end);
  if (last === undefined) return span(start, start);
  const offsetInPiece = decoded.end - last.decoded;
  const inStep = last.decodedLength === last.fileLength && offsetInPiece < last.decodedLength;
  return span(start, inStep ? last.file + offsetInPiece : last.file + last.fileLength);
};

/** Maps an offset in the file to the decoded string; returns `undefined` outside of the scalar. */
export const toDecodedOffset = (map: PositionMap, fileOffset: number): number | undefined => {
  const { pieces } = map;
  const piece = pieceAt(pieces, (candidate) => candidate.file <= fileOffset);
  if (piece === undefined) return undefined;
  const offsetInPiece = fileOffset - piece.file;
  if (offsetInPiece > piece.fileLength && piece !== pieces.at(-1))
    return piece.decoded + piece.decodedLength;
  if (offsetInPiece > piece.fileLength) return undefined;
  return piece.decodedLength === piece.fileLength
    ? piece.decoded + offsetInPiece
    : piece.decoded + (offsetInPiece === piece.fileLength ? piece.decodedLength : 0);
};

/** Finds the last matching piece by binary search; pieces are sorted by both offsets. */
const pieceAt = (pieces: readonly Piece[], fits: (piece: Piece) => boolean): Piece | undefined => {
  let low = 0;
  let high = pieces.length - 1;
  let found: Piece | undefined;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const piece = pieces[middle];
    if (piece !== undefined && fits(piece)) {
      found = piece;
      low = middle + 1;
    } else high = middle - 1;
  }
  return found ?? pieces[0];
};
