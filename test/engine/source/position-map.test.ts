import { expect, test } from 'vitest';
import {
  type PositionMap,
  toDecodedOffset,
  toFileOffset,
  toFileSpan,
  verbatimMap,
} from '../../../engine/src/source/position-map.ts';
import { span } from '../../../engine/src/source/span.ts';

// The file contains "a\nb" in double quotes at offset 10, so the escape has two characters for one.
const escaped: PositionMap = {
  pieces: [
    { decoded: 0, decodedLength: 1, file: 11, fileLength: 1 },
    { decoded: 1, decodedLength: 1, file: 12, fileLength: 2 },
    { decoded: 2, decodedLength: 1, file: 14, fileLength: 1 },
  ],
};

test('maps a plain string by offset', () => {
  expect(toFileSpan(verbatimMap(5, 10), span(2, 4))).toEqual(span(7, 9));
});

test('maps an escape as a whole', () => {
  expect(toFileSpan(escaped, span(1, 2))).toEqual(span(12, 14));
  expect(toFileSpan(escaped, span(0, 3))).toEqual(span(11, 15));
  expect(toFileOffset(escaped, 3)).toBe(15);
});

test('maps file offsets back', () => {
  expect(toDecodedOffset(escaped, 14)).toBe(2);
  expect(toDecodedOffset(escaped, 13)).toBe(1);
  expect(toDecodedOffset(verbatimMap(5, 3), 20)).toBeUndefined();
});
