/**
 * Reads a single scalar of a text that may be incomplete: its value and the positions of its
 * characters. It accepts scalars that the loader rejects, so that an editor can complete inside an
 * open quote. Nothing is compiled from the result.
 */
import {
  type PositionMap,
  shiftMap,
  toDecodedOffset,
  verbatimMap,
} from '../../source/position-map.ts';
import { type Span, span } from '../../source/span.ts';
import type { ScalarStyle } from './document.ts';
import { scanBlock } from './scan-block.ts';
import { scanPlain } from './scan-plain.ts';
import { scanQuoted } from './scan-quoted.ts';
import { TextCursor, YamlError } from './text-cursor.ts';
import type { ScalarContent } from './token.ts';

/** A scalar of a text that may be incomplete. */
export interface LooseScalar {
  readonly style: ScalarStyle;
  readonly text: string;
  readonly map: PositionMap;
  /** Position with quotes or block header. */
  readonly span: Span;
  /** False for an open quote. */
  readonly closed: boolean;
  /** True inside brackets, where a plain scalar ends at a comma or bracket. */
  readonly flow: boolean;
}

export interface LooseScalarContext {
  /**
   * Column of the key or dash that the scalar belongs to; its further lines are indented more
   * deeply.
   */
  readonly indent: number;
  readonly flow: boolean;
}

/** Reads the scalar at the offset; it is empty if there is none. Never throws. */
export const readLooseScalar = (
  text: string,
  at: number,
  place: LooseScalarContext,
): LooseScalar => {
  const first = text[at] ?? '';
  if (first === '"' || first === "'") return readLooseQuoted(text, at, place);
  if (!place.flow && (first === '|' || first === '>')) return readLooseBlock(text, at, place);
  return readLoosePlain(text, at, place);
};

/** Reads the rest of the line as a plain scalar, even if YAML does not. */
export const readLooseLine = (text: string, at: number): LooseScalar =>
  verbatimScalar(text, { at, end: restOfLine(text, at, false), flow: false });

export interface DecodedPosition {
  /** The decoded text; for a cursor after its end, with the white space in between. */
  readonly text: string;
  readonly offset: number;
}

/** Returns the decoded offset of a cursor that is in a scalar or directly after it. */
export const decodedPosition = ({ text, map, style }: LooseScalar, at: number): DecodedPosition => {
  const last = map.pieces.at(-1);
  const end = last === undefined ? at : last.file + last.fileLength;
  const isBlock = style === 'literal' || style === 'folded';
  if (at > end) {
    const gap = isBlock && !text.endsWith('\n') ? '\n' : ' ';
    return { text: text + gap, offset: text.length + 1 };
  }
  // Inside white space that decodes to a single line break, the cursor is after the break.
  const piece = map.pieces.find(({ file, fileLength }) => at > file && at < file + fileLength);
  if (piece !== undefined && piece.decodedLength !== piece.fileLength)
    return { text, offset: piece.decoded + piece.decodedLength };
  return { text, offset: toDecodedOffset(map, at) ?? text.length };
};

const readLooseQuoted = (
  text: string,
  at: number,
  { indent, flow }: LooseScalarContext,
): LooseScalar => {
  const quote = text[at] ?? '';
  const style = quote === "'" ? 'single' : 'double';
  const lineEnd = endOfLine(text, at);
  const closing = closingQuote(text, at, quote);
  const closed = closing !== undefined && isOneScalar(text, { at, closing, indent, flow });
  const end = closed ? closing : lineEnd;
  const written = text.slice(at, end) + quote;
  const cursor = cursorAt(written);
  const content = attempt(() => scanQuoted(cursor, cursor.mark())) ?? {
    style,
    text: text.slice(at + 1, end),
    map: verbatimMap(1, end - at - 1),
  };
  return {
    ...shiftContent(content, at),
    span: span(at, closed ? closing + 1 : lineEnd),
    closed,
    flow,
  };
};

/** Returns the offset of the closing quote, skipping escapes. */
const closingQuote = (text: string, at: number, quote: string): number | undefined => {
  for (let index = at + 1; index < text.length; index += 1) {
    if (quote === '"' && text[index] === '\\') index += 1;
    else if (text[index] === quote) {
      if (quote === '"' || text[index + 1] !== "'") return index;
      index += 1;
    }
  }
  return undefined;
};

/**
 * Returns false if a later line looks like a key or item: the quote there may open another string.
 */
const isOneScalar = (
  text: string,
  quoted: LooseScalarContext & { readonly at: number; readonly closing: number },
): boolean => {
  const lines = text.slice(quoted.at, quoted.closing).split('\n').slice(1);
  return lines.every(
    (line) =>
      line.trim() === '' ||
      (!/^\s*(?:- \s*)?[\w"']+:(?:\s|$)/.test(`${line} `) &&
        !/^\s*- /.test(line) &&
        (quoted.flow || indentOf(line) > quoted.indent)),
  );
};

const readLooseBlock = (text: string, at: number, { indent }: LooseScalarContext): LooseScalar => {
  const end = endOfRegion(text, at, indent);
  const written = text.slice(at, end);
  const content = attempt(() => scanBlock(cursorAt(written), indent, () => {}).content) ?? {
    style: text[at] === '|' ? ('literal' as const) : ('folded' as const),
    text: '',
    map: verbatimMap(endOfLine(written, 0), 0),
  };
  return { ...shiftContent(content, at), span: span(at, end), closed: true, flow: false };
};

const readLoosePlain = (
  text: string,
  at: number,
  { indent, flow }: LooseScalarContext,
): LooseScalar => {
  const region = flow ? endOfLine(text, at) : endOfRegion(text, at, indent);
  const written = text.slice(at, region);
  const cursor = cursorAt(written);
  const scanned = attempt(() => scanPlain(cursor, cursor.mark(), { indent, flow }));
  const length = scanned?.token.end ?? 0;
  const rest = restOfLine(text, at + length, flow);
  const content = scanned?.token.scalar;
  if (content === undefined || rest > at + length)
    return verbatimScalar(text, { at, end: rest, flow });
  return {
    ...shiftContent(content, at),
    span: span(at, at + length),
    closed: true,
    flow,
  };
};

const verbatimScalar = (
  text: string,
  { at, end, flow }: { readonly at: number; readonly end: number; readonly flow: boolean },
): LooseScalar => ({
  style: 'plain',
  text: text.slice(at, end),
  map: verbatimMap(at, end - at),
  span: span(at, end),
  closed: true,
  flow,
});

/** Returns the end of a plain scalar whose line continues with text that YAML reads differently. */
const restOfLine = (text: string, from: number, flow: boolean): number => {
  const line = text.slice(from, endOfLine(text, from));
  if (flow && /^\s*[,\]}]/.test(line)) return from;
  const comment = /(?:^|\s)#/.exec(line);
  const written = (comment === null ? line : line.slice(0, comment.index)).trimEnd();
  return from + written.length;
};

/** Returns the end of the last line that is indented more deeply than the key, or empty. */
const endOfRegion = (text: string, at: number, indent: number): number => {
  let end = endOfLine(text, at);
  while (end < text.length) {
    const start = text[end] === '\r' ? end + 2 : end + 1;
    const next = endOfLine(text, start);
    const line = text.slice(start, next);
    if (line.trim() !== '' && (indentOf(line) <= indent || /^(?:---|\.\.\.)(?:\s|$)/.test(line)))
      break;
    end = next;
    if (next >= text.length) break;
  }
  return end;
};

const endOfLine = (text: string, from: number): number => {
  const at = text.indexOf('\n', from);
  if (at === -1) return text.length;
  return at > from && text[at - 1] === '\r' ? at - 1 : at;
};

const indentOf = (line: string): number => /^ */.exec(line)?.[0].length ?? 0;

const cursorAt = (written: string): TextCursor => new TextCursor(written);

const shiftContent = (content: ScalarContent, by: number): ScalarContent => ({
  ...content,
  map: shiftMap(content.map, by),
});

const attempt = <Result>(read: () => Result): Result | undefined => {
  try {
    return read();
  } catch (problem) {
    // The diagnostics contain the loader's error.
    if (problem instanceof YamlError) return undefined;
    throw problem;
  }
};
