import { describe, expect, test } from 'vitest';
import { headerList } from '../../../engine/src/model/header-list.ts';
import { reveal } from '../../../engine/src/model/secret.ts';
import { readWebsocketToken } from '../../../engine/src/runtime/websocket-token.ts';

const kubernetes = 'base64url.bearer.authorization.k8s.io.';
const platform = 'base64url.bearer.authorization.platform.io.';
const good = 'Z29vZA';

const read = (protocols: readonly string[], apiDomain = 'k8s.io', upgrade = 'websocket') => {
  const fields = protocols.flatMap((value) => ['Sec-WebSocket-Protocol', value]);
  const headers = headerList(['connection', 'Upgrade', 'upgrade', upgrade, ...fields]);
  const reading = readWebsocketToken(headers, { apiDomain });
  return reading.kind === 'token'
    ? [reveal(reading.token), reading.headersAfter.slice(2).map(({ value }) => value)]
    : reading.kind === 'error'
      ? reading.message
      : reading.kind;
};

test.each([
  ['k8s.io', kubernetes, ['good', ['x']]],
  ['k8s.io', platform, 'none'],
  ['platform.io', kubernetes, ['good', ['x']]],
  ['platform.io', platform, ['good', ['x']]],
] as const)('in the domain %s: %s', (apiDomain, prefix, reading) => {
  expect(read([`${prefix}${good}, x`], apiDomain)).toEqual(reading);
});

test('tokens of both domains count as two', () => {
  expect(read([`${kubernetes}${good},${platform}${good},x`], 'platform.io')).toBe(
    'multiple base64.bearer.authorization tokens specified',
  );
});

test('requires another subprotocol', () => {
  expect(read([kubernetes + good])).toBe('missing additional subprotocol');
});

test('joins the remaining subprotocols in the first header', () => {
  expect(read(['a, b', `${kubernetes}${good}`, 'c'])).toEqual(['good', ['a,b,c']]);
});

describe('letters that fold to ASCII', () => {
  test.each([
    ['web\u00c5\u00bfocket', ['good', ['x']]],
    ['websoc\u00e2\u0084\u00aaet', ['good', ['x']]],
    ['w\u00eabsocket', 'none'],
    [' websocket', 'none'],
  ])('%j', (upgrade, reading) => {
    expect(read([`${kubernetes}${good},x`], 'k8s.io', upgrade)).toEqual(reading);
  });
});

test('many spaces take linear time', () => {
  const spaces = ' '.repeat(1_000_000);
  expect(read([`${kubernetes}${good},a${spaces}b`])).toEqual(['good', [`a${spaces}b`]]);
});
