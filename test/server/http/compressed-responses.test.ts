/**
 * Compression of large objects for clients that accept gzip; expectations from kube-apiserver 1.36.
 */
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compress } from '../../../engine/src/server/http/compress.ts';
import type { RunningServer } from '../../../engine/src/server/server.ts';
import { reach, startFake } from '../../support/fake-generation.ts';
import { openMemoryObjects } from '../../support/memory-objects.ts';
import { type RawAnswer, rawExchange } from '../../support/raw-exchange.ts';

const accounts = '/api/v1/namespaces/default/serviceaccounts';

let server: RunningServer;
let closeWorld: () => Promise<void>;
beforeAll(async () => {
  const { objectServices: world } = await openMemoryObjects();
  closeWorld = () => world.close();
  server = await startFake({ settings: { objectServices: world } });
  await ask('POST', accounts, ['Content-Type: application/json'], accountOf('large', 180_000));
  await ask('POST', accounts, ['Content-Type: application/json'], accountOf('small', 10));
});
afterAll(async () => {
  await server.close(100);
  await closeWorld();
});

const accountOf = (name: string, bytes: number): string =>
  JSON.stringify({ metadata: { name, annotations: { text: 'x'.repeat(bytes) } } });

const ask = (
  method: string,
  path: string,
  fields: readonly string[],
  body = '',
): Promise<RawAnswer> => {
  const head = [
    `${method} ${path} HTTP/1.1`,
    'Host: localhost',
    'Connection: close',
    'Authorization: Bearer tok-admin',
    `Content-Length: ${body.length}`,
    ...fields,
  ];
  return rawExchange(reach(server), `${head.join('\r\n')}\r\n\r\n${body}`);
};

const bodyOf = ({ raw }: RawAnswer): Buffer =>
  Buffer.from(raw.slice(raw.indexOf('\r\n\r\n') + 4), 'latin1');

const json = 'application/json';
const protobuf = 'application/vnd.kubernetes.protobuf';

test.each([
  ['an object', `${accounts}/large`, json],
  ['a list', accounts, json],
  ['a table', `${accounts}?includeObject=Object`, `${json};as=Table;g=meta.k8s.io;v=v1`],
  ['YAML', `${accounts}/large`, 'application/yaml'],
  ['Protobuf', `${accounts}/large`, protobuf],
])('%s is equal with and without gzip', async (_name, path, accept) => {
  const plain = await ask('GET', path, [`Accept: ${accept}`]);
  const compressed = await ask('GET', path, [
    `Accept: ${accept}`,
    'Accept-Encoding: deflate, gzip',
  ]);
  expect(plain.headers.get('content-encoding')).toBeUndefined();
  expect(plain.headers.get('vary')).toBeUndefined();
  expect(compressed.headers.get('content-encoding')).toEqual(['gzip']);
  expect(compressed.headers.get('vary')).toEqual(['Accept-Encoding']);
  expect(compressed.headers.get('content-type')).toEqual(plain.headers.get('content-type'));
  const body = bodyOf(compressed);
  expect(compressed.headers.get('content-length')).toEqual([String(body.length)]);
  expect(gunzipSync(body).equals(bodyOf(plain))).toBe(true);
});

test('compresses the response to a creation', async () => {
  const fields = ['Content-Type: application/json', 'Accept-Encoding: gzip'];
  const path = `${accounts}?dryRun=All`;
  const { status, headers } = await ask('POST', path, fields, accountOf('another', 180_000));
  expect(status).toBe(201);
  expect(headers.get('content-encoding')).toEqual(['gzip']);
});

test.each([
  ['a small object', `${accounts}/small`, ['Accept-Encoding: gzip']],
  ['a weight', `${accounts}/large`, ['Accept-Encoding: gzip;q=1']],
  ['another case', `${accounts}/large`, ['Accept-Encoding: GZIP']],
  ['a second field', `${accounts}/large`, ['Accept-Encoding: deflate', 'Accept-Encoding: gzip']],
  ['a watch', `${accounts}?watch=1&timeoutSeconds=1`, ['Accept-Encoding: gzip']],
])('does not compress %s', async (_name, path, fields) => {
  const { status, headers } = await ask('GET', path, fields);
  expect(status).toBe(200);
  expect(headers.get('content-encoding')).toBeUndefined();
  expect(headers.get('vary')).toBeUndefined();
});

test('compresses from 128 KiB and one byte on', async () => {
  const exchange = {
    headers: [{ name: 'accept-encoding', value: 'gzip' }],
    isCanceled: () => false,
  };
  const sized = (bytes: number) => ({
    status: 200,
    headers: [],
    body: 'x'.repeat(bytes),
    isObject: true as const,
  });
  const most = sized(128 * 1024);
  expect(compress(most, exchange)).toBe(most);
  expect(compress(sized(128 * 1024 + 1), exchange)).toBeInstanceOf(Promise);
});
