import { describe, expect, test } from 'vitest';
import { readCsv, readCsvRecord } from '../../../engine/src/formats/go-csv.ts';
import { encodeUtf8 } from '../../../engine/src/formats/utf8.ts';

const readAll = (text: string | Uint8Array) =>
  [...readCsv(typeof text === 'string' ? encodeUtf8(text) : text)].map((record) =>
    record.kind === 'record' ? record.fields : record.message,
  );

describe('parses records', () => {
  test.each<[string, readonly unknown[]]>([
    ['', []],
    ['\n\r\n\n', []],
    ['a,b\nc', [['a', 'b'], ['c']]],
    [
      'a,\r\n\r\nb,""\r\n',
      [
        ['a', ''],
        ['b', ''],
      ],
    ],
    ['a\n\r', [['a']]],
    ['a\rb,c\r', [['a\rb', 'c']]],
    ['"a\nb","c""d"\ne', [['a\nb', 'c"d'], ['e']]],
    ['"a\r\nb"\n', [['a\nb']]],
    [',\n""\n', [['', ''], ['']]],
    ['\ufeffä,é', [['\ufeffä', 'é']]],
  ])('%j', (text, records) => {
    expect(readAll(text)).toEqual(records);
  });
});

describe('stops at the first error', () => {
  test.each([
    ['a\nb,c"\nd', 'parse error on line 2, column 4: bare " in non-quoted-field'],
    ['a\n\nä,"b"c\nd', 'parse error on line 3, column 6: extraneous or missing " in quoted-field'],
    [
      'a\n"b\nc',
      'record on line 2; parse error on line 3, column 2: extraneous or missing " in quoted-field',
    ],
  ])('%j', (text, message) => {
    expect(readAll(text)).toEqual([['a'], message]);
  });
});

test('preserves bytes that are not UTF-8', () => {
  const bytes = Uint8Array.from([0xc3, 0xa4, 0x2c, 0x78, 0xff, 0x2c, 0x78, 0xfe]);
  expect(readAll(bytes)).toEqual([['ä', 'x\udcff', 'x\udcfe']]);
});

test('reads long input in chunks', () => {
  const line = `${'x'.repeat(10_000)},ä\n`;
  expect(readAll(line.repeat(3))).toEqual(
    Array.from({ length: 3 }, () => ['x'.repeat(10_000), 'ä']),
  );
});

test('reads only the first record', () => {
  expect(readCsvRecord('a,b\n"')).toEqual({ kind: 'record', fields: ['a', 'b'] });
  expect(readCsvRecord('\n')).toEqual({ kind: 'error', message: 'EOF' });
});
