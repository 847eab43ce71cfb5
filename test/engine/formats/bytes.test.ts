/** Comparison of bytes, and the orders of bytes and strings. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareBytes, hexOf, sameBytes } from '../../../engine/src/formats/bytes.ts';
import { byCodePoint } from '../../../engine/src/formats/string-order.ts';
import { encodeUtf8 } from '../../../engine/src/formats/utf8.ts';

test('compares bytes like Node.js', () => {
  const few = fc.uint8Array({ min: 0, max: 2, maxLength: 4 });
  fc.assert(
    fc.property(few, few, (left, right) => {
      expect(compareBytes(left, right)).toBe(Buffer.compare(left, right));
      expect(sameBytes(left, right)).toBe(Buffer.compare(left, right) === 0);
    }),
  );
});

test('orders strings by their UTF-8 bytes', () => {
  // As code units, surrogates sort before U+FFFF; as code points, they sort after it.
  expect(['\u{1f600}', '\uffff', '\ue000', 'b', 'a', ''].toSorted(byCodePoint)).toEqual([
    '',
    'a',
    'b',
    '\ue000',
    '\uffff',
    '\u{1f600}',
  ]);
  const text = fc.string({ unit: 'binary', maxLength: 5 });
  fc.assert(
    fc.property(text, text, (left, right) => {
      expect(Math.sign(byCodePoint(left, right))).toBe(
        compareBytes(encodeUtf8(left), encodeUtf8(right)),
      );
    }),
  );
});

test('prints two digits for each byte', () => {
  expect(hexOf(Uint8Array.from([0, 1, 0xab, 0xff]))).toBe('0001abff');
  expect(hexOf(new Uint8Array())).toBe('');
});
