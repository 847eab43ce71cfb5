/** Parses single lines of block layout: the dashes, the key, and where its value starts. */
import type { SourceFile } from '../source/source-file.ts';
import { type Span, span } from '../source/span.ts';

export interface BlockLine {
  readonly line: number;
  /** Offset of the line's first column. */
  readonly start: number;
  readonly text: string;
  readonly indent: number;
  /** Columns of the line's dashes. */
  readonly dashes: readonly number[];
  /** Column of the first character after the dashes; the end of the line if there is none. */
  readonly content: number;
  readonly isEmpty: boolean;
  readonly key: BlockKey | undefined;
}

export interface BlockKey {
  readonly name: string;
  /** Position of the key without quotes. */
  readonly span: Span;
  readonly quoted: boolean;
  /** Column of the colon. */
  readonly colon: number;
  /** Offset of the value after anchors and tags; the end of the line if there is no value. */
  readonly value: number;
  readonly hasValue: boolean;
}

/** Returns the number of leading spaces; `undefined` for a blank line and for a comment. */
export const indentOfLine = (source: SourceFile, line: number): number | undefined => {
  const { text } = source;
  let at = source.offsetAt({ line, column: 0 });
  const start = at;
  while (text[at] === ' ') at += 1;
  const first = text[at];
  if (first === undefined || first === '\n' || first === '\r' || first === '#') return undefined;
  return at - start;
};

export const readLine = (source: SourceFile, line: number): BlockLine => {
  const text = source.lineText(line);
  const start = source.offsetAt({ line, column: 0 });
  const indent = /^ */.exec(text)?.[0].length ?? 0;
  const dashes: number[] = [];
  let content = indent;
  for (
    let dash = /^-(?: +|$)/.exec(text.slice(content));
    dash !== null;
    dash = /^-(?: +|$)/.exec(text.slice(content))
  ) {
    dashes.push(content);
    content += dash[0].length;
  }
  const rest = text.slice(content);
  return {
    line,
    start,
    text,
    indent,
    dashes,
    content,
    isEmpty: rest.trim() === '' || rest.startsWith('#'),
    key: keyOf(rest, start + content, content),
  };
};

/**
 * Longer lines are cut before a key is searched: a key must be followed by its colon within 1024
 * characters.
 */
const maxKeyLineLength = 2048;

const keyPattern =
  /^(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)'|([^\s"'#{}[\],&*!|>%@`](?:(?!\s#)[^:]|:(?=\S))*?))(\s*):(?=\s|$)/;

const keyOf = (rest: string, offset: number, column: number): BlockKey | undefined => {
  const match = keyPattern.exec(
    rest.length > maxKeyLineLength ? rest.slice(0, maxKeyLineLength) : rest,
  );
  if (match === null) return undefined;
  const [whole, double, single, plain] = match;
  const name = double ?? single ?? plain ?? '';
  const quotes = plain === undefined ? 1 : 0;
  const behind = rest.slice(whole.length);
  const value = /^\s*(?:(?:&\S+|!![a-z]+)\s+)*/.exec(behind)?.[0].length ?? 0;
  const written = behind.slice(value);
  return {
    name,
    span: span(offset + quotes, offset + quotes + name.length),
    quoted: quotes === 1,
    colon: column + whole.length - 1,
    value: offset + whole.length + value,
    hasValue: written.trim() !== '' && !written.startsWith('#'),
  };
};
