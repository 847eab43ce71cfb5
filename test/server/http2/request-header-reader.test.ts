/**
 * Which requests a connection memoizes, and the length of a body with two Content-Length fields.
 */
import { expect, test } from 'vitest';
import { RequestHeaderReader } from '../../../engine/src/server/http2/request-headers.ts';
import { headerLimits } from '../../../engine/src/server/limits.ts';

type Pair = readonly [name: string, value: string];

const fields = (...more: readonly Pair[]) => {
  const pairs: readonly Pair[] = [
    [':method', 'GET'],
    [':scheme', 'https'],
    [':path', '/'],
    ...more,
  ];
  return pairs.map(([name, value]) => ({ name, value }));
};

const read = (reader: RequestHeaderReader, ...more: readonly Pair[]) => {
  const found = reader.read(fields(...more));
  if (found.kind === 'malformed') throw new Error('malformed');
  return found;
};

test('returns the same value for an equal request of the same connection', () => {
  const reader = new RequestHeaderReader();
  const { request } = read(reader, ['token', 'a']);
  expect(read(reader, ['token', 'a']).request).toBe(request);
  expect(read(new RequestHeaderReader(), ['token', 'a']).request).not.toBe(request);
  expect(read(reader, ['token', 'b']).request).not.toBe(request);
  expect(read(reader, ['token', 'b'], ['token', 'b']).request.headers).toHaveLength(2);
});

test('returns the same value for requests that differ only in the length of the body', () => {
  const reader = new RequestHeaderReader();
  const { request } = read(reader, ['content-length', '1']);
  const second = read(reader, ['content-length', '22']);
  expect(second.request).toBe(request);
  expect(second.bodyBytes).toBe(22);
});

test('does not memoize a long request, and forgets the one before', () => {
  const reader = new RequestHeaderReader();
  const { request: short } = read(reader, ['token', 'a']);
  const long = ['token', 'b'.repeat(headerLimits.memoized)] as const;
  const { request } = read(reader, long);
  expect(request.headers).toEqual([{ name: 'token', value: long[1] }]);
  expect(read(reader, long).request).not.toBe(request);
  expect(read(reader, ['token', 'a']).request).not.toBe(short);
});

test.each([
  ['two equal lengths', ['5', '5'], 5],
  ['two lengths', ['5', '6'], 'malformed'],
  ['a sign', ['+5'], 'malformed'],
  ['nothing', [''], 'malformed'],
  ['a list', ['5, 5'], 'malformed'],
  ['more digits than a number represents exactly', ['9'.repeat(16)], 'malformed'],
] as const)('parses the length of a body: %s', (_name, lengths, expected) => {
  const reader = new RequestHeaderReader();
  // The lengths of equal requests are validated, too.
  read(reader, ...lengths.map((): Pair => ['content-length', '0']));
  const found = reader.read(fields(...lengths.map((text): Pair => ['content-length', text])));
  expect(found.kind === 'malformed' ? 'malformed' : found.bodyBytes).toBe(expected);
});
