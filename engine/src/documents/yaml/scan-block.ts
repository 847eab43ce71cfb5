/** Scans literal `|` and folded `>` scalars: indentation, chomping, folding. */
import type { Span } from '../../source/span.ts';
import { ScalarBuilder } from './scalar-builder.ts';
import {
  isBlank,
  isBreak,
  isBreakOrEnd,
  isDigit,
  type Mark,
  type TextCursor,
} from './text-cursor.ts';
import type { ScalarContent } from './token.ts';
import { scannerError } from './yaml-errors.ts';

export interface BlockScalar {
  readonly content: ScalarContent;
  readonly end: Mark;
}

/** Scans from the indicator to the last line of the scalar. */
export const scanBlock = (
  cursor: TextCursor,
  parentIndent: number,
  onComment: (span: Span) => void,
): BlockScalar => {
  const start = cursor.mark();
  const literal = cursor.code() === 0x7c;
  cursor.skip();
  const header = scanHeader(cursor, start);
  scanLineEnd(cursor, start, onComment);
  const indent = header.increment === 0 ? 0 : Math.max(parentIndent, 0) + header.increment;
  return scanLines(cursor, { start, literal, indent, parentIndent, chomping: header.chomping });
};

type Chomping = 'clip' | 'strip' | 'keep';

const scanHeader = (
  cursor: TextCursor,
  start: Mark,
): { readonly chomping: Chomping; readonly increment: number } => {
  const before = scanChomping(cursor);
  let increment = 0;
  if (isDigit(cursor.code())) {
    if (cursor.code() === 0x30)
      throw scannerError(cursor, start, 'found an indentation indicator equal to 0');
    increment = cursor.code() - 0x30;
    cursor.skip();
  }
  const chomping = before ?? (increment > 0 ? scanChomping(cursor) : undefined);
  return { chomping: chomping ?? 'clip', increment };
};

const scanChomping = (cursor: TextCursor): Chomping | undefined => {
  const unit = cursor.code();
  if (unit !== 0x2b && unit !== 0x2d) return undefined;
  cursor.skip();
  return unit === 0x2b ? 'keep' : 'strip';
};

/** Scans the rest of a line that may contain only blanks and a comment, with its line break. */
export const scanLineEnd = (
  cursor: TextCursor,
  start: Mark,
  onComment: (span: Span) => void,
): void => {
  cursor.skipBlanks();
  if (cursor.code() === 0x23) {
    const from = cursor.offset;
    while (!isBreakOrEnd(cursor.code())) cursor.skip();
    onComment({ start: from, end: cursor.offset });
  }
  if (!isBreakOrEnd(cursor.code()))
    throw scannerError(cursor, start, 'did not find expected comment or line break');
  cursor.skipBreak();
};

interface Block {
  readonly start: Mark;
  readonly literal: boolean;
  /** 0 if it is detected from the first line with content. */
  readonly indent: number;
  readonly parentIndent: number;
  readonly chomping: Chomping;
}

const scanLines = (cursor: TextCursor, block: Block): BlockScalar => {
  const builder = new ScalarBuilder(cursor.text);
  const contentStart = cursor.offset;
  let gapStart = cursor.offset;
  let gap = scanBreaks(cursor, block, block.indent);
  const indent = gap.indent;
  let end = gap.end;
  let lineBreak = '';
  let previousIndented = false;
  while (cursor.column === indent && !cursor.isEnd()) {
    const indented = isBlank(cursor.code());
    const folds = !block.literal && lineBreak === '\n' && !previousIndented && !indented;
    const joint = folds ? (gap.breaks === '' ? ' ' : gap.breaks) : lineBreak + gap.breaks;
    builder.replace(joint, gapStart, cursor.offset);
    previousIndented = indented;
    const from = cursor.offset;
    while (!isBreakOrEnd(cursor.code())) cursor.skip();
    builder.copy(from, cursor.offset);
    gapStart = cursor.offset;
    lineBreak = cursor.skipBreak();
    gap = scanBreaks(cursor, block, indent);
    end = gap.end;
  }
  const tail =
    block.chomping === 'strip' ? '' : lineBreak + (block.chomping === 'keep' ? gap.breaks : '');
  builder.replace(tail, gapStart, end.offset);
  return {
    content: {
      text: builder.text(),
      map: builder.map(contentStart),
      style: block.literal ? 'literal' : 'folded',
    },
    end,
  };
};

/** Scans empty lines and the indentation of the next line. */
const scanBreaks = (
  cursor: TextCursor,
  block: Block,
  knownIndent: number,
): { readonly breaks: string; readonly indent: number; readonly end: Mark } => {
  let breaks = '';
  let widest = 0;
  let end = cursor.mark();
  while (true) {
    while ((knownIndent === 0 || cursor.column < knownIndent) && cursor.code() === 0x20)
      cursor.skip();
    widest = Math.max(widest, cursor.column);
    if ((knownIndent === 0 || cursor.column < knownIndent) && cursor.code() === 0x09)
      throw scannerError(
        cursor,
        block.start,
        'found a tab character where an indentation space is expected',
      );
    if (!isBreak(cursor.code())) break;
    breaks += cursor.skipBreak();
    end = cursor.mark();
  }
  const indent = knownIndent === 0 ? Math.max(widest, block.parentIndent + 1, 1) : knownIndent;
  return { breaks, indent, end };
};
