/** Concatenation of the pieces of a body. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { GatheredBytes } from '../../../engine/src/server/http/gathered-bytes.ts';

const gather = (pieces: readonly Buffer[]) => {
  const gathered = new GatheredBytes();
  for (const piece of pieces) gathered.add(piece);
  return gathered;
};

test('returns a single piece without copying it', () => {
  const piece = Buffer.from(new TextEncoder().encode('whole').buffer);
  expect(gather([piece]).bytes().buffer).toBe(piece.buffer);
  expect(gather([]).bytes()).toHaveLength(0);
});

test('concatenates all pieces in order and modifies none of them', () => {
  const pieces = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 60 });
  fc.assert(
    fc.property(pieces, (some) => {
      // Adjacent, as the pieces of one read are.
      const whole = Buffer.concat(some);
      const read = Buffer.from(whole);
      let start = 0;
      const views = some.map(({ length }) => {
        start += length;
        return read.subarray(start - length, start);
      });
      const gathered = gather(views);
      expect(Buffer.from(gathered.bytes())).toEqual(whole);
      expect(gathered.size).toBe(whole.length);
      expect(read).toEqual(whole);
    }),
    { seed: 9113, numRuns: 200 },
  );
});

test('needs about twice the size for a body of single bytes', () => {
  const gathered = new GatheredBytes();
  const byte = Buffer.from('x');
  for (let count = 0; count < 100_000; count += 1) gathered.add(byte);
  expect(gathered.bytes()).toHaveLength(100_000);
  expect(gathered.bytes().buffer.byteLength).toBeLessThanOrEqual(200_000);
});
