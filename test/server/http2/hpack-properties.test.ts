/** Properties of the HPACK decoder and encoder for any header block. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HpackDecoder, HpackError } from '../../../engine/src/server/http2/hpack/decoder.ts';
import {
  emptyTableUpdate,
  maxEncodedBytes,
  writeField,
} from '../../../engine/src/server/http2/hpack/encoder.ts';
import { fieldsOf, literal, number, tableOf } from './hpack-blocks.ts';

const runs = { seed: 7541, numRuns: 200 };

const latin1 = (most: number) =>
  fc
    .array(fc.integer({ min: 0, max: 0xff }), { maxLength: most })
    .map((codes) => String.fromCharCode(...codes));

const names = fc.constantFrom(':status', 'content-type', 'www-authenticate', 'x-own', 'date', '');
const fields = fc.array(
  fc.record({ name: fc.oneof(names, latin1(200)), value: fc.oneof(latin1(20), latin1(700)) }),
  { maxLength: 8 },
);

interface Pair {
  readonly name: string;
  readonly value: string;
}

const blockOf = (list: readonly Pair[]): Buffer => {
  const most = list.reduce((sum, { name, value }) => sum + maxEncodedBytes(name, value), 1);
  const into = Buffer.alloc(most);
  into[0] = emptyTableUpdate;
  const end = list.reduce((at, { name, value }) => writeField(into, at, name, value), 1);
  expect(end).toBeLessThanOrEqual(most);
  return into.subarray(0, end);
};

const read = (block: Buffer) => new HpackDecoder({ tableBytes: 4096 }).decode(block, 1e6).fields;

test('decodes what the encoder writes', () => {
  fc.assert(
    fc.property(fields, (list) => {
      expect(read(blockOf(list))).toEqual(list);
    }),
    runs,
  );
});

test('encodes statuses of the static table as one byte, and known names as an index', () => {
  const lengths = (list: readonly Pair[]) => blockOf(list).length - 1;
  for (const value of ['200', '204', '206', '304', '400', '404', '500']) {
    expect(lengths([{ name: ':status', value }])).toBe(1);
  }
  expect(lengths([{ name: ':status', value: '201' }])).toBe(5);
  expect(lengths([{ name: 'www-authenticate', value: '' }])).toBe(3);
});

test('encodes a value with characters above 0xFF as UTF-8', () => {
  const value = `é☃${'🦆'.repeat(100)}`;
  const [field] = read(blockOf([{ name: 'warning', value }]));
  expect(Buffer.from(field?.value ?? '', 'latin1').toString('utf8')).toBe(value);
  expect(blockOf([{ name: 'via', value: '☃'.repeat(10_000) }])).toHaveLength(30_007);
});

test('decodes or rejects any bytes, within the limit', () => {
  const anyBytes = fc.uint8Array({ maxLength: 60 });
  // Prefixes of Huffman-coded literals, which random bytes seldom contain.
  const huffman = fc
    .uint8Array({ minLength: 1, maxLength: 60 })
    .map((code) =>
      Buffer.concat([Buffer.from('400161', 'hex'), number(code.length, 0x7f, 0x80), code]),
    );
  fc.assert(
    fc.property(fc.array(fc.oneof(anyBytes, huffman), { maxLength: 4 }), (pieces) => {
      try {
        const { fields: found } = new HpackDecoder({ tableBytes: 4096 }).decode(
          Buffer.concat(pieces),
          200,
        );
        const sizes = found.map(({ name, value }) => name.length + value.length + 32);
        expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(200);
      } catch (error) {
        if (!(error instanceof HpackError)) throw error;
      }
    }),
    { ...runs, numRuns: 2000 },
  );
});

type Step =
  | { readonly kind: 'resize'; readonly bytes: number }
  | { readonly kind: 'insert'; readonly name: string; readonly length: number };

/** A simple model of the dynamic table (RFC 7541, 4). */
const modelOf = () => {
  let table: string[] = [];
  let limit = 4096;
  const sizes = (list: readonly string[]) =>
    list.reduce((sum, line) => sum + line.length - ': '.length + 32, 0);
  const evict = (bytes: number) => {
    while (table.length > 0 && sizes(table) > bytes) table = table.slice(0, -1);
  };
  return (step: Step): readonly string[] => {
    if (step.kind === 'resize') {
      limit = step.bytes;
      evict(limit);
      return table;
    }
    const line = `${step.name}: ${'v'.repeat(step.length)}`;
    evict(limit - sizes([line]));
    if (sizes([line]) <= limit) table = [line, ...table];
    return table;
  };
};

const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('resize'), bytes: fc.nat(4096) }) },
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant('insert'),
      name: fc.constantFrom('a', 'bc', ''),
      length: fc.oneof(fc.nat(3), fc.nat(400)),
    }),
  },
);

test('evicts entries as RFC 7541 requires', () => {
  fc.assert(
    fc.property(fc.array(steps, { minLength: 50, maxLength: 150 }), (list) => {
      const decoder = new HpackDecoder({ tableBytes: 4096 });
      const model = modelOf();
      for (const step of list) {
        const block =
          step.kind === 'resize'
            ? number(step.bytes, 0x1f, 0x20)
            : literal('indexed', step.name, 'v'.repeat(step.length));
        fieldsOf(decoder, block);
        expect(tableOf(decoder)).toEqual(model(step));
      }
    }),
    { ...runs, numRuns: 20 },
  );
});
