import { expect, test } from 'vitest';
import { parseGoRfc3339 } from '../../../engine/src/formats/go-rfc3339.ts';

test.each([
  ['2026-11-21T12:00:00Z', Date.UTC(2026, 10, 21, 12) / 1000, 0, 0],
  ['2026-11-21T9:00:00,5Z', Date.UTC(2026, 10, 21, 9) / 1000, 500_000_000, 0],
  [
    '2096-02-29T00:00:00.1234567891+05:30',
    Date.UTC(2096, 1, 28, 18, 30) / 1000,
    123_456_789,
    19_800,
  ],
  ['0000-01-01T00:00:00-24:60', Date.parse('0000-01-02T01:00:00Z') / 1000, 0, -90_000],
])('parses %s', (text, seconds, nanos, offsetSeconds) => {
  expect(parseGoRfc3339(text)).toEqual({ seconds, nanos, offsetSeconds });
});

test.each([
  '',
  '2026-11-21',
  '2026-11-21t12:00:00z',
  '2026-11-21T12:00:00',
  '2026-11-21 12:00:00Z',
  '2026-02-29T12:00:00Z',
  '2026-13-01T12:00:00Z',
  '2026-11-21T24:00:00Z',
  '2026-11-21T12:00:60Z',
  '2026-11-21T12:00:00+25:00',
  '2026-11-21T12:00:00.Z',
  ' 2026-11-21T12:00:00Z',
  '2026-11-21T12:00:00Z\n',
])('rejects %j', (text) => {
  expect(parseGoRfc3339(text)).toBeUndefined();
});
