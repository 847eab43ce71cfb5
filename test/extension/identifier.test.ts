/** Long identifiers of whoami wrap between their parts. */
import { expect, test } from 'vitest';
import { partsOf } from '../../extension/src/pages/identifier-parts.ts';

test.each([
  ['ada', ['ada']],
  ['', ['']],
  ['entra:0f1e2d3c-0001-4c1c', ['entra:', '0f1e2d3c-0001-4c1c']],
  ['https://login.example.com/r#ada', ['https://', 'login.example.com/', 'r#ada']],
  ['a@b:', ['a@', 'b:']],
  ['::', ['::']],
])('%s wraps after its separators', (text, parts) => {
  expect(partsOf(text)).toEqual(parts);
});

test('an identifier of many parts becomes few elements, and loses nothing', () => {
  const text = 'a:'.repeat(100_000);
  const parts = partsOf(text);
  expect(parts).toHaveLength(24);
  expect(parts.join('')).toBe(text);
});
