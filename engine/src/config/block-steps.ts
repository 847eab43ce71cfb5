/** Finds what encloses a position in block layout, and what is next to it, line by line. */
import { readLooseScalar } from '../documents/yaml/loose-scalar.ts';
import type { SourceFile } from '../source/source-file.ts';
import { type BlockLine, indentOfLine, readLine } from './block-lines.ts';

/** A key, list item or text that encloses the cursor in block layout. */
export type Step =
  | { readonly kind: 'key'; readonly line: BlockLine; readonly column: number }
  | { readonly kind: 'dash'; readonly line: BlockLine; readonly column: number; index: number }
  /** A line that is neither a key nor a list item, for example part of a multi-line string. */
  | { readonly kind: 'text' };

/** Collects what encloses a column, walking up from a line. */
export const collectSteps = (
  source: SourceFile,
  start: { readonly from: number; readonly limit: number; readonly steps: Step[] },
): void => {
  const { steps } = start;
  let { limit } = start;
  for (let at = start.from; at >= 0; at -= 1) {
    const outermost = steps.at(-1);
    const inList = outermost?.kind === 'dash';
    if (limit === 0 && !inList) return;
    const indent = indentOfLine(source, at);
    if (indent === undefined || indent > limit) continue;
    const line = readLine(source, at);
    if (/^(?:---|\.\.\.)(?:\s|$)/.test(line.text)) return;
    const isKey = line.key !== undefined;
    const opens =
      line.content < limit ||
      (inList && isKey && line.content === limit && line.dashes.length === 0);
    if (opens && !(line.dashes.length > 0 && line.isEmpty)) {
      steps.push(isKey ? { kind: 'key', line, column: line.content } : { kind: 'text' });
      limit = line.content;
    }
    for (const dash of line.dashes.toReversed()) {
      const list = steps.at(-1);
      if (list?.kind === 'dash' && list.column === dash && list.line !== line) list.index += 1;
      else if (dash < limit) {
        steps.push({ kind: 'dash', line, column: dash, index: 0 });
        limit = dash;
      }
    }
  }
};

/** Returns the other values of the same struct by name, or those of the same list. */
export const siblingsOf = (source: SourceFile, step: Step): ReadonlyMap<string, string> => {
  const found = new Map<string, string>();
  if (step.kind === 'text') return found;
  const { column } = step;
  const stringAt = (at: number): string =>
    readLooseScalar(source.text, at, { indent: column, flow: false }).text;
  for (const line of linesAt(source, step.line.line, column)) {
    if (line.line === step.line.line) continue;
    if (step.kind === 'key') {
      const key = line.content === column ? line.key : undefined;
      if (key !== undefined) found.set(key.name, stringAt(key.value));
    } else if (line.dashes.includes(column))
      found.set(`[${found.size}]`, stringAt(line.start + line.content));
  }
  return found;
};

/** Yields the lines of the block around a line that have content in a column. */
export function* linesAt(
  source: SourceFile,
  centerLine: number,
  column: number,
): Generator<BlockLine> {
  for (let at = centerLine; at >= 0; at -= 1) {
    const indent = indentOfLine(source, at);
    if (indent === undefined || indent > column) continue;
    const line = readLine(source, at);
    if (/^(?:---|\.\.\.)(?:\s|$)/.test(line.text)) break;
    if (indent === column || line.content === column) yield line;
    if (indent < column) break;
  }
  for (let at = centerLine + 1; at < source.lineCount; at += 1) {
    const indent = indentOfLine(source, at);
    if (indent === undefined || indent > column) continue;
    if (indent < column) break;
    const line = readLine(source, at);
    if (/^(?:---|\.\.\.)(?:\s|$)/.test(line.text)) break;
    yield line;
  }
}

/** Returns true if a key or dash in this column lines up with those that exist. */
export const fitsColumn = (source: SourceFile, last: Step | undefined, column: number): boolean => {
  if (last === undefined) return column === 0;
  if (last.kind === 'text') return false;
  if (last.kind === 'dash' && (last.line.key !== undefined || !last.line.isEmpty))
    return last.line.content === column;
  for (let at = last.line.line + 1; at < source.lineCount; at += 1) {
    const indent = indentOfLine(source, at);
    if (indent === undefined) continue;
    const isList = last.kind === 'key' && /^-(?:\s|$)/.test(source.lineText(at).slice(indent));
    if (indent < last.column || (indent === last.column && !isList)) return true;
    return indent === column;
  }
  return true;
};
