/** Pieces of a body, put together. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { GatheredBytes } from '../../engine/src/server/http/gathered-bytes.ts';

const gather = (pieces: readonly Buffer[]) => {
  const gathered = new GatheredBytes();
  for (const piece of pieces) gathered.add(piece);
  return gathered;
};

test('one piece is what comes out', () => {
  const piece = Buffer.from(new TextEncoder().encode('whole').buffer);
  expect(gather([piece]).bytes().buffer).toBe(piece.buffer);
  expect(gather([]).bytes()).toHaveLength(0);
});

test('all pieces in their order, and none of them is written to', () => {
  const pieces = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 60 });
  fc.assert(
    fc.property(pieces, (some) => {
      // As pieces of one read lie beside each other.
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

test('a body of single bytes needs about twice its room', () => {
  const gathered = new GatheredBytes();
  const byte = Buffer.from('x');
  for (let count = 0; count < 100_000; count += 1) gathered.add(byte);
  expect(gathered.bytes()).toHaveLength(100_000);
  expect(gathered.bytes().buffer.byteLength).toBeLessThanOrEqual(200_000);
});
