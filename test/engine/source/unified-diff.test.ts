/** The diff of edits, which `git apply` turns into the edited text. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyEdits, type TextEdit } from '../../../engine/src/source/text-edit.ts';
import { unifiedDiff } from '../../../engine/src/source/unified-diff.ts';

const numbered = Array.from({ length: 20 }, (_, at) => `line ${at + 1}\n`).join('');
const replaced = (text: string, old: string, newText: string): TextEdit => {
  const start = text.indexOf(old);
  return { span: { start, end: start + old.length }, newText };
};

test.each<[string, string, readonly TextEdit[], string]>([
  ['no edits', numbered, [], ''],
  ['an edit without effect', numbered, [replaced(numbered, 'line 3', 'line 3')], ''],
  ['one line', 'a\nb\nc\n', [replaced('a\nb\nc\n', 'b', 'x')], '@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n'],
  [
    'no line end',
    'a\nb',
    [replaced('a\nb', 'b', 'b\n')],
    '@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n',
  ],
  ['an empty text', '', [{ span: { start: 0, end: 0 }, newText: 'a\n' }], '@@ -0,0 +1,1 @@\n+a\n'],
  [
    'two hunks',
    numbered,
    [replaced(numbered, 'line 2\n', ''), replaced(numbered, 'line 19', 'x\ny')],
    '@@ -1,5 +1,4 @@\n line 1\n-line 2\n line 3\n line 4\n line 5\n@@ -16,5 +15,6 @@\n line 16\n line 17\n line 18\n-line 19\n+x\n+y\n line 20\n',
  ],
])('%s', (_, text, edits, expected) => {
  expect(unifiedDiff(text, edits)).toBe(expected);
});

/** Applies the hunks to the text. */
const patched = (text: string, diff: string): string => {
  const lines = text === '' ? [] : text.split(/(?<=\n)/);
  const result: string[] = [];
  let at = 0;
  const rows = diff === '' ? [] : diff.split(/(?<=\n)/);
  for (const [index, row] of rows.entries()) {
    const [, start, count] = /^@@ -(\d+),(\d+) /.exec(row) ?? [];
    if (start !== undefined) {
      const first = Number(count) === 0 ? Number(start) : Number(start) - 1;
      result.push(...lines.slice(at, first));
      at = first;
    } else if (!row.startsWith('\\')) {
      const isLast = rows[index + 1]?.startsWith('\\') === true;
      const line = isLast ? row.slice(1, -1) : row.slice(1);
      if (!row.startsWith('+')) expect(lines[at]).toBe(line);
      if (!row.startsWith('-')) result.push(line);
      if (!row.startsWith('+')) at += 1;
    }
  }
  return [...result, ...lines.slice(at)].join('');
};

const chars = fc.array(fc.constantFrom('a', 'b', '\n', '\n', '\r\n', ' '), { maxLength: 60 });
const cases = fc.tuple(
  chars.map((parts) => parts.join('')),
  fc.array(
    fc.tuple(
      fc.nat(60),
      fc.nat(8),
      chars.map((parts) => parts.slice(0, 4).join('')),
    ),
    {
      maxLength: 6,
    },
  ),
);

test('any edits', () => {
  fc.assert(
    fc.property(cases, ([text, chosen]) => {
      const edits: TextEdit[] = [];
      let from = 0;
      for (const [gap, length, newText] of chosen) {
        const start = Math.min(text.length, from + gap);
        const end = Math.min(text.length, start + length);
        edits.push({ span: { start, end }, newText });
        from = end;
      }
      expect(patched(text, unifiedDiff(text, edits))).toBe(applyEdits(text, edits));
    }),
    { numRuns: 2000 },
  );
});

test('git applies it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'authgraph-diff-'));
  try {
    const text = `${numbered}end`;
    const edits = [replaced(text, 'line 4\nline 5', 'x'), replaced(text, 'end', 'end\nmore')];
    writeFileSync(join(folder, 'f'), text);
    const input = `--- a/f\n+++ b/f\n${unifiedDiff(text, edits)}`;
    const { status, stderr } = spawnSync('git', ['apply', '-'], { cwd: folder, input });
    expect([status, String(stderr)]).toEqual([0, '']);
    expect(readFileSync(join(folder, 'f'), 'utf8')).toBe(applyEdits(text, edits));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
