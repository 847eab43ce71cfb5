/** Which heads an HTTP/2 session keeps. */
import { expect, test } from 'vitest';
import { headOf } from '../../engine/src/server/http/http2-head.ts';
import { headerLimits } from '../../engine/src/server/limits.ts';

const raw = (token: string): readonly string[] => [':method', 'GET', ':path', '/', 'token', token];

test('an equal head of the same session is the same value', () => {
  const session = {};
  const first = headOf(session, raw('a'));
  expect(headOf(session, raw('a'))).toBe(first);
  expect(headOf({}, raw('a'))).not.toBe(first);
  expect(headOf(session, raw('b'))).not.toBe(first);
});

test('a long head is not kept, and neither is the one before', () => {
  const session = {};
  const short = headOf(session, raw('a'));
  const long = raw('b'.repeat(headerLimits.kept));
  const head = headOf(session, long);
  expect(head.headers).toEqual([{ name: 'token', value: long[5] }]);
  expect(headOf(session, long)).not.toBe(head);
  expect(headOf(session, raw('a'))).not.toBe(short);
});
