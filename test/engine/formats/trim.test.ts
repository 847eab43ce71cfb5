import { expect, test } from 'vitest';
import { anyOf, isSlash, trim, trimEnd, trimStart } from '../../../engine/src/formats/trim.ts';

test.each([
  ['', '', '', ''],
  ['///', '', '', ''],
  ['/a//b/', 'a//b/', '/a//b', 'a//b'],
  ['a', 'a', 'a', 'a'],
])('trims %j', (text, start, end, both) => {
  expect(trimStart(text, isSlash)).toBe(start);
  expect(trimEnd(text, isSlash)).toBe(end);
  expect(trim(text, isSlash)).toBe(both);
});

test('trims each of several characters', () => {
  expect(trim(' \t a \t', anyOf(' \t'))).toBe('a');
});
