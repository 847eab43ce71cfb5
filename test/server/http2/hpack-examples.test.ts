/** The examples of RFC 7541, appendix C. */
import { expect, test } from 'vitest';
import { HpackDecoder } from '../../../engine/src/server/http2/hpack/decoder.ts';
import { bytes, fieldsOf, literal, tableOf } from './hpack-blocks.ts';

interface Example {
  readonly block: string;
  readonly fields: readonly string[];
  /** The dynamic table after the block, newest first. */
  readonly table: readonly string[];
}

const check = (examples: readonly Example[], before = ''): void => {
  const decoder = new HpackDecoder({ tableBytes: 4096 });
  fieldsOf(decoder, bytes(before));
  for (const { block, fields, table } of examples) {
    expect(fieldsOf(decoder, bytes(block))).toEqual(fields);
    expect(tableOf(decoder)).toEqual(table);
  }
};

test('C.1.2 an integer of several bytes', () => {
  const decoder = new HpackDecoder({ tableBytes: 4096 });
  // A table of 1337 bytes: a field of this size is added, one more byte empties the table.
  fieldsOf(decoder, bytes('3f9a0a'));
  const filling = (size: number) => 'v'.repeat(size - 33);
  fieldsOf(decoder, literal('indexed', 'a', filling(1337)));
  expect(tableOf(decoder)).toEqual([`a: ${filling(1337)}`]);
  fieldsOf(decoder, literal('indexed', 'a', filling(1338)));
  expect(tableOf(decoder)).toEqual([]);
});

test.each<Example>([
  {
    block: '400a637573746f6d2d6b65790d637573746f6d2d686561646572',
    fields: ['custom-key: custom-header'],
    table: ['custom-key: custom-header'],
  },
  { block: '040c2f73616d706c652f70617468', fields: [':path: /sample/path'], table: [] },
  { block: '100870617373776f726406736563726574', fields: ['password: secret'], table: [] },
  { block: '82', fields: [':method: GET'], table: [] },
])('C.2 $fields', (example) => check([example]));

const authority = ':authority: www.example.com';
const requests = (blocks: readonly [string, string, string]): readonly Example[] => [
  {
    block: blocks[0],
    fields: [':method: GET', ':scheme: http', ':path: /', authority],
    table: [authority],
  },
  {
    block: blocks[1],
    fields: [':method: GET', ':scheme: http', ':path: /', authority, 'cache-control: no-cache'],
    table: ['cache-control: no-cache', authority],
  },
  {
    block: blocks[2],
    fields: [
      ':method: GET',
      ':scheme: https',
      ':path: /index.html',
      authority,
      'custom-key: custom-value',
    ],
    table: ['custom-key: custom-value', 'cache-control: no-cache', authority],
  },
];

test('C.3 requests without Huffman coding', () => {
  check(
    requests([
      '828684410f7777772e6578616d706c652e636f6d',
      '828684be58086e6f2d6361636865',
      '828785bf400a637573746f6d2d6b65790c637573746f6d2d76616c7565',
    ]),
  );
});

test('C.4 requests with Huffman coding', () => {
  check(
    requests([
      '828684418cf1e3c2e5f23a6ba0ab90f4ff',
      '828684be5886a8eb10649cbf',
      '828785bf408825a849e95ba97d7f8925a849e95bb8e8b4bf',
    ]),
  );
});

/** The size of the table in the examples C.5 and C.6. */
const room256 = '3fe101';

const date = (second: number) => `date: Mon, 21 Oct 2013 20:13:${second} GMT`;
const control = 'cache-control: private';
const location = 'location: https://www.example.com';
const cookie = 'set-cookie: foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1';
const responses = (blocks: readonly [string, string, string]): readonly Example[] => [
  {
    block: blocks[0],
    fields: [':status: 302', control, date(21), location],
    table: [location, date(21), control, ':status: 302'],
  },
  {
    block: blocks[1],
    fields: [':status: 307', control, date(21), location],
    table: [':status: 307', location, date(21), control],
  },
  {
    block: blocks[2],
    fields: [':status: 200', control, date(22), location, 'content-encoding: gzip', cookie],
    table: [cookie, 'content-encoding: gzip', date(22)],
  },
];

test('C.5 responses without Huffman coding, with evictions', () => {
  check(
    responses([
      '4803333032580770726976617465611d4d6f6e2c203231204f637420323031332032303a31333a323120474d546e1768747470733a2f2f7777772e6578616d706c652e636f6d',
      '4803333037c1c0bf',
      '88c1611d4d6f6e2c203231204f637420323031332032303a31333a323220474d54c05a04677a69707738666f6f3d4153444a4b48514b425a584f5157454f50495541585157454f49553b206d61782d6167653d333630303b2076657273696f6e3d31',
    ]),
    room256,
  );
});

test('C.6 responses with Huffman coding, with evictions', () => {
  check(
    responses([
      '488264025885aec3771a4b6196d07abe941054d444a8200595040b8166e082a62d1bff6e919d29ad171863c78f0b97c8e9ae82ae43d3',
      '4883640effc1c0bf',
      '88c16196d07abe941054d444a8200595040b8166e084a62d1bffc05a839bd9ab77ad94e7821dd7f2e6c7b335dfdfcd5b3960d5af27087f3672c1ab270fb5291f9587316065c003ed4ee5b1063d5007',
    ]),
    room256,
  );
});
