/** Bytes that are no UTF-8, in the real loader's words. */
import { describe, expect, test } from 'vitest';
import { readBytes } from '../../../engine/src/documents/read-bytes.ts';

const bytesOf = (text: string, ...octets: readonly number[]): Uint8Array =>
  new Uint8Array([...new TextEncoder().encode(text), ...octets, 0x0a]);

describe.each<[string, readonly number[], string]>([
  ['a lone trailing octet', [0x80], 'invalid leading UTF-8 octet'],
  ['an octet that starts nothing', [0xff], 'invalid leading UTF-8 octet'],
  ['Latin-1', [0xe9, 0x20, 0x20], 'invalid trailing UTF-8 octet'],
  ['a cut sequence before the end of the line', [0xc3], 'invalid trailing UTF-8 octet'],
  ['a cut sequence at the end', [0xf0], 'incomplete UTF-8 octet sequence'],
  ['a long form', [0xc0, 0xaf], 'invalid length of a UTF-8 sequence'],
  ['a surrogate', [0xed, 0xa0, 0x80], 'invalid Unicode character'],
  ['beyond Unicode', [0xf5, 0x80, 0x80, 0x80], 'invalid Unicode character'],
])('%s', (_, octets, problem) => {
  test('is refused at its place', () => {
    const reading = readBytes(bytesOf('é: 😀', ...octets));
    expect(reading).toMatchObject({
      kind: 'broken',
      diagnostic: { code: 'AG1001', message: `yaml: ${problem}`, span: { start: 5, end: 6 } },
    });
  });
});

test('text keeps its byte order mark', () => {
  expect(readBytes(bytesOf('\ufeffa: 😀é'))).toEqual({ kind: 'text', text: '\ufeffa: 😀é\n' });
});

test('both judges agree on every pair of bytes', () => {
  for (let first = 0; first < 256; first += 1)
    for (let second = 0; second < 256; second += 1) {
      const bytes = new Uint8Array([first, second]);
      const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
      expect(readBytes(bytes).kind).toBe(text.includes('\ufffd') ? 'broken' : 'text');
    }
});
