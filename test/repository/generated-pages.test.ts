/** Generated pages match the tables of the code. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { generatedPages } from '../../.ci/pages/pages.ts';

test.each([...generatedPages])('%s is up to date: npm run -s docs', async (path, text) => {
  expect(readFileSync(join(import.meta.dirname, '../..', path), 'utf8')).toBe(await text());
});
