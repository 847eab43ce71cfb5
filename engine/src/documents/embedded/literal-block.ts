/**
 * A literal block as a text of its own: its lines without the file's indentation, including the
 * empty lines after it, where the next line may be typed.
 */
import {
  type Piece,
  type PositionMap,
  toFileOffset,
  verbatimMap,
} from '../../source/position-map.ts';
import { type Span, span } from '../../source/span.ts';
import type { TextEdit } from '../../source/text-edit.ts';
import type { ScalarNode } from '../yaml/document.ts';

export interface LiteralBlock {
  /** Columns of indentation that belong to the file. */
  readonly indent: number;
  /** The block from the start of its first line to the end of its last. */
  readonly lines: Span;
  readonly text: string;
  readonly map: PositionMap;
}

/** Returns the block; `undefined` if it has no content. */
export const literalBlock = (file: string, node: ScalarNode): LiteralBlock | undefined => {
  const first = firstCharacter(file, node);
  if (first === undefined) return undefined;
  const start = file.lastIndexOf('\n', first - 1) + 1;
  const indent = first - start;
  const lines = span(start, endOfBlock(file, start, indent));
  return { indent, lines, ...withoutIndent(file, lines, indent) };
};

/**
 * Returns the offset of the first character after the indentation. The tree of a broken file only
 * has the start of the block.
 */
const firstCharacter = (file: string, node: ScalarNode): number | undefined => {
  const header = file.indexOf('\n', node.span.start);
  const mapped = node.map.pieces.find(
    ({ decodedLength, file: at }) => decodedLength > 0 && at > header && !isLineEnd(file[at]),
  );
  if (header === -1 || mapped !== undefined) return mapped?.file;
  const content = /[^ \r\n]/g;
  content.lastIndex = header;
  return content.exec(file.slice(0, node.span.end))?.index;
};

const isLineEnd = (character: string | undefined): boolean =>
  character === '\n' || character === '\r';

/** Returns the offset after the last line that is empty or belongs to the block. */
const endOfBlock = (file: string, start: number, indent: number): number => {
  const pad = ' '.repeat(indent);
  let end = start;
  while (end < file.length) {
    const next = file.indexOf('\n', end);
    const line = file.slice(end, next === -1 ? file.length : next);
    if (line.trim() !== '' && !line.startsWith(pad)) break;
    end = next === -1 ? file.length : next + 1;
  }
  return end;
};

const withoutIndent = (
  file: string,
  lines: Span,
  indent: number,
): Pick<LiteralBlock, 'text' | 'map'> => {
  const pieces: Piece[] = [];
  let text = '';
  const add = (decoded: string, at: number, fileLength: number): void => {
    if (decoded === '') return;
    pieces.push({ decoded: text.length, decodedLength: decoded.length, file: at, fileLength });
    text += decoded;
  };
  for (let at = lines.start; at < lines.end; ) {
    const next = file.indexOf('\n', at);
    const end = next === -1 || next >= lines.end ? lines.end : next;
    const line = file.slice(at, end).replace(/\r$/, '');
    const cut = Math.min(indent, line.length - line.trimStart().length);
    add(line.slice(cut), at + cut, line.length - cut);
    if (end < lines.end) add('\n', at + line.length, end + 1 - at - line.length);
    at = end + 1;
  }
  return { text, map: pieces.length === 0 ? verbatimMap(lines.start, 0) : { pieces } };
};

/** Converts an edit of the block's text to an edit of the file. Every new line is indented. */
export const editBlock = (
  file: string,
  { indent, lines, map }: LiteralBlock,
  { span: own, newText }: TextEdit,
): TextEdit => {
  const from = toFileOffset(map, own.start);
  const end = toFileOffset(map, own.end);
  const lineStart = file.lastIndexOf('\n', from - 1) + 1;
  // There is no indentation after the last line: edits there insert or remove whole lines.
  const reachesEnd = end >= lines.end && file[end - 1] === '\n';
  const wholeLines = reachesEnd && from - lineStart <= indent;
  const start = wholeLines ? lineStart : from;
  const isFollowed = !reachesEnd && end < file.length && !isLineEnd(file[end]);

  const pad = ' '.repeat(indent);
  const opensWithContent = newText === '' ? isFollowed : !newText.startsWith('\n');
  const before = opensWithContent ? pad.slice(start - lineStart) : '';
  const inner = newText.replace(/\n(?=[^\n])/g, `\n${pad}`);
  const removesLines = wholeLines && newText === '';
  const needsLineEnd = reachesEnd && end < file.length && !newText.endsWith('\n') && !removesLines;
  const after = newText.endsWith('\n') && isFollowed ? pad : '';
  return { span: span(start, end), newText: before + inner + (needsLineEnd ? '\n' : after) };
};
