/** The HPACK decoder: invalid blocks, limits, and the dynamic table. */
import { expect, test } from 'vitest';
import { HpackDecoder, HpackError } from '../../../engine/src/server/http2/hpack/decoder.ts';
import { bytes, fieldsOf, indexed, kinds, literal, number, tableOf, text } from './hpack-blocks.ts';

const decoderWith = (before: readonly Buffer[] = [], tableBytes = 4096): HpackDecoder => {
  const decoder = new HpackDecoder({ tableBytes });
  fieldsOf(decoder, Buffer.concat(before));
  return decoder;
};

/** A literal field `a` with a Huffman-coded value. */
const inHuffman = (value: Buffer): Buffer =>
  Buffer.concat([bytes('000161'), number(value.length, 0x7f, 0x80), value]);

const entry = literal('indexed', 'a', 'b');
const sizeUpdate = (size: number): Buffer => number(size, 0x1f, 0x20);

const malformed: readonly (readonly [what: string, block: Buffer])[] = [
  ['index 0', bytes('80')],
  ['an index after the table', indexed(63)],
  ['an index far after the table', indexed(62 + 128)],
  ['a name index after the table', Buffer.concat([number(63, 0x0f), text('v')])],
  [
    'a name index after the table, with indexing',
    Buffer.concat([number(63, 0x3f, 0x40), text('v')]),
  ],
  ['an integer of five continuation bytes', bytes('0faf80808000 0176')],
  ['an endless integer', bytes('ffffffffffffffffffffff')],
  ['a length above 2^28', bytes('00017f 7fffffffffff0f')],
  ['a truncated index', bytes('82ff')],
  ['an index that is truncated within its integer', bytes('82ff80')],
  ['a literal that is truncated after its first byte', bytes('40')],
  ['a literal that is truncated after its name', bytes('400161')],
  ['a name longer than the block', bytes('40056162')],
  ['a value longer than the block', bytes('4001610562')],
  ['a Huffman-coded value longer than the block', bytes('400161821f')],
  ['the EOS symbol', inHuffman(bytes('ffffffff'))],
  ['the EOS symbol after another symbol', inHuffman(bytes('1fffffffff'))],
  ['a byte of padding', inHuffman(bytes('ff'))],
  ['padding longer than 7 bits', inHuffman(bytes('1fff'))],
  ['padding with a zero', inHuffman(bytes('1e'))],
  ['a truncated Huffman code', inHuffman(bytes('1ffffe'))],
  ['a size update after a field', Buffer.concat([indexed(2), sizeUpdate(100)])],
  ['a third size update', Buffer.concat([1, 2, 3].map(sizeUpdate))],
  ['a size above SETTINGS_HEADER_TABLE_SIZE', sizeUpdate(4097)],
  ['a truncated size update', bytes('3f')],
];

test.each(malformed)('rejects %s', (_what, block) => {
  expect(() => fieldsOf(decoderWith([entry]), block)).toThrow(HpackError);
});

test.each<readonly [what: string, block: Buffer, fields: readonly string[]]>([
  ['the last index', indexed(62), ['a: b']],
  ['the last index as a name index', Buffer.concat([number(62, 0x0f), text('v')]), ['a: v']],
  ['an integer of four continuation bytes', bytes('0faf808000 0176'), ['a: v']],
  ['no padding', inHuffman(bytes('18c6318c63')), ['a: aaaaaaaa']],
  ['padding of 3 bits', inHuffman(bytes('1f')), ['a: a']],
  ['padding of 7 bits', inHuffman(bytes('18c631ff')), ['a: aaaaa']],
  ['an empty Huffman-coded string', inHuffman(Buffer.alloc(0)), ['a: ']],
  ['two size updates', Buffer.concat([0, 4096].map(sizeUpdate)), []],
  ['an empty block', Buffer.alloc(0), []],
])('decodes %s', (_what, block, fields) => {
  expect(fieldsOf(decoderWith([entry]), block)).toEqual(fields);
});

test('returns the same object for an indexed field each time', () => {
  const decoder = decoderWith();
  const [inserted] = decoder.decode(entry, 4096).fields;
  const block = Buffer.concat([2, 62, 62].map(indexed));
  const first = decoder.decode(block, 4096).fields;
  expect(first[1]).toBe(inserted);
  expect(first[2]).toBe(inserted);
  expect(decoder.decode(block, 4096).fields[0]).toBe(first[0]);
  expect(decoderWith().decode(indexed(2), 4096).fields[0]).toBe(first[0]);
});

test.each(['plain', 'never'] as const)(
  'does not add a literal of the kind %s to the table',
  (kind) => {
    const decoder = decoderWith([literal(kind, 'a', 'b')]);
    expect(tableOf(decoder)).toEqual([]);
  },
);

/** A field of `size` bytes. */
const sized = (name: string, size: number): Buffer =>
  literal('indexed', name, 'v'.repeat(size - 32 - name.length));

test('decodes a field larger than the table and empties the table', () => {
  const decoder = decoderWith([entry]);
  expect(fieldsOf(decoder, sized('x', 4097))).toHaveLength(1);
  expect(tableOf(decoder)).toEqual([]);
  fieldsOf(decoder, entry);
  expect(tableOf(decoder)).toEqual(['a: b']);
});

test('preserves a name whose field is evicted by the new one', () => {
  const decoder = decoderWith([sized('name', 4096)]);
  const block = Buffer.concat([number(62, 0x3f, kinds.indexed), text('new')]);
  expect(fieldsOf(decoder, block)).toEqual(['name: new']);
  fieldsOf(decoder, sized('name', 4096));
  const large = Buffer.concat([number(62, 0x3f, kinds.indexed), text('v'.repeat(5000))]);
  expect(fieldsOf(decoder, large)).toEqual([`name: ${'v'.repeat(5000)}`]);
  expect(tableOf(decoder)).toEqual([]);
});

test('allows a table above 4096 bytes after a size update', () => {
  const decoder = decoderWith([sized('x', 4097)], 65_536);
  expect(tableOf(decoder)).toEqual([]);
  fieldsOf(decoder, Buffer.concat([sizeUpdate(65_536), sized('x', 65_536)]));
  expect(tableOf(decoder)).toHaveLength(1);
  const many = new Array<Buffer>(3000).fill(bytes('400000'));
  expect(fieldsOf(decoder, Buffer.concat(many))).toHaveLength(3000);
  expect(tableOf(decoder)).toHaveLength(2048);
  expect(() => fieldsOf(decoder, sizeUpdate(65_537))).toThrow(HpackError);
});

test('allows 4096 bytes before the peer has received our settings', () => {
  const decoder = decoderWith([sized('x', 4096)], 0);
  expect(tableOf(decoder)).toHaveLength(1);
});

test('decodes and drops fields beyond the limit', () => {
  const decoder = decoderWith();
  const block = Buffer.concat([entry, literal('indexed', 'c', 'd'), literal('plain', 'e', '')]);
  expect(decoder.decode(block, 101)).toEqual({
    fields: [
      { name: 'a', value: 'b' },
      { name: 'c', value: 'd' },
      { name: 'e', value: '' },
    ],
    isTruncated: false,
  });
  expect(decoder.decode(block, 100)).toMatchObject({ fields: { length: 2 }, isTruncated: true });
  expect(decoder.decode(block, 40)).toMatchObject({ fields: { length: 1 }, isTruncated: true });
  expect(tableOf(decoder)).toEqual(['c: d', 'a: b', 'c: d', 'a: b', 'c: d', 'a: b']);
});

test('drops all fields after the first dropped one, however small', () => {
  const block = Buffer.concat([literal('plain', 'a', 'v'.repeat(1000)), entry]);
  expect(decoderWith().decode(block, 500)).toEqual({ fields: [], isTruncated: true });
});

/** 100,000 Huffman-coded characters: `a` takes five bits. */
const long = Buffer.from('18c6318c63'.repeat(12_500), 'hex');

test.each<readonly [what: string, field: Buffer]>([
  ['value', Buffer.concat([bytes('400161'), text('v'.repeat(100_000))])],
  ['Huffman-coded value', Buffer.concat([bytes('400161'), number(long.length, 0x7f, 0x80), long])],
  ['name', Buffer.concat([bytes('40'), text('n'.repeat(100_000)), text('v')])],
  [
    'Huffman-coded name',
    Buffer.concat([bytes('40'), number(long.length, 0x7f, 0x80), long, text('v')]),
  ],
])('decodes and drops a %s larger than limit and table', (_what, field) => {
  const decoder = decoderWith([entry]);
  expect(decoder.decode(Buffer.concat([field, entry]), 50_000)).toEqual({
    fields: [],
    isTruncated: true,
  });
  expect(tableOf(decoder)).toEqual(['a: b']);
  const [read] = decoder.decode(field, 200_000).fields;
  expect(`${read?.name}${read?.value}`).toHaveLength(100_001);
});

test('rejects an invalid Huffman code in a dropped string', () => {
  const block = Buffer.concat([literal('plain', 'a', 'v'.repeat(1000)), inHuffman(bytes('1fff'))]);
  expect(() => decoderWith().decode(block, 500)).toThrow(HpackError);
});

test('limits a field that is referenced 10,000 times', () => {
  const decoder = decoderWith([sized('x', 4096)]);
  const { fields, isTruncated } = decoder.decode(Buffer.alloc(10_000, indexed(62)), 65_536);
  expect(fields).toHaveLength(16);
  expect(isTruncated).toBe(true);
});

/** Codes of characters that no valid field contains (RFC 7541, appendix B). */
const rareCodes = `00 1ff8 13, 01 7fffd8 23, 02 fffffe2 28, 03 fffffe3 28, 04 fffffe4 28, 05 fffffe5 28,
06 fffffe6 28, 07 fffffe7 28, 08 fffffe8 28, 09 ffffea 24, 0a 3ffffffc 30, 0b fffffe9 28,
0c fffffea 28, 0d 3ffffffd 30, 0e fffffeb 28, 0f fffffec 28, 10 fffffed 28, 11 fffffee 28,
12 fffffef 28, 13 ffffff0 28, 14 ffffff1 28, 15 ffffff2 28, 16 3ffffffe 30, 17 ffffff3 28,
18 ffffff4 28, 19 ffffff5 28, 1a ffffff6 28, 1b ffffff7 28, 1c ffffff8 28, 1d ffffff9 28,
1e ffffffa 28, 1f ffffffb 28, 7f ffffffc 28`;

test.each(rareCodes.split(/,\s/).map((row) => row.split(' ')))(
  'decodes the Huffman code of character %s',
  (symbol = '', code = '', bits = '') => {
    const digits = Number.parseInt(code, 16).toString(2).padStart(Number(bits), '0');
    const octets = digits.padEnd(32, '1').match(/.{8}/g) ?? [];
    const value = Buffer.from(octets.map((octet) => Number.parseInt(octet, 2)));
    const used = value.subarray(0, Math.ceil(Number(bits) / 8));
    const [field] = decoderWith().decode(inHuffman(used), 4096).fields;
    expect(field?.value).toBe(String.fromCharCode(Number.parseInt(symbol, 16)));
  },
);
