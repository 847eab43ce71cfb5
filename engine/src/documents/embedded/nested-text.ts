/**
 * A text that stands inside another file: its own text, and the way between its places and those of
 * the file. In a literal block it also reaches over the empty lines behind its end, so that there is a
 * place for what is typed there.
 */
import { type PositionMap, toDecodedOffset, toFileSpan } from '../../source/position-map.ts';
import { type SourceFile, sourceFile } from '../../source/source-file.ts';
import { type Span, span } from '../../source/span.ts';
import type { TextEdit } from '../../source/text-edit.ts';
import type { StringData } from '../yaml/data.ts';
import type { ScalarNode } from '../yaml/document.ts';
import { editBlock, type LiteralBlock, literalBlock } from './literal-block.ts';

/** A text inside a file, such as a value of a ConfigMap, and the way between the two. */
export interface NestedText {
  /** Has the name of the file, and the text's own lines and offsets. */
  readonly source: SourceFile;
  toFile(own: Span): Span;
  /** `undefined` outside of the text. */
  fromFile(offset: number): number | undefined;
  /** The edit of the file that is this edit of the text. */
  editOfFile(edit: TextEdit): TextEdit;
}

/** The file itself. */
export const wholeText = (file: SourceFile): NestedText => ({
  source: file,
  toFile: (own) => own,
  fromFile: (offset) => offset,
  editOfFile: (edit) => edit,
});

/** A part of the file, letter by letter. */
export const slicedText = (file: SourceFile, { start, end }: Span): NestedText => ({
  source: sourceFile(file.uri, file.text.slice(start, end)),
  toFile: (own) => span(own.start + start, own.end + start),
  // Where the next document begins is its place, not that of this one.
  fromFile: (offset) =>
    offset < start || offset > end || (offset === end && end < file.text.length)
      ? undefined
      : offset - start,
  editOfFile({ span: own, newText }) {
    const place = span(own.start + start, own.end + start);
    // What follows begins on a line of its own, whatever goes before it.
    const joins = place.end === end && end < file.text.length && !newText.endsWith('\n');
    const opensLine = newText === '' && file.text[place.start - 1] === '\n';
    return { span: place, newText: joins && !opensLine ? `${newText}\n` : newText };
  },
});

/** What a scalar of the file says. */
export const scalarText = (file: SourceFile, node: ScalarNode): NestedText => {
  // The tree of a broken file does not tell the styles apart; nothing else begins so.
  const isLiteral = node.style === 'literal' || file.text[node.span.start] === '|';
  const block = isLiteral ? literalBlock(file.text, node) : undefined;
  if (block !== undefined) return blockText(file, block);
  return mappedText(file, node.text, node.map, encoders[node.style]);
};

/** What a string of a JSON file says. */
export const jsonStringText = (file: SourceFile, data: StringData): NestedText =>
  mappedText(file, data.text, data.map, escapeJson);

const mappedText = (
  file: SourceFile,
  text: string,
  map: PositionMap,
  write: (text: string) => string,
): NestedText => ({
  source: sourceFile(file.uri, text),
  toFile: (own) => toFileSpan(map, own),
  fromFile: (offset) =>
    offset < (map.pieces[0]?.file ?? 0) ? undefined : toDecodedOffset(map, offset),
  editOfFile: ({ span: own, newText }) => ({ span: toFileSpan(map, own), newText: write(newText) }),
});

const escapeJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/** A line end in these is a space; that is what it means to the flow style that stands in them. */
const joinLines = (text: string): string =>
  text.replace(/\s+/g, (run) => (run.includes('\n') ? ' ' : run));

const encoders: Readonly<Record<ScalarNode['style'], (text: string) => string>> = {
  double: escapeJson,
  single: (text) => joinLines(text).replaceAll("'", "''"),
  plain: joinLines,
  folded: joinLines,
  literal: (text) => text,
};

const blockText = (file: SourceFile, block: LiteralBlock): NestedText => {
  const { text, map, lines } = block;
  return {
    source: sourceFile(file.uri, text),
    toFile: (own) => toFileSpan(map, own),
    fromFile: (offset) =>
      offset < lines.start || offset > lines.end
        ? undefined
        : (toDecodedOffset(map, offset) ?? text.length),
    editOfFile: (edit) => editBlock(file.text, block, edit),
  };
};
