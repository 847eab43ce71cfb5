/**
 * Folding ranges, computed from lines: sections, list entries, block scalars, multi-line brackets
 * and comments. Field names do not matter, so this also serves other documents of the file and
 * incomplete text. Disabled if the settings leave folding to another extension.
 */
import { type FoldingRange, FoldingRangeKind } from 'vscode-languageserver';
import type { Feature } from './feature.ts';

/** Returns the ranges sorted by their first lines. */
const foldingsOf = (text: string): readonly FoldingRange[] => {
  const lines = text.split('\n').map(lineOf);
  return [...sections(lines), ...comments(lines)].sort(
    (a, b) => a.startLine - b.startLine || b.endLine - a.endLine,
  );
};

interface Line {
  readonly kind: 'empty' | 'comment' | 'separator' | 'text';
  /**
   * The nesting depth. List entries may start in the column of their key and are still deeper; text
   * after a dash counts from its own column.
   */
  readonly depth: number;
  /** Columns of further structure on the same line: the text after each dash. */
  readonly inner: readonly number[];
}

const lineOf = (line: string): Line => {
  const content = line.trim();
  const column = line.length - line.trimStart().length;
  if (content === '') return { kind: 'empty', depth: 0, inner: [] };
  if (content.startsWith('#')) return { kind: 'comment', depth: column, inner: [] };
  if (/^(?:---|\.\.\.)(?:\s|$)/.test(line)) return { kind: 'separator', depth: 0, inner: [] };
  const closes = /^[\]}]/.test(content);
  const depths: number[] = [];
  let at = column;
  for (let dash = dashAt(line, at); dash !== undefined; dash = dashAt(line, at)) {
    depths.push(at + dashDepth);
    at += dash;
  }
  depths.push(closes ? at + closingDepth : at);
  const [depth = column, ...inner] = depths;
  return { kind: 'text', depth, inner };
};

/** A dash is deeper than a key in its column, and less deep than the next column. */
const dashDepth = 0.5;
/** A closing bracket belongs to the line that opened it. */
const closingDepth = 0.25;

const dashAt = (line: string, at: number): number | undefined =>
  /^-[ \t]+(?=\S)/.exec(line.slice(at))?.[0].length;

const sections = (lines: readonly Line[]): readonly FoldingRange[] => {
  const endByStart = new Map<number, number>();
  const open: { readonly depth: number; readonly line: number }[] = [];
  let last = 0;
  const close = (depth: number): void => {
    for (let top = open.at(-1); top !== undefined && top.depth >= depth; top = open.at(-1)) {
      open.pop();
      if (last <= top.line) continue;
      // If several ranges start on one line, only the outermost can be folded.
      endByStart.set(top.line, Math.max(last, endByStart.get(top.line) ?? 0));
    }
  };
  lines.forEach(({ kind, depth, inner }, line) => {
    if (kind === 'empty' || kind === 'comment') return;
    close(kind === 'separator' ? 0 : depth);
    if (kind === 'text') {
      for (const each of [depth, ...inner]) open.push({ depth: each, line });
    }
    last = line;
  });
  close(0);
  return [...endByStart].map(([startLine, endLine]) => ({ startLine, endLine }));
};

const comments = (lines: readonly Line[]): readonly FoldingRange[] => {
  const ranges: FoldingRange[] = [];
  let start: number | undefined;
  const close = (end: number): void => {
    if (start !== undefined && end > start) {
      ranges.push({ startLine: start, endLine: end, kind: FoldingRangeKind.Comment });
    }
    start = undefined;
  };
  lines.forEach(({ kind }, line) => {
    if (kind === 'comment') start ??= line;
    else close(line - 1);
  });
  close(lines.length - 1);
  return ranges;
};

export const folding: Feature = {
  capabilities: { foldingRangeProvider: true },
  register(connection, handlers) {
    connection.onFoldingRanges(
      handlers.guarded(({ textDocument: { uri } }) => {
        const { workspace } = handlers;
        // With `null` the client computes its own folding ranges.
        if (!workspace.options.outline || workspace.parts(uri).length === 0) return null;
        return [...foldingsOf(workspace.text(uri) ?? '')];
      }, null),
    );
  },
};
