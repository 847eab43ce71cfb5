import fc from 'fast-check';
import { expect, test } from 'vitest';
import { textChecksum } from '../../../engine/src/formats/checksum.ts';

test.each([
  ['', '0000000000000000'],
  ['a', '2c15e5f100000000'],
  ['abcdefgh', 'b1034b24e4aa2158'],
  ['Jürgen Müller, 東京', '8dd225445ad8d71a'],
])('computes the checksum of %j', (text, sum) => {
  expect(textChecksum(text)).toBe(sum);
});

test('has sixteen digits', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(textChecksum(text)).toMatch(/^[0-9a-f]{16}$/);
    }),
  );
});

test('detects every change of one character', () => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 1, maxLength: 60 }),
      fc.nat(),
      fc.string({ minLength: 1, maxLength: 1 }),
      (text, place, letter) => {
        const at = place % text.length;
        const changed = text.slice(0, at) + letter + text.slice(at + 1);
        expect(textChecksum(changed) === textChecksum(text)).toBe(changed === text);
      },
    ),
  );
});

test.each([
  ['swapped groups', 'aaaabbbbccccdddd', 'ccccbbbbaaaadddd'],
  ['swapped halves', 'aaaabbbbccccdddd', 'bbbbaaaaddddcccc'],
  ['two changes of the same bit', 'aaaabbbbaaaabbbb', 'qaaabbbbqaaabbbb'],
  ['a longer string', 'aaaabbbb', 'aaaabbbb\0'],
  ['a shorter string', 'aaaabbbbcc', 'aaaabbbb'],
])('detects %s', (_, before, after) => {
  expect(textChecksum(after)).not.toBe(textChecksum(before));
});
