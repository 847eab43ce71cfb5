/** docs/faults.md has a row for each fault of the plan, and each row names existing tests. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/faults.md'), 'utf8');
const rows = [...page.matchAll(/^\| (F-\d+) \|(.*)$/gm)].map(([, id = '', cells = '']) => ({
  id,
  cells: cells.split('|').map((cell) => cell.trim()),
  tests: [...cells.matchAll(/`(test\/[\w./-]+\.test\.ts)`/g)].map(([, path = '']) => path),
}));

test('the rows are F-1 to F-20', () => {
  expect(rows.map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, at) => `F-${at + 1}`));
});

test.each(rows.map((row) => [row.id, row] as const))('%s has its tests', (id, { cells, tests }) => {
  expect(tests.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  const [first = ''] = tests;
  expect(first).toMatch(/^test\/faults\//);
  expect(readFileSync(join(root, first), 'utf8')).toMatch(new RegExp(`\\b${id}\\b`));
  // Fault, tests, limit, figure.
  expect(cells.slice(0, 4).every((cell) => cell !== '')).toBe(true);
});
