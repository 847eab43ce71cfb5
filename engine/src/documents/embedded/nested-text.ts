/**
 * A text inside a file, with conversions between its positions and those of the file. The text of a
 * literal block includes the empty lines after it, so that new lines can be typed there.
 */
import { type PositionMap, toDecodedOffset, toFileSpan } from '../../source/position-map.ts';
import { type SourceFile, sourceFile } from '../../source/source-file.ts';
import { type Span, span } from '../../source/span.ts';
import type { TextEdit } from '../../source/text-edit.ts';
import type { StringData } from '../yaml/data.ts';
import type { ScalarNode } from '../yaml/document.ts';
import { editBlock, type LiteralBlock, literalBlock } from './literal-block.ts';

/** A text inside a file, such as a value of a ConfigMap, with conversions between the two. */
export interface NestedText {
  /** The nested text with the name of the file; lines and offsets are its own. */
  readonly source: SourceFile;
  toFile(own: Span): Span;
  /** Returns `undefined` for an offset outside of the text. */
  fromFile(offset: number): number | undefined;
  /** Converts an edit of the text to an edit of the file. */
  editOfFile(edit: TextEdit): TextEdit;
}

/** Returns the file itself as a nested text. */
export const wholeText = (file: SourceFile): NestedText => ({
  source: file,
  toFile: (own) => own,
  fromFile: (offset) => offset,
  editOfFile: (edit) => edit,
});

/** Returns a part of the file, verbatim. */
export const slicedText = (file: SourceFile, { start, end }: Span): NestedText => ({
  source: sourceFile(file.uri, file.text.slice(start, end)),
  toFile: (own) => span(own.start + start, own.end + start),
  // The start of the next document belongs to that document.
  fromFile: (offset) =>
    offset < start || offset > end || (offset === end && end < file.text.length)
      ? undefined
      : offset - start,
  editOfFile({ span: own, newText }) {
    const place = span(own.start + start, own.end + start);
    // The following document must start on a line of its own.
    const joins = place.end === end && end < file.text.length && !newText.endsWith('\n');
    const opensLine = newText === '' && file.text[place.start - 1] === '\n';
    return { span: place, newText: joins && !opensLine ? `${newText}\n` : newText };
  },
});

/** Returns a text inside of a nested text as a text inside of the file. */
export const textWithin = (outer: NestedText, inner: NestedText): NestedText => ({
  source: inner.source,
  toFile: (own) => outer.toFile(inner.toFile(own)),
  fromFile(offset) {
    const at = outer.fromFile(offset);
    return at === undefined ? undefined : inner.fromFile(at);
  },
  editOfFile: (edit) => outer.editOfFile(inner.editOfFile(edit)),
});

/** Returns the text of a scalar. */
export const scalarText = (file: SourceFile, node: ScalarNode): NestedText => {
  // The tree of a broken file does not have all styles; no other scalar starts with this character.
  const isLiteral = node.style === 'literal' || file.text[node.span.start] === '|';
  const block = isLiteral ? literalBlock(file.text, node) : undefined;
  if (block !== undefined) return blockText(file, block);
  return mappedText(file, node.text, node.map, encoders[node.style]);
};

/** Returns the text of a JSON string. */
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

/** Replaces line breaks by spaces, which mean the same in the flow style of these scalars. */
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
