/** Searches for long parts give the same results as the engine's own search, which is quadratic. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findFirst, findLast, splitBy } from '../../../engine/src/formats/text-search.ts';

/** A small alphabet, so that long parts occur, overlap and repeat. */
const letters = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom('a', 'a', 'a', 'b'), minLength, maxLength });
const part = fc.oneof(
  letters(1, 60),
  fc.tuple(letters(1, 3), fc.nat(40)).map(([unit, times]) => unit.repeat(times + 1)),
);
const text = fc
  .tuple(part, fc.array(fc.oneof(part, letters(0, 5)), { maxLength: 8 }))
  .map(([first, others]) => [others.map((other) => other + first).join(''), first] as const);

test('gives the same results as indexOf, lastIndexOf and split', () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 0, max: 300 }), ([whole, sought], from) => {
      expect(findFirst(whole, sought)).toBe(whole.indexOf(sought));
      expect(findFirst(whole, sought, from)).toBe(whole.indexOf(sought, from));
      expect(findLast(whole, sought)).toBe(whole.lastIndexOf(sought));
      expect(findLast(whole, sought, from)).toBe(whole.lastIndexOf(sought, from));
      expect(splitBy(whole, sought)).toEqual(whole.split(sought));
    }),
    { numRuns: 500 },
  );
});

test('takes linear time for a long part that almost occurs everywhere', () => {
  const whole = 'a'.repeat(200_000);
  expect(findFirst(whole, `b${'a'.repeat(100_000)}`)).toBe(-1);
  expect(findLast(whole, `${'a'.repeat(100_000)}b`)).toBe(-1);
  expect(findLast(whole, 'a'.repeat(100_000))).toBe(100_000);
});
