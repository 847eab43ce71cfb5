/** `bothEnds` shortens untrusted text in the middle. */
import { expect, test } from 'vitest';
import { bothEnds } from '../../../engine/src/simulate/preview/headline.ts';

test.each([
  ['short', 8, 'short'],
  ['exactly8', 8, 'exactly8'],
  ['mallory@corp.example', 11, 'mallo…ample'],
  // An escape sequence is complete or omitted.
  ['abc\\u202edefghijklmnop', 11, 'abc…lmnop'],
  ['abcdefghijkl\\u202exyz', 11, 'abcde…xyz'],
  ['abcdefghij\\\\u202exyz', 14, 'abcdefg…02exyz'],
  ['two\n lines', 20, 'two lines'],
  ['\u{1f600}\u{1f601}\u{1f602}\u{1f603}\u{1f604}', 4, '\u{1f600}\u{1f601}…\u{1f604}'],
  ['a\u202eb', 8, 'a\ufffdb'],
])('shortens %j to at most %i characters', (text, most, expected) => {
  expect(bothEnds(text, most)).toBe(expected);
});

test('shortens a text of two million characters', () => {
  expect(bothEnds(`${'a'.repeat(1e6)}${'z'.repeat(1e6)}`, 9)).toBe('aaaa…zzzz');
});
