/**
 * The formatter of expressions with comments. It preserves line breaks, and only changes the
 * indentation of lines and the spaces within them.
 */
import { tokenize } from '../syntax/grammar.ts';

/** Formats a valid expression. All lines but the first are indented by `column`. */
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
  /** A literal or a closing bracket: the end of an operand. */
  | 'operand'
  | 'name'
  | 'sign'
  | 'operator'
  /** The question mark in `.?a` and `[?a]`. */
  | 'optional'
  /** The colon after the key of a map entry. */
  | 'key colon'
  | 'punctuation';

/** Returns the tokens and comments in source order. */
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

/** Returns the whitespace between two tokens on a line. */
const blankBetween = (left: Piece | undefined, right: Piece): string => {
  if (left === undefined || closers.has(right.image) || right.image === ',') return '';
  if (openers.has(left.image) || left.image === '.') return '';
  if (left.role === 'sign' || left.role === 'optional') return '';
  if (left.role === 'operator' || left.role === 'key colon' || left.image === ',') return ' ';
  if (right.role === 'operator') return ' ';
  return '';
};

/** Returns, for each piece, the first token at or after its index. */
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

/** Returns the additional indentation of a line that continues the previous one. */
const continuationIndent = (
  last: Piece | undefined,
  piece: Piece,
  next: Piece | undefined,
): number => {
  if (next === undefined || last === undefined) return 0;
  if (openers.has(last.image) || last.image === ',') return 0;
  return closers.has(next.image) && piece === next ? 0 : indentWidth;
};
