/**
 * The directed tests of the access difference catch every defect that is planted in the construction of its classes: one
 * for each construct and each kind of value.
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

interface DefectResult {
  readonly defect: string;
  /** The directed tests that fail without the defect. */
  readonly failing: readonly string[];
  /** The directed tests that pass in spite of the defect. */
  readonly survived: readonly string[];
}

test('each planted defect is caught by its directed tests', () => {
  const program = join(import.meta.dirname, 'planted-defects/run.ts');
  const args = ['--conditions=source', '--no-warnings', program];
  const lines = execFileSync(process.execPath, args, { encoding: 'utf8' }).trim().split('\n');
  const results = lines.map((line): DefectResult => JSON.parse(line));
  expect(results.length).toBeGreaterThan(150);
  const missed = results.filter(({ failing, survived }) => failing.length + survived.length > 0);
  expect(missed).toEqual([]);
});
