/** Bytes that are not UTF-8, with the YAML loader's errors. */
import { describe, expect, test } from 'vitest';
import { readBytes } from '../../../engine/src/documents/yaml/read-bytes.ts';

const bytesOf = (text: string, ...octets: readonly number[]): Uint8Array =>
  new Uint8Array([...new TextEncoder().encode(text), ...octets, 0x0a]);

describe.each<[string, readonly number[], string]>([
  ['a lone trailing octet', [0x80], 'invalid leading UTF-8 octet'],
  ['an octet that starts no sequence', [0xff], 'invalid leading UTF-8 octet'],
  ['Latin-1', [0xe9, 0x20, 0x20], 'invalid trailing UTF-8 octet'],
  ['a truncated sequence before the end of the line', [0xc3], 'invalid trailing UTF-8 octet'],
  ['a truncated sequence at the end', [0xf0], 'incomplete UTF-8 octet sequence'],
  ['an overlong form', [0xc0, 0xaf], 'invalid length of a UTF-8 sequence'],
  ['a surrogate', [0xed, 0xa0, 0x80], 'invalid Unicode character'],
  ['beyond Unicode', [0xf5, 0x80, 0x80, 0x80], 'invalid Unicode character'],
])('%s', (_, octets, problem) => {
  test('is rejected at its position', () => {
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

const wide = (text: string, littleEndian: boolean): number[] =>
  [...`\ufeff${text}`].flatMap((character) =>
    Array.from({ length: character.length }, (_, index) => {
      const unit = character.charCodeAt(index);
      return littleEndian ? [unit & 0xff, unit >> 8] : [unit >> 8, unit & 0xff];
    }).flat(),
  );

describe.each([true, false])('UTF-16 with a byte order mark, little-endian: %s', (little) => {
  test('is decoded', () => {
    const reading = readBytes(new Uint8Array(wide('ä: €😀\n', little)));
    expect(reading).toEqual({ kind: 'text', text: '\ufeffä: €😀\n' });
  });

  test.each<[string, string, number]>([
    ['a: \ud800x', 'expected low surrogate area', 4],
    ['a: \udc00x', 'unexpected low surrogate area', 4],
    ['a: 😀\ud83d', 'incomplete UTF-16 surrogate pair', 6],
  ])('%j is rejected at its position', (text, problem, at) => {
    expect(readBytes(new Uint8Array(wide(text, little)))).toMatchObject({
      kind: 'broken',
      diagnostic: { message: `yaml: ${problem}`, span: { start: at, end: at + 1 } },
    });
  });

  test('half a character is rejected', () => {
    expect(readBytes(new Uint8Array([...wide('a: b', little), 0x0a]))).toMatchObject({
      kind: 'broken',
      diagnostic: { message: 'yaml: incomplete UTF-16 character', span: { start: 5, end: 6 } },
    });
  });
});

test('UTF-16 without a byte order mark is decoded as UTF-8', () => {
  const bytes = new Uint8Array(wide('a: b', true).slice(2));
  expect(readBytes(bytes)).toEqual({ kind: 'text', text: 'a\0:\0 \0b\0' });
});

describe('JSON with invalid bytes is decoded', () => {
  const json = (...octets: readonly number[]): Uint8Array =>
    new Uint8Array(
      [...bytesOf(' {"a":"x'), ...octets, ...bytesOf('y"}')].filter((one) => one !== 0x0a),
    );
  test.each<[string, readonly number[], string]>([
    ['a stray byte', [0xff], '\ufffd'],
    ['a truncated sequence', [0xe2, 0x82], '\ufffd\ufffd'],
    ['an overlong form', [0xc0, 0xaf], '\ufffd\ufffd'],
    ['a surrogate', [0xed, 0xa0, 0x80], '\ufffd\ufffd\ufffd'],
  ])('%s', (_, octets, read) => {
    expect(readBytes(json(...octets))).toEqual({ kind: 'text', text: ` {"a":"x${read}y"}` });
  });
  test('but not after a byte order mark or invalid bytes', () => {
    const mark = [0xef, 0xbb, 0xbf];
    expect(readBytes(new Uint8Array([...mark, ...json(0xff)])).kind).toBe('broken');
    expect(readBytes(new Uint8Array([0x80, ...json()])).kind).toBe('broken');
  });
});

test('the result agrees with TextDecoder for every pair of bytes', () => {
  for (let first = 0; first < 256; first += 1)
    for (let second = 0; second < 256; second += 1) {
      const bytes = new Uint8Array([first, second]);
      // A byte order mark of UTF-16, or the start of JSON.
      if ((first & second) === 0xfe && first !== second) continue;
      if (first === 0x7b || second === 0x7b) continue;
      const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
      expect(readBytes(bytes).kind).toBe(text.includes('\ufffd') ? 'broken' : 'text');
    }
});
