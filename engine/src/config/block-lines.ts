/** Lines of a block layout as they are written: dashes, a key, where its value begins. */
import type { SourceFile } from '../source/source-file.ts';
import { type Span, span } from '../source/span.ts';

export interface BlockLine {
  readonly line: number;
  /** Offset of its first column. */
  readonly start: number;
  readonly text: string;
  readonly indent: number;
  /** Columns of its dashes. */
  readonly dashes: readonly number[];
  /** Column of what stands behind the dashes; that of the line's end where nothing does. */
  readonly content: number;
  readonly isEmpty: boolean;
  readonly key: BlockKey | undefined;
}

export interface BlockKey {
  readonly name: string;
  /** Without quotes. */
  readonly span: Span;
  readonly quoted: boolean;
  /** Column of the colon. */
  readonly colon: number;
  /** Offset at which the value begins, behind anchors and tags; the line's end where there is none. */
  readonly value: number;
  readonly hasValue: boolean;
}

/** Columns of the spaces that a line begins with; `undefined` for one that says nothing. */
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

/** A key meets its colon within 1024 characters. */
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
