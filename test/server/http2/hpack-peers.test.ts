/**
 * HPACK against nghttp2, the implementation in Node's client: each side decodes what the other
 * encodes.
 */
import { type ClientHttp2Session, connect, sensitiveHeaders } from 'node:http2';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { HpackDecoder } from '../../../engine/src/server/http2/hpack/decoder.ts';
import {
  emptyTableUpdate,
  maxEncodedBytes,
  writeField,
} from '../../../engine/src/server/http2/hpack/encoder.ts';
import type { Field } from '../../../engine/src/server/http2/hpack/field.ts';
import { startPeer } from './hpack-peer.ts';

const seed = 7541;

const clientOf = async (origin: string, headerTableSize: number): Promise<ClientHttp2Session> => {
  const client = connect(origin, { settings: { headerTableSize } });
  onTestFinished(() => client.destroy());
  // The settings have arrived, so the client's table has the announced size.
  await new Promise((resolve) => client.once('remoteSettings', resolve));
  return client;
};

/** All characters that are valid in a value. */
const valueCharacters = Array.from({ length: 256 }, (_, code) => code)
  .filter((code) => code === 9 || (code >= 32 && code !== 127))
  .map((code) => String.fromCharCode(code));

const value = fc.oneof(
  fc.constantFrom('', 'application/json', 'gzip, deflate', 'Bearer abc.def', '0'),
  fc.array(fc.constantFrom(...valueCharacters), { maxLength: 30 }).map((list) => list.join('')),
  fc.stringMatching(/^[\w.-]{200,1500}$/),
);
const name = fc.oneof(
  fc.constantFrom('accept', 'authorization', 'cookie', 'user-agent', 'x-remote-group', 'x-own'),
  fc.stringMatching(/^x-[a-z0-9!#$%&'*+.^_`|~-]{1,20}$/),
);
/** Values without leading and trailing white space, which nghttp2 requires of a server. */
const trimmed = value.map((text) => text.trim());

type Pair = readonly [name: string, value: string];

const pairs = fc.uniqueArray(fc.tuple(name, value), { maxLength: 10, selector: ([key]) => key });
const responseFields = fc.array(fc.tuple(name, trimmed), { maxLength: 10 });

/** Requests that repeat, as those of clients do. */
const requests: readonly (readonly Pair[])[] = fc
  .sample(pairs, { seed, numRuns: 60 })
  .flatMap((list, index, all) => [list, all[index % 7] ?? list]);

const ask = (client: ClientHttp2Session, fields: readonly Pair[]): Promise<readonly Pair[]> => {
  const [first, second] = fields;
  const stream = client.request({
    ':method': 'GET',
    ':authority': 'localhost',
    ':scheme': 'http',
    ':path': `/${fields.length}`,
    ...Object.fromEntries(fields),
    // The first two are sent as never-indexed fields.
    [sensitiveHeaders]: [first?.[0] ?? '', second?.[0] ?? ''],
  });
  return new Promise((resolve, reject) => {
    stream.once('error', reject);
    stream.once('response', (_headers, _flags, ...rest: unknown[]) => {
      const raw = (rest[0] ?? []) as readonly string[];
      const read: Pair[] = [];
      for (let at = 0; at < raw.length; at += 2) read.push([raw[at] ?? '', raw[at + 1] ?? '']);
      resolve(read);
    });
    stream.resume();
  });
};

const expectedFields = (fields: readonly Pair[]): readonly Field[] =>
  [
    [':method', 'GET'] as const,
    [':authority', 'localhost'] as const,
    [':scheme', 'http'] as const,
    [':path', `/${fields.length}`] as const,
    ...fields,
  ].map(([key, text]) => ({ name: key, value: text }));

test.each([4096, 65_536, 300, 0])(
  'decodes what nghttp2 encodes with a table of %i bytes',
  async (headerTableBytes) => {
    const peer = await startPeer({ headerTableBytes, answer: () => Buffer.from([0x88]) });
    onTestFinished(peer.close);
    const client = await clientOf(peer.origin, 4096);
    for (const fields of requests) await ask(client, fields);
    const decoder = new HpackDecoder({ tableBytes: headerTableBytes });
    const read = peer.blocks.map((block) => decoder.decode(block, 1e6).fields);
    expect(read).toEqual(requests.map(expectedFields));
  },
);

test('decodes every character of a value, with and without Huffman coding', async () => {
  const peer = await startPeer({ headerTableBytes: 4096, answer: () => Buffer.from([0x88]) });
  onTestFinished(peer.close);
  const client = await clientOf(peer.origin, 4096);
  // A string whose code is shorter is sent Huffman-coded: one rare character among many frequent
  // ones.
  const fields = valueCharacters.flatMap((character, index): readonly Pair[] => [
    [`x-code-${index}`, `${'e'.repeat(20)}${character}${'e'.repeat(20)}`],
    [`x-raw-${index}`, `x${character}`],
  ]);
  await ask(client, fields);
  const [block = Buffer.alloc(0)] = peer.blocks;
  const { fields: read } = new HpackDecoder({ tableBytes: 4096 }).decode(block, 1e6);
  expect(read).toEqual(expectedFields(fields));
});

const blockOf = (fields: readonly Pair[], before: readonly number[]): Buffer => {
  const most = fields.reduce((sum, [key, text]) => sum + maxEncodedBytes(key, text), before.length);
  const into = Buffer.from([...before, ...new Uint8Array(most)]);
  return into.subarray(
    0,
    fields.reduce((at, [key, text]) => writeField(into, at, key, text), before.length),
  );
};

test.each([4096, 0, 100])(
  'nghttp2 with a table of %i bytes decodes what the server encodes',
  async (headerTableSize) => {
    const statuses = ['200', '204', '404', '201', '503'];
    const answers = fc
      .sample(responseFields, { seed, numRuns: 100 })
      .map((list, index): readonly Pair[] => [[':status', statuses[index % 5] ?? ''], ...list]);
    answers.push([
      [':status', '200'],
      ['x-long', 'v'.repeat(40_000)],
    ]);
    const blocks = answers.map((fields, index) =>
      blockOf(fields, index === 0 ? [emptyTableUpdate] : []),
    );
    const nextBlock = blocks[Symbol.iterator]();
    const peer = await startPeer({
      headerTableBytes: 4096,
      answer: () => nextBlock.next().value ?? Buffer.alloc(0),
    });
    onTestFinished(peer.close);
    const client = await clientOf(peer.origin, headerTableSize);
    const read: (readonly Pair[])[] = [];
    for (const _ of answers) read.push(await ask(client, []));
    expect(read).toEqual(answers);
  },
);
