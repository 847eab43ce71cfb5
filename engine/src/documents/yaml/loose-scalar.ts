/**
 * One scalar of a text that may be half written, read where it begins: what its letters mean and where
 * each stands. What the loader would refuse is read as far as a person would read it, so that an editor
 * can complete inside an open quote. Nothing is ever compiled from it.
 */
import { type PositionMap, toDecodedOffset, verbatimMap } from '../../source/position-map.ts';
import { type Span, span } from '../../source/span.ts';
import type { ScalarStyle } from './document.ts';
import { scanBlock } from './scan-block.ts';
import { scanPlain } from './scan-plain.ts';
import { scanQuoted } from './scan-quoted.ts';
import { TextCursor, YamlError } from './text-cursor.ts';
import type { ScalarContent } from './token.ts';

/** A scalar of a text that may be half-written. */
export interface LooseScalar {
  readonly style: ScalarStyle;
  readonly text: string;
  readonly map: PositionMap;
  /** With its quotes or its header. */
  readonly span: Span;
  /** False for a quote that nothing closes. */
  readonly closed: boolean;
  /** Inside brackets, where a plain text ends at a comma or a bracket. */
  readonly flow: boolean;
}

export interface LooseScalarContext {
  /** Column of the key or dash that it belongs to: lines of its own stand further right. */
  readonly indent: number;
  readonly flow: boolean;
}

/** Reads the scalar that begins at the offset; an empty one where nothing stands. Never throws. */
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

/** The rest of the line as one plain text, whatever YAML makes of it. */
export const readLooseLine = (text: string, at: number): LooseScalar =>
  verbatimScalar(text, { at, end: restOfLine(text, at, false), flow: false });

export interface DecodedPosition {
  /** The decoded text; behind its end with the white space that a cursor there has passed. */
  readonly text: string;
  readonly offset: number;
}

/** The decoded offset of a cursor that stands in or directly behind a scalar. */
export const decodedPosition = ({ text, map, style }: LooseScalar, at: number): DecodedPosition => {
  const last = map.pieces.at(-1);
  const end = last === undefined ? at : last.file + last.fileLength;
  const isBlock = style === 'literal' || style === 'folded';
  if (at > end) {
    const gap = isBlock && !text.endsWith('\n') ? '\n' : ' ';
    return { text: text + gap, offset: text.length + 1 };
  }
  // Inside white space that reads as one break, the cursor stands behind that break.
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
  const content = attempt(() => scanQuoted(cursorAt(written))) ?? {
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

/** The quote that ends the text, escapes passed over. */
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

/** A quote on a later line may open the next text: lines that look like keys or entries are not swallowed. */
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
  const found = attempt(() => scanPlain(cursorAt(written), { indent, flow }));
  const length = found?.end.offset ?? 0;
  const rest = restOfLine(text, at + length, flow);
  if (found === undefined || rest > at + length)
    return verbatimScalar(text, { at, end: rest, flow });
  return {
    ...shiftContent(found.content, at),
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

/** Where a plain text ends whose line goes on with something that YAML takes for something else. */
const restOfLine = (text: string, from: number, flow: boolean): number => {
  const line = text.slice(from, endOfLine(text, from));
  if (flow && /^\s*[,\]}]/.test(line)) return from;
  const comment = /(?:^|\s)#/.exec(line);
  const written = (comment === null ? line : line.slice(0, comment.index)).trimEnd();
  return from + written.length;
};

/** Behind the last line that stands further right than the key; empty lines count. */
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

const shiftContent = (
  { style, text, map }: ScalarContent,
  by: number,
): Pick<LooseScalar, 'style' | 'text' | 'map'> => ({
  style,
  text,
  map: { pieces: map.pieces.map((piece) => ({ ...piece, file: piece.file + by })) },
});

const attempt = <Result>(read: () => Result): Result | undefined => {
  try {
    return read();
  } catch (problem) {
    // What the loader would say about it stands in the diagnostics.
    if (problem instanceof YamlError) return undefined;
    throw problem;
  }
};
