import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { linesOf } from '../support/lines-of.ts';

const read = async (...chunks: readonly Uint8Array[]) => {
  const lines: string[] = [];
  for await (const line of linesOf(Readable.from(chunks))) lines.push(line);
  return lines;
};

test('ends lines only at LF, independently of the chunks', async () => {
  const text = '{"a":"\u2028\u2029\u0085"}\n\n{"b":"ä😀"}\r\nlast';
  const bytes = new TextEncoder().encode(text);
  const lines = text.split('\n');
  expect(await read(bytes)).toEqual(lines);
  expect(await read(...Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(lines);
  expect(await read(new TextEncoder().encode('a\n'))).toEqual(['a']);
});
