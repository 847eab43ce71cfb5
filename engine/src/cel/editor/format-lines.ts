/**
 * The layout of an expression with comments: the author's lines stay as they are, only the blanks
 * inside them and in front of them change. A comment keeps its place, on its line or on one of its own.
 */
import { tokenize } from '../syntax/grammar.ts';

/** Lines begin at `column`, which is not written in front of the first one. The text must be good. */
export const formatLines = (text: string, column: number): string => {
  const pieces = piecesOf(text);
  const following = nextTokens(pieces);
  const indents = [column];
  let lineIndent = column;
  let previous: Piece | undefined;
  let out = '';
  for (const [index, piece] of pieces.entries()) {
    const isClosing = closers.has(piece.image);
    if (isClosing) indents.pop();
    const blank = text.slice(pieces[index - 1]?.end ?? piece.start, piece.start);
    if (blank.includes('\n')) {
      lineIndent =
        (indents.at(-1) ?? column) + continuationIndent(previous, piece, following[index]);
      const emptyLine = blank.indexOf('\n') !== blank.lastIndexOf('\n') ? '\n' : '';
      out += `${emptyLine}\n${' '.repeat(lineIndent)}`;
    } else if (index > 0) out += piece.isComment ? ' ' : blankBetween(previous, piece);
    out += piece.image;
    if (openers.has(piece.image)) indents.push(lineIndent + indentWidth);
    if (!piece.isComment) previous = piece;
  }
  return out;
};

const indentWidth = 2;

interface Piece {
  readonly image: string;
  readonly start: number;
  readonly end: number;
  readonly isComment: boolean;
  readonly role: Role;
}

type Role =
  /** A name, a literal, a closing bracket: something may be selected of it. */
  | 'operand'
  | 'name'
  | 'sign'
  | 'operator'
  /** The question mark of `.?a` and `[?a]`. */
  | 'optional'
  /** Behind the key of a map. */
  | 'key colon'
  | 'punctuation';

/** Words and comments in the order of the text. */
const piecesOf = (text: string): readonly Piece[] => {
  const { tokens, comments } = tokenize(text);
  const open: string[] = [];
  let previousPiece: Piece | undefined;
  const tokenPieces = tokens.map(({ image, startOffset, tokenType }): Piece => {
    const role = roleOf({ image, type: tokenType.name }, previousPiece, open);
    if (openers.has(image)) open.push(image);
    else if (closers.has(image)) open.splice(open.findLastIndex((each) => openers.has(each)));
    else if (image === '?' && role === 'operator') open.push(image);
    else if (image === ':' && role === 'operator') open.pop();
    previousPiece = {
      image,
      start: startOffset,
      end: startOffset + image.length,
      isComment: false,
      role,
    };
    return previousPiece;
  });
  const commentPieces = comments.map(({ image, startOffset }): Piece => {
    const trimmed = image.trimEnd();
    return {
      image: trimmed,
      start: startOffset,
      end: startOffset + trimmed.length,
      isComment: true,
      role: 'punctuation',
    };
  });
  return [...tokenPieces, ...commentPieces].sort((a, b) => a.start - b.start);
};

const roleOf = (
  { image, type }: { readonly image: string; readonly type: string },
  previousPiece: Piece | undefined,
  open: readonly string[],
): Role => {
  if (type === 'Identifier') return 'name';
  if (closers.has(image)) return 'operand';
  if (openers.has(image) || image === ',' || image === '.') return 'punctuation';
  if (image === '!') return 'sign';
  const afterOperand = previousPiece?.role === 'operand' || previousPiece?.role === 'name';
  if (image === '-') return afterOperand ? 'operator' : 'sign';
  if (image === '?') return afterOperand ? 'operator' : 'optional';
  if (image === ':') return open.at(-1) === '?' ? 'operator' : 'key colon';
  return operators.has(image) ? 'operator' : 'operand';
};

const openers: ReadonlySet<string> = new Set('([{');
const closers: ReadonlySet<string> = new Set(')]}');
const operators: ReadonlySet<string> = new Set('in || && == != <= >= < > + * / %'.split(' '));

/** Between two words of one line. */
const blankBetween = (left: Piece | undefined, right: Piece): string => {
  if (left === undefined || closers.has(right.image) || right.image === ',') return '';
  if (openers.has(left.image) || left.image === '.') return '';
  if (left.role === 'sign' || left.role === 'optional') return '';
  if (left.role === 'operator' || left.role === 'key colon' || left.image === ',') return ' ';
  if (right.role === 'operator') return ' ';
  return '';
};

/** For each piece, the first token at its index or after it. */
const nextTokens = (pieces: readonly Piece[]): readonly (Piece | undefined)[] => {
  let next: Piece | undefined;
  return pieces
    .toReversed()
    .map((piece) => {
      if (!piece.isComment) next = piece;
      return next;
    })
    .reverse();
};

/** A line that continues what the line before began is indented further. */
const continuationIndent = (
  last: Piece | undefined,
  piece: Piece,
  next: Piece | undefined,
): number => {
  if (next === undefined || last === undefined) return 0;
  if (openers.has(last.image) || last.image === ',') return 0;
  return closers.has(next.image) && piece === next ? 0 : indentWidth;
};
