/** The console blocks of README.md and docs/ show what their commands print today. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { consolePages, withCurrentOutput } from '../../.ci/pages/console-blocks.ts';

test.each(consolePages())('%s: npm run -s docs changes nothing', async (path) => {
  const text = readFileSync(join(import.meta.dirname, '../..', path), 'utf8');
  expect(await withCurrentOutput(path)).toBe(text);
});
