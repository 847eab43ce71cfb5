/** A page that is made from a table of the code says what the table says. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { madePages } from '../../.ci/pages/pages.ts';

test.each([...madePages])('%s is made anew: npm run -s docs', (path, text) => {
  expect(readFileSync(join(import.meta.dirname, '../..', path), 'utf8')).toBe(text());
});
