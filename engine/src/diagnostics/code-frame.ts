/**
 * Lines of a source with marks under a span. Long lines are cut to a window around the span; for a
 * long span only the first and last lines are shown.
 */
import { oncePer } from '../source/once.ts';
import { isConfidential, maskSecrets } from '../source/redact-secrets.ts';
import type { SourceFile } from '../source/source-file.ts';
import type { Span } from '../source/span.ts';
import { type Cell, cellsOf } from './printable.ts';

export interface FrameOptions {
  /** Width of the terminal in columns. */
  readonly width: number;
  /** `^` for the place itself, `-` for related places. */
  readonly mark: '^' | '-';
  /** Text after the marks of the last line. */
  readonly label: string;
  /** Colors marks and label; returns its argument if colors are off. */
  readonly paintMark: (text: string) => string;
  /** Colors line numbers and bars. */
  readonly paintGutter: (text: string) => string;
  /** Width of the line numbers, so that several frames line up. */
  readonly numberWidth: number;
}

/** Lines of a span that are shown before the middle is omitted. */
const maxSpanLines = 4;
const minTextWidth = 20;

export const codeFrame = (
  source: SourceFile,
  span: Span,
  options: FrameOptions,
): readonly string[] => {
  const masked = maskedSourceOf(source);
  if (masked.confidential) return [];
  const start = source.positionAt(span.start);
  const end = source.positionAt(Math.max(span.start, span.end));
  // A span that ends at the start of a line does not mark that line.
  const lastLine = end.column === 0 && end.line > start.line ? end.line - 1 : end.line;
  const lineNumbers = shownLines(start.line, lastLine);
  const gutter = (text: string): string => options.paintGutter(text.padStart(options.numberWidth));
  const bar = options.paintGutter('|');
  const lines: string[] = [];
  for (const [index, line] of lineNumbers.entries()) {
    const previous = lineNumbers[index - 1];
    if (previous !== undefined && line > previous + 1) lines.push(`${gutter('…')} ${bar}`);
    const text = masked.maskedLine(line);
    const from = line === start.line ? start.column : firstNonBlank(text);
    const to = line === end.line ? end.column : text.trimEnd().length;
    const row = markedLine(text, from, Math.max(from, to), options);
    lines.push(`${gutter(String(line + 1))} ${bar} ${row.text}`.trimEnd());
    const label = line === lastLine && options.label !== '' ? ` ${options.label}` : '';
    lines.push(`${gutter('')} ${bar} ${row.indent}${options.paintMark(row.marks + label)}`);
  }
  return lines;
};

/**
 * A source without its secrets. The last line is cached, because a hostile file may have a thousand
 * findings in a single line of a megabyte.
 */
interface MaskedSource {
  readonly confidential: boolean;
  maskedLine(line: number): string;
}

const maskedSourceOf = oncePer((source: SourceFile): MaskedSource => {
  let last: { readonly line: number; readonly text: string } | undefined;
  return {
    confidential: isConfidential(source.text),
    maskedLine(line) {
      if (last?.line !== line) last = { line, text: maskSecrets(source.lineText(line)) };
      return last.text;
    },
  };
});

const shownLines = (first: number, last: number): readonly number[] => {
  const count = last - first + 1;
  if (count <= maxSpanLines) return Array.from({ length: count }, (_, index) => first + index);
  return [first, first + 1, last];
};

const firstNonBlank = (text: string): number => text.length - text.trimStart().length;

interface MarkedLine {
  readonly text: string;
  readonly indent: string;
  readonly marks: string;
}

const markedLine = (
  line: string,
  from: number,
  to: number,
  { width, mark, numberWidth }: FrameOptions,
): MarkedLine => {
  const cut = Math.max(0, from - maxContext);
  const excerpt = line.slice(cut, from + 2 * maxContext);
  const cells = cellsOf(excerpt);
  const first = indexOfOffset(cells, from - cut);
  const last = to > from ? indexOfOffset(cells, to - cut) : first;
  const maxWidth = Math.max(minTextWidth, width - numberWidth - 3);
  const window = windowAround(cells, first, last, maxWidth);
  const inside = cells.slice(window.start, window.end);
  const before = cells.slice(window.start, Math.min(first, window.end));
  const marked = cells.slice(Math.max(first, window.start), Math.min(last, window.end));
  const lead = window.start > 0 || cut > 0 ? '…' : '';
  const tail = window.end < cells.length || cut + excerpt.length < line.length ? '…' : '';
  return {
    text: lead + inside.map((cell) => cell.text).join('') + tail,
    indent: ' '.repeat(lead.length + columns(before)),
    marks: mark.repeat(Math.max(1, columns(marked))),
  };
};

/** Characters before a span that are examined; a line may be as long as the file. */
const maxContext = 1000;

const columns = (cells: readonly Cell[]): number =>
  cells.reduce((sum, cell) => sum + cell.width, 0);

const indexOfOffset = (cells: readonly Cell[], offset: number): number => {
  const after = cells.findIndex((cell) => cell.offset >= offset);
  return after === -1 ? cells.length : after;
};

/** Returns the cells that fit into `maxWidth` columns and include the start of the span. */
const windowAround = (
  cells: readonly Cell[],
  first: number,
  last: number,
  maxWidth: number,
): { readonly start: number; readonly end: number } => {
  if (columns(cells) <= maxWidth) return { start: 0, end: cells.length };
  const usable = maxWidth - 2;
  const spanWidth = Math.min(columns(cells.slice(first, last)), usable);
  let start = first;
  for (let context = Math.floor((usable - spanWidth) / 2); start > 0; start -= 1) {
    context -= cells[start - 1]?.width ?? 1;
    if (context < 0) break;
  }
  let end = start;
  for (let remaining = usable; end < cells.length; end += 1) {
    remaining -= cells[end]?.width ?? 1;
    if (remaining < 0) break;
  }
  return { start, end };
};
