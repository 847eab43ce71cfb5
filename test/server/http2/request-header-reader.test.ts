/** Which heads a connection keeps, and what length a body has that is announced twice. */
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

test('an equal request of the same connection is the same value', () => {
  const reader = new RequestHeaderReader();
  const { request } = read(reader, ['token', 'a']);
  expect(read(reader, ['token', 'a']).request).toBe(request);
  expect(read(new RequestHeaderReader(), ['token', 'a']).request).not.toBe(request);
  expect(read(reader, ['token', 'b']).request).not.toBe(request);
  expect(read(reader, ['token', 'b'], ['token', 'b']).request.headers).toHaveLength(2);
});

test('heads that differ in the length of the body alone are the same value', () => {
  const reader = new RequestHeaderReader();
  const { request } = read(reader, ['content-length', '1']);
  const second = read(reader, ['content-length', '22']);
  expect(second.request).toBe(request);
  expect(second.bodyBytes).toBe(22);
});

test('a long request is not kept, and neither is the one before', () => {
  const reader = new RequestHeaderReader();
  const { request: short } = read(reader, ['token', 'a']);
  const long = ['token', 'b'.repeat(headerLimits.memoized)] as const;
  const { request } = read(reader, long);
  expect(request.headers).toEqual([{ name: 'token', value: long[1] }]);
  expect(read(reader, long).request).not.toBe(request);
  expect(read(reader, ['token', 'a']).request).not.toBe(short);
});

test.each([
  ['twice the same', ['5', '5'], 5],
  ['two lengths', ['5', '6'], 'malformed'],
  ['a sign', ['+5'], 'malformed'],
  ['nothing', [''], 'malformed'],
  ['a list', ['5, 5'], 'malformed'],
  ['more digits than are exact', ['9'.repeat(16)], 'malformed'],
] as const)('the length of a body: %s', (_name, lengths, expected) => {
  const reader = new RequestHeaderReader();
  // Equal heads are judged by their lengths too.
  read(reader, ...lengths.map((): Pair => ['content-length', '0']));
  const found = reader.read(fields(...lengths.map((text): Pair => ['content-length', text])));
  expect(found.kind === 'malformed' ? 'malformed' : found.bodyBytes).toBe(expected);
});
