import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sourceFile } from '../../../engine/src/source/source-file.ts';

test('converts every offset to a position and back', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', '\n', '\r\n', '😀')), fc.nat(30), (parts, at) => {
      const file = sourceFile('x', parts.join(''));
      const offset = Math.min(at, file.text.length);
      expect(file.offsetAt(file.positionAt(offset))).toBe(offset);
    }),
  );
});

test('returns lines without their line ends', () => {
  const file = sourceFile('x', 'one\r\ntwo\n');
  expect([file.lineText(0), file.lineText(1), file.lineText(2)]).toEqual(['one', 'two', '']);
  expect(file.lineCount).toBe(3);
});
