/**
 * The client of an etcd member against servers that misbehave; tests with a real etcd are in
 * test/heavy/store.
 */
import { spawnSync } from 'node:child_process';
import { createSecureServer, createServer, type ServerHttp2Stream } from 'node:http2';
import { createServer as createTcpServer, type Server } from 'node:net';
import { join } from 'node:path';
import { create, toBinary } from '@bufbuild/protobuf';
import { expect, onTestFinished, test } from 'vitest';
import { secret } from '../../../../engine/src/model/secret.ts';
import { RangeResponseSchema } from '../../../../engine/src/node/store/etcd_pb.ts';
import { type EtcdMember, etcdMember } from '../../../../engine/src/node/store/etcd-member.ts';
import { makeCert } from '../../../attacks/lib/der.mjs';
import { listenOnLoopback } from '../../../support/loopback-server.ts';

const listen = async (server: Server): Promise<number> => {
  const { port, close } = await listenOnLoopback(server);
  onTestFinished(close);
  return port;
};

const member = (origin: string, readTls: Parameters<typeof etcdMember>[1] = async () => ({})) => {
  const etcd = etcdMember(origin, readTls);
  onTestFinished(() => etcd.close());
  return etcd;
};

const answering = async (answer: (stream: ServerHttp2Stream) => void): Promise<EtcdMember> => {
  const server = createServer();
  server.on('stream', (stream: ServerHttp2Stream) => {
    stream.on('error', () => {});
    answer(stream);
  });
  const port = await listen(server);
  return member(`http://127.0.0.1:${port}`);
};

const framed = (message: Uint8Array, length = message.length): Buffer => {
  const frame = Buffer.alloc(5 + message.length);
  frame.writeUInt32BE(length, 1);
  frame.set(message, 5);
  return frame;
};

const withStatus = (stream: ServerHttp2Stream, body: Buffer, trailers: Record<string, string>) => {
  stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers(trailers));
  stream.end(body);
};

const problemOf = (etcd: EtcdMember, timeoutMs = 1_000): Promise<unknown> =>
  etcd.range({ key: Buffer.from('/x') }, timeoutMs).catch((cause: unknown) => cause);

test('returns exact revisions beyond 2^53', async () => {
  const revision = 2n ** 53n + 1n;
  const modRevision = 2n ** 63n - 1n;
  const message = create(RangeResponseSchema, {
    header: { revision },
    kvs: [{ key: Buffer.from('/x'), modRevision }],
  });
  const body = framed(toBinary(RangeResponseSchema, message));
  const etcd = await answering((stream) => withStatus(stream, body, { 'grpc-status': '0' }));
  const answer = await etcd.range({ key: Buffer.from('/x') }, 1_000);
  expect(answer.header?.revision).toBe(revision);
  expect(answer.kvs[0]?.modRevision).toBe(modRevision);
});

test.each<readonly [string, (stream: ServerHttp2Stream) => void, object]>([
  [
    'an error of etcd, with its code and message',
    (stream) =>
      withStatus(stream, Buffer.alloc(0), {
        'grpc-status': '11',
        'grpc-message': 'etcdserver: mvcc: required revision has been compacted',
      }),
    { code: 11, message: expect.stringMatching(/: etcdserver: mvcc: required .* compacted$/) },
  ],
  [
    'a message that is longer than the limit',
    (stream) => {
      stream.respond({ ':status': 200, 'content-type': 'application/grpc' });
      stream.write(framed(Buffer.alloc(10), 64 * 1024 * 1024 + 1));
    },
    { code: 8, message: expect.stringContaining('larger than configured readMaxBytes 67108864') },
  ],
  [
    'a message that is cut off',
    (stream) => withStatus(stream, framed(Buffer.alloc(3), 10), { 'grpc-status': '0' }),
    { code: 3 },
  ],
  [
    'a message that is not protobuf',
    (stream) => withStatus(stream, framed(Buffer.from([0xff, 0xff, 0xff])), { 'grpc-status': '0' }),
    { sent: true },
  ],
  [
    'a response without a status',
    (stream) => withStatus(stream, Buffer.alloc(0), {}),
    { sent: true },
  ],
  [
    'an HTTP error',
    (stream) => {
      stream.respond({ ':status': 503 });
      stream.end('down');
    },
    { code: 14, message: expect.stringMatching(/: HTTP 503$/) },
  ],
  ['a stream that is reset', (stream) => stream.close(2), { sent: true }],
  [
    'a refused stream, which the server has not processed,',
    (stream) => stream.close(7),
    { sent: false },
  ],
  ['a connection that is lost', (stream) => stream.session?.destroy(), { sent: true }],
  [
    'no response at all',
    () => {},
    { code: 4, message: expect.stringMatching(/: no response within/) },
  ],
])('%s is an EtcdCallError', async (_, answer, expected) => {
  const etcd = await answering(answer);
  expect(await problemOf(etcd, 500)).toMatchObject({ name: 'EtcdCallError', ...expected });
  // The connection still works, or a new one does.
  expect(await problemOf(etcd, 500)).toMatchObject({ name: 'EtcdCallError', ...expected });
});

test('reports a closed port, and that the request was not sent', async () => {
  const server = createTcpServer();
  const port = await listen(server);
  server.close();
  expect(await problemOf(member(`http://127.0.0.1:${port}`))).toMatchObject({
    name: 'EtcdCallError',
    code: 14,
    sent: false,
    message: `http://127.0.0.1:${port}: connect ECONNREFUSED 127.0.0.1:${port}`,
  });
});

test('gives up a TLS handshake that does not end, and retries it', async () => {
  let connections = 0;
  const server = createTcpServer(() => {
    connections += 1;
  });
  const port = await listen(server);
  const etcd = member(`https://127.0.0.1:${port}`);
  expect(await problemOf(etcd, 200)).toMatchObject({ code: 4, sent: false });
  expect(await problemOf(etcd, 2_500)).toMatchObject({ code: 14, sent: false });
  expect(connections).toBe(1);
  expect(await problemOf(etcd, 100)).toMatchObject({ code: 4, sent: false });
  expect(connections).toBe(2);
});

test('reads the TLS files for each new connection', async () => {
  const authority = makeCert({ subject: [['CN', 'authority']], ca: true });
  const serving = makeCert(
    { subject: [['CN', 'etcd']], eku: ['serverAuth'], san: [['ip', '7f000001']] },
    authority,
  );
  const clients = ['first', 'second'].map((name) =>
    makeCert({ subject: [['CN', name]], eku: ['clientAuth'] }, authority),
  );
  const seen: unknown[] = [];
  const server = createSecureServer({
    cert: serving.pem,
    key: serving.keyPem,
    ca: authority.pem,
    requestCert: true,
  });
  server.on('secureConnection', (socket) => {
    seen.push(socket.getPeerCertificate().subject.CN);
  });
  const message = framed(toBinary(RangeResponseSchema, create(RangeResponseSchema)));
  server.on('stream', (stream: ServerHttp2Stream, headers) => {
    stream.on('error', () => {});
    if (headers[':path'] === '/etcdserverpb.KV/Range') {
      withStatus(stream, message, { 'grpc-status': '0' });
      return;
    }
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' });
    // Checks that a watch is open when the connection is to be left.
    stream.session?.goaway(0);
  });
  const port = await listen(server);
  let at = 0;
  const etcd = member(`https://127.0.0.1:${port}`, async () => ({
    certificateAuthority: authority.pem,
    client: { certificate: String(clients[at]?.pem), key: secret(String(clients[at]?.keyPem)) },
  }));
  await etcd.range({ key: Buffer.from('/x') }, 2_000);
  at = 1;
  const stream = etcd.watch();
  const first = (async () => {
    for await (const _ of stream.responses);
  })().catch(() => {});
  stream.send({ requestUnion: { case: 'progressRequest', value: {} } });
  const endsAt = performance.now() + 5_000;
  while (seen.length < 2 && performance.now() < endsAt) {
    await etcd.range({ key: Buffer.from('/x') }, 2_000).catch(() => {});
  }
  expect(seen).toEqual(['first', 'second']);
  stream.close();
  await first;
});

test('reports an invalid client key without printing it', async () => {
  const etcd = member('https://127.0.0.1:1', async () => ({
    client: { certificate: 'no certificate', key: secret('not-a-key') },
  }));
  const problem = await problemOf(etcd);
  expect(problem).toMatchObject({ name: 'EtcdCallError', sent: false });
  expect(String(problem)).not.toContain('not-a-key');
});

test('rejects calls and watches once it is closed', async () => {
  const etcd = member('http://127.0.0.1:1');
  etcd.close();
  expect(await problemOf(etcd)).toMatchObject({
    code: 14,
    message: expect.stringMatching(/closed$/),
  });
  const stream = etcd.watch();
  await expect(stream.responses[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 14 });
});

test('loads the gRPC client only for the etcd store', () => {
  const openStore = join(import.meta.dirname, '../../../../engine/src/node/store/open-store.ts');
  const code = (place: object) => `
    import { registerHooks } from 'node:module';
    const urls = [];
    registerHooks({ load: (url, context, next) => { urls.push(url); return next(url, context); } });
    const { openStore } = await import(${JSON.stringify(openStore)});
    await openStore(${JSON.stringify(place)}, { clock: { now: () => 0 }, apiDomain: 'k8s.io' });
    console.log(urls.filter((url) => /connectrpc|bufbuild/.test(url)).length > 0);`;
  const loads = (place: object): string =>
    spawnSync(
      process.execPath,
      ['--conditions=source', '--no-warnings', '--input-type=module', '--eval', code(place)],
      { encoding: 'utf8' },
    ).stdout.trim();
  const files = { authorityFile: '', certificateFile: '', keyFile: '' };
  expect(loads({ kind: 'memory' })).toBe('false');
  expect(loads({ kind: 'etcd', endpoints: ['http://127.0.0.1:1'], prefix: '/x', ...files })).toBe(
    'true',
  );
});
