import { expect, test } from 'vitest';
import { trimSpace, trimSpaceOfLatin1 } from '../../../engine/src/formats/go-space.ts';
import { encodeUtf8 } from '../../../engine/src/formats/utf8.ts';

const latin1 = (text: string) => String.fromCharCode(...encodeUtf8(text));

test.each([
  ['', ''],
  [' ', ''],
  ['a', 'a'],
  ['\t\n\v\f\r a b\u0085\u00a0', 'a b'],
  ['\u1680\u2000\u200aa\u2028\u2029\u202f\u205f\u3000', 'a'],
  ['\ufeffa\u200b', '\ufeffa\u200b'],
  ['ä', 'ä'],
])('trims %j', (text, trimmed) => {
  expect(trimSpace(text)).toBe(trimmed);
  expect(trimSpaceOfLatin1(latin1(text))).toBe(latin1(trimmed));
});

test('does not trim a part of a multi-byte space', () => {
  expect(trimSpaceOfLatin1('a\u00a0')).toBe('a\u00a0');
  expect(trimSpaceOfLatin1('\u0085a')).toBe('\u0085a');
});

test('takes linear time for many spaces inside', () => {
  const text = `a${' '.repeat(2_000_000)}b`;
  expect(trimSpace(` ${text} `)).toBe(text);
  expect(trimSpaceOfLatin1(` ${text} `)).toBe(text);
});
