/**
 * Decoded text of a scalar <-> places in its file. A quoted or block scalar reads differently from
 * what stands in the file (escapes, folding, indentation), so the map is piecewise: inside a piece
 * offsets run in step, or the whole piece stands for one escape.
 */
import { type Span, span } from './span.ts';

export interface Piece {
  /** Where the piece starts in the decoded text. */
  readonly decoded: number;
  readonly decodedLength: number;
  /** Where it starts in the file. */
  readonly file: number;
  readonly fileLength: number;
}

/** Pieces in rising order; together they cover the decoded text. */
export interface PositionMap {
  readonly pieces: readonly Piece[];
}

/** A map for text that stands in the file letter by letter. */
export const verbatimMap = (fileStart: number, length: number): PositionMap => ({
  pieces: [{ decoded: 0, decodedLength: length, file: fileStart, fileLength: length }],
});

/** The map of the same text `by` units further on in its file. */
export const shiftMap = (map: PositionMap, by: number): PositionMap => ({
  pieces: map.pieces.map((piece) => ({ ...piece, file: piece.file + by })),
});

export const toFileOffset = (map: PositionMap, decodedOffset: number): number => {
  const piece = pieceAt(map, (candidate) => candidate.decoded <= decodedOffset);
  if (piece === undefined) return 0;
  const offsetInPiece = decodedOffset - piece.decoded;
  if (offsetInPiece >= piece.decodedLength) return piece.file + piece.fileLength;
  // An escape is one piece whose lengths differ: its start is the only place inside it.
  return piece.decodedLength === piece.fileLength ? piece.file + offsetInPiece : piece.file;
};

/** The place in the file of a place in the decoded text; empty stays empty. */
export const toFileSpan = (map: PositionMap, decoded: Span): Span => {
  const start = toFileOffset(map, decoded.start);
  if (decoded.end <= decoded.start) return span(start, start);
  const last = pieceAt(map, (candidate) => candidate.decoded < decoded.end);
  if (last === undefined) return span(start, start);
  const offsetInPiece = decoded.end - last.decoded;
  const inStep = last.decodedLength === last.fileLength && offsetInPiece < last.decodedLength;
  return span(start, inStep ? last.file + offsetInPiece : last.file + last.fileLength);
};

/** The decoded offset that a place in the file stands for; `undefined` outside the scalar's text. */
export const toDecodedOffset = (map: PositionMap, fileOffset: number): number | undefined => {
  const piece = pieceAt(map, (candidate) => candidate.file <= fileOffset);
  if (piece === undefined) return undefined;
  const offsetInPiece = fileOffset - piece.file;
  if (offsetInPiece > piece.fileLength && piece !== map.pieces.at(-1))
    return piece.decoded + piece.decodedLength;
  if (offsetInPiece > piece.fileLength) return undefined;
  return piece.decodedLength === piece.fileLength
    ? piece.decoded + offsetInPiece
    : piece.decoded + (offsetInPiece === piece.fileLength ? piece.decodedLength : 0);
};

/** The last piece that fits; pieces are sorted by both offsets. */
const pieceAt = (map: PositionMap, fits: (piece: Piece) => boolean): Piece | undefined => {
  let low = 0;
  let high = map.pieces.length - 1;
  let found: Piece | undefined;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const piece = map.pieces[middle];
    if (piece !== undefined && fits(piece)) {
      found = piece;
      low = middle + 1;
    } else high = middle - 1;
  }
  return found ?? map.pieces[0];
};
