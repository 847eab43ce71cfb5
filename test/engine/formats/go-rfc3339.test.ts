import { expect, test } from 'vitest';
import { goRfc3339Error, parseGoRfc3339 } from '../../../engine/src/formats/go-rfc3339.ts';

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

test.each([
  ['x', 'parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"'],
  ['', 'parsing time "" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "2006"'],
  [
    '2026-11-21',
    'parsing time "2026-11-21" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "T"',
  ],
  ['2026-13-01T00:00:00Z', 'parsing time "2026-13-01T00:00:00Z": month out of range'],
  ['2026-02-29T00:00:00Z', 'parsing time "2026-02-29T00:00:00Z": day out of range'],
  ['2026-11-00T00:00:00Z', 'parsing time "2026-11-00T00:00:00Z": day out of range'],
  [
    '2026-11-21t12:00:00Z',
    'parsing time "2026-11-21t12:00:00Z" as "2006-01-02T15:04:05Z07:00": cannot parse "t12:00:00Z" as "T"',
  ],
  ['2026-11-21T24:00:00Z', 'parsing time "2026-11-21T24:00:00Z": hour out of range'],
  ['2026-11-21T1:60:00Z', 'parsing time "2026-11-21T1:60:00Z": minute out of range'],
  ['2026-11-21T12:00:60Z', 'parsing time "2026-11-21T12:00:60Z": second out of range'],
  [
    '2026-11-21T12:00:00.5',
    'parsing time "2026-11-21T12:00:00.5" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "Z07:00"',
  ],
  [
    '2026-11-21T12:00:00+25:00',
    'parsing time "2026-11-21T12:00:00+25:00": time zone offset hour out of range',
  ],
  [
    '2026-11-21T12:00:00+25:61',
    'parsing time "2026-11-21T12:00:00+25:61": time zone offset minute out of range',
  ],
  [
    '2026-11-21T12:00:00x01:00',
    'parsing time "2026-11-21T12:00:00x01:00" as "2006-01-02T15:04:05Z07:00": cannot parse "x01:00" as "Z07:00"',
  ],
  [
    '2026-11-21T12:00:00Zé"',
    'parsing time "2026-11-21T12:00:00Z\\xc3\\xa9\\"": extra text: "\\xc3\\xa9\\""',
  ],
])("reports Go's error for %j", (text, error) => {
  expect(goRfc3339Error(text)).toBe(error);
});

test('reports no error for a timestamp', () => {
  expect(goRfc3339Error('2026-11-21T9:00:00,5+24:60')).toBeUndefined();
});
