/** The effect of edits as a unified diff, in the format of `git diff`. Takes linear time. */
import { sourceFile } from './source-file.ts';
import { applyEdits, type TextEdit } from './text-edit.ts';

/** Returns the diff without its file names; empty if the edits change nothing. */
export const unifiedDiff = (text: string, edits: readonly TextEdit[]): string => {
  const changes = changedLines(text, edits);
  const lines = linesOf(text);
  let shift = 0;
  return hunksOf(changes)
    .map((hunk) => {
      const written = hunkText(lines, hunk, shift);
      shift += written.growth;
      return written.text;
    })
    .join('');
};

/** Lines that are replaced by others. */
interface LineChange {
  /** The first line that is replaced, counted from zero. */
  readonly start: number;
  /** The line after the last one. */
  readonly end: number;
  readonly added: readonly string[];
}

/** Lines of context around a change. */
const contextLines = 3;

/** Splits a text into its lines, which include their line ends. */
const linesOf = (text: string): readonly string[] => (text === '' ? [] : text.split(/(?<=\n)/));

/** Returns the changes in order; edits on the same line are one change. */
const changedLines = (text: string, edits: readonly TextEdit[]): readonly LineChange[] => {
  const file = sourceFile('', text);
  const groups: { start: number; end: number; edits: TextEdit[] }[] = [];
  for (const edit of edits.toSorted((a, b) => a.span.start - b.span.start)) {
    const start = file.positionAt(edit.span.start).line;
    const end = file.positionAt(edit.span.end).line + 1;
    const last = groups.at(-1);
    if (last === undefined || start >= last.end) groups.push({ start, end, edits: [edit] });
    else {
      last.end = Math.max(last.end, end);
      last.edits.push(edit);
    }
  }
  return groups.flatMap((group) => {
    const from = file.offsetAt({ line: group.start, column: 0 });
    const to =
      group.end >= file.lineCount ? text.length : file.offsetAt({ line: group.end, column: 0 });
    const own = group.edits.map(({ span, newText }) => ({
      span: { start: span.start - from, end: span.end - from },
      newText,
    }));
    const before = text.slice(from, to);
    return differences(linesOf(before), linesOf(applyEdits(before, own)), group.start);
  });
};

/** Returns what differs: line by line if there are as many lines, otherwise without equal ends. */
const differences = (
  before: readonly string[],
  after: readonly string[],
  start: number,
): readonly LineChange[] => {
  if (before.length === after.length) return changedRuns(before, after, start);
  let first = 0;
  while (first < Math.min(before.length, after.length) && before[first] === after[first])
    first += 1;
  let last = 0;
  const most = Math.min(before.length, after.length) - first;
  while (last < most && before.at(-1 - last) === after.at(-1 - last)) last += 1;
  return [
    {
      start: start + first,
      end: start + before.length - last,
      added: after.slice(first, after.length - last),
    },
  ];
};

/** Compares lists of the same length; adjacent lines that differ are one change. */
const changedRuns = (
  before: readonly string[],
  after: readonly string[],
  start: number,
): readonly LineChange[] => {
  const runs: { start: number; end: number; added: string[] }[] = [];
  for (const [index, line] of after.entries()) {
    if (line === before[index]) continue;
    const at = start + index;
    const last = runs.at(-1);
    if (last?.end !== at) runs.push({ start: at, end: at + 1, added: [line] });
    else {
      last.end = at + 1;
      last.added.push(line);
    }
  }
  return runs;
};

/** Groups changes whose context meets. */
const hunksOf = (changes: readonly LineChange[]): readonly (readonly LineChange[])[] => {
  const hunks: LineChange[][] = [];
  for (const change of changes) {
    const hunk = hunks.at(-1);
    const previous = hunk?.at(-1);
    if (
      hunk !== undefined &&
      previous !== undefined &&
      change.start <= previous.end + 2 * contextLines
    )
      hunk.push(change);
    else hunks.push([change]);
  }
  return hunks;
};

/** `shift` is the number of lines that earlier hunks added. */
const hunkText = (
  lines: readonly string[],
  hunk: readonly LineChange[],
  shift: number,
): { readonly text: string; readonly growth: number } => {
  const start = Math.max(0, (hunk[0]?.start ?? 0) - contextLines);
  const end = Math.min(lines.length, (hunk.at(-1)?.end ?? 0) + contextLines);
  const body: string[] = [];
  let at = start;
  let growth = 0;
  for (const change of hunk) {
    body.push(...marked(' ', lines.slice(at, change.start)));
    body.push(...marked('-', lines.slice(change.start, change.end)));
    body.push(...marked('+', change.added));
    at = change.end;
    growth += change.added.length - (change.end - change.start);
  }
  body.push(...marked(' ', lines.slice(at, end)));
  const oldRange = rangeText(start, end - start);
  const newRange = rangeText(start + shift, end - start + growth);
  return { text: `@@ -${oldRange} +${newRange} @@\n${body.join('')}`, growth };
};

const marked = (mark: string, lines: readonly string[]): readonly string[] =>
  lines.map((line) =>
    line.endsWith('\n') ? `${mark}${line}` : `${mark}${line}\n\\ No newline at end of file\n`,
  );

/** An empty range names the line before it. */
const rangeText = (start: number, count: number): string =>
  `${count === 0 ? start : start + 1},${count}`;
