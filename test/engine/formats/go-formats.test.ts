import { describe, expect, test } from 'vitest';
import { cacheLifetimeMs } from '../../../engine/src/formats/cache-lifetime.ts';
import { foldName } from '../../../engine/src/formats/go-json.ts';
import { goQuote, goQuoteByte, goQuoteList } from '../../../engine/src/formats/go-quote.ts';
import {
  formatGoMilliseconds,
  formatGoTime,
  isAfter,
  isBefore,
} from '../../../engine/src/formats/go-time.ts';
import { mediaTypeOf } from '../../../engine/src/formats/media-type.ts';

describe('formats times like Go', () => {
  test.each([
    [1_699_999_999, '2023-11-14 22:13:19 +0000 UTC'],
    [0, '1970-01-01 00:00:00 +0000 UTC'],
    [-1, '1969-12-31 23:59:59 +0000 UTC'],
    [1_709_164_800, '2024-02-29 00:00:00 +0000 UTC'],
    [253_402_300_800, '10000-01-01 00:00:00 +0000 UTC'],
    [-62_135_596_800, '0001-01-01 00:00:00 +0000 UTC'],
    [-62_135_596_801, '0000-12-31 23:59:59 +0000 UTC'],
    [-99_999_999_999, '-1199-02-15 14:13:21 +0000 UTC'],
    [2n ** 63n - 1n, '292277026596-12-04 15:30:07 +0000 UTC'],
    [-(2n ** 63n), '292277026596-12-04 15:30:08 +0000 UTC'],
  ])('%s', (seconds, text) => {
    expect(formatGoTime(seconds)).toBe(text);
  });
  test('prints fractions without trailing zeros', () => {
    expect(formatGoMilliseconds(1_700_000_000_250)).toBe('2023-11-14 22:13:20.25 +0000 UTC');
  });
  test('wraps the largest 64-bit number to the past', () => {
    expect(isBefore(2n ** 63n - 1n, 0)).toBe(true);
    expect(isAfter(2n ** 63n - 1n, 0)).toBe(false);
    expect(isAfter(2n ** 62n, 0)).toBe(true);
  });
});

describe('quotes like Go', () => {
  test.each([
    ['a"b\\c', '"a\\"b\\\\c"'],
    ['\u0007\b\f\n\r\t\v', '"\\a\\b\\f\\n\\r\\t\\v"'],
    ['\u0000\u001f\u007f', '"\\x00\\x1f\\x7f"'],
    ['é世 \u00a0\u200b', '"é世 \\u00a0\\u200b"'],
    ['😀\u{e0001}', '"😀\\U000e0001"'],
    ['\ud800', '"\ufffd"'],
  ])('%j', (text, quoted) => {
    expect(goQuote(text)).toBe(quoted);
  });
  test('quotes bytes and lists', () => {
    expect([0x27, 0x22, 0xef, 0x80, 0xad, 0x0a].map(goQuoteByte)).toEqual([
      "'\\''",
      "'\"'",
      "'ï'",
      "'\\u0080'",
      "'\\u00ad'",
      "'\\n'",
    ]);
    expect(goQuoteList(['a', 'b"'])).toBe('["a" "b\\""]');
    expect(goQuoteList([])).toBe('[]');
  });
});

test.each([
  ['ISS', 'iss'],
  ['iſs', 'iss'],
  ['\u212aeys', 'keys'],
  ['İss', 'İss'],
])('%s folds to %s', (name, folded) => {
  expect(foldName(name)).toBe(folded);
});

test.each([
  ['application/json', 'application/json'],
  ['Application/JSON; charset=utf-8', 'application/json'],
  ['application/json;', 'application/json'],
  ['application/json; charset', undefined],
  ['application/json; a=1; A=2', undefined],
  ['a/b/c', undefined],
  ['', undefined],
])('media type of %j is %j', (text, expected) => {
  expect(mediaTypeOf(text)).toBe(expected);
});

describe('computes the lifetime of responses', () => {
  const now = Date.UTC(2026, 0, 1);
  const lifetime = (headers: Record<string, string>) =>
    cacheLifetimeMs(new Map(Object.entries(headers)), now);
  test.each<[Record<string, string>, number]>([
    [{}, 0],
    [{ 'cache-control': 'max-age=300' }, 300_000],
    [{ 'cache-control': 'no-cache, max-age=300, private' }, 300_000],
    [{ 'cache-control': 'no-store, max-age=300' }, 300_000],
    [{ 'cache-control': 's-maxage=60, max-age=300' }, 60_000],
    [{ 'cache-control': 'Max-Age="300"' }, 300_000],
    [{ 'cache-control': 'max-age=300; foo' }, 0],
    [{ 'cache-control': 'max-age' }, 0],
    [{ 'cache-control': 'public=1, max-age=300' }, 0],
    [{ 'cache-control': 'no-store' }, 0],
    [{ 'cache-control': 'foo=bar, max-age=9999999999' }, (2 ** 31 - 1) * 1000],
    [{ expires: 'Thu, 01 Jan 2026 00:10:00 GMT' }, 600_000],
    [{ expires: 'Thu, 01 Jan 2026 00:10:00 GMT', date: 'Thu, 01 Jan 2026 00:05:00 GMT' }, 300_000],
    [{ expires: '0' }, 0],
    [{ expires: 'Xxx, 01 Jan 2026 00:10:00 GMT' }, 0],
    [{ expires: 'Tue, 31 Feb 2026 00:00:00 GMT' }, 0],
    [{ expires: 'Thursday, 01-Jan-26 00:10:00 GMT' }, 600_000],
    [{ expires: 'Thu Jan  1 00:10:00 2026' }, 600_000],
    [{ expires: 'Thu, 01 Jan 2026 00:10:00 GMT', date: 'nonsense' }, 0],
    [{ 'last-modified': 'Wed, 31 Dec 2025 23:50:00 GMT' }, 60_000],
    [{ 'last-modified': 'Tue, 01 Jan 2019 00:00:00 GMT' }, 86_400_000],
  ])('%j', (headers, expected) => {
    expect(lifetime(headers)).toBe(expected);
  });
});

test('parses a hostile content type in linear time', () => {
  expect(mediaTypeOf(`application/json; a="${'\\('.repeat(50_000)}`)).toBeUndefined();
});
