/** Failures of an etcd member after which calls go to the next member. */
import { createServer, type ServerHttp2Stream } from 'node:http2';
import { create, toBinary } from '@bufbuild/protobuf';
import { expect, onTestFinished, test } from 'vitest';
import {
  RangeResponseSchema,
  TxnResponseSchema,
} from '../../../../engine/src/node/store/etcd_pb.ts';
import { etcdMembers } from '../../../../engine/src/node/store/etcd-members.ts';
import { listenOnLoopback } from '../../../support/loopback-server.ts';

type Answer = (stream: ServerHttp2Stream) => void;

const framed = (message: Uint8Array, length = message.length): Buffer => {
  const frame = Buffer.alloc(5 + message.length);
  frame.writeUInt32BE(length, 1);
  frame.set(message, 5);
  return frame;
};

const withStatus =
  (status: string, text: string, body: Buffer = Buffer.alloc(0)): Answer =>
  (stream) => {
    stream.respond(
      { ':status': 200, 'content-type': 'application/grpc' },
      { waitForTrailers: true },
    );
    stream.on('wantTrailers', () =>
      stream.sendTrailers({ 'grpc-status': status, 'grpc-message': text }),
    );
    stream.end(body);
  };

const ranged = withStatus(
  '0',
  '',
  framed(toBinary(RangeResponseSchema, create(RangeResponseSchema))),
);
const written = withStatus('0', '', framed(toBinary(TxnResponseSchema, create(TxnResponseSchema))));

/**
 * Starts two members: the first one returns the given error, the second one works. `calls` lists
 * the member of each call.
 */
const begin = async (first: Answer) => {
  const calls: string[] = [];
  const listen = async (name: string, answerOf: (path: unknown) => Answer): Promise<string> => {
    const server = createServer();
    server.on('stream', (stream: ServerHttp2Stream, headers) => {
      stream.on('error', () => {});
      stream.resume();
      calls.push(name);
      answerOf(headers[':path'])(stream);
    });
    const { port, close } = await listenOnLoopback(server);
    onTestFinished(close);
    return `http://127.0.0.1:${port}`;
  };
  const members = etcdMembers(
    [
      await listen('first', () => first),
      await listen('second', (path) => (path === '/etcdserverpb.KV/Txn' ? written : ranged)),
    ],
    async () => ({}),
  );
  onTestFinished(() => members.close());
  const outcome = (call: Promise<unknown>): Promise<unknown> =>
    call.then(
      () => 'done',
      (cause: unknown) => cause,
    );
  return {
    calls,
    range: () => outcome(members.range({ key: Buffer.from('/x') })),
    txn: () => outcome(members.txn({})),
  };
};

const tooLarge = 'etcdserver: request is too large';
const received = 'grpc: received message larger than max (3145828 vs. 2097152)';
const refused = (message: string) => ({
  problem: 'refused',
  apiError: { code: 500, reason: '', message },
});

test.each<readonly [string, Answer, object]>([
  ['a request that is too large', withStatus('3', tooLarge), refused(tooLarge)],
  ['a request that is too large for gRPC', withStatus('8', received), refused(received)],
  [
    'another invalid request',
    withStatus('3', 'etcdserver: user name is empty'),
    { problem: 'unavailable', apiError: undefined },
  ],
  [
    'a full database',
    withStatus('8', 'etcdserver: mvcc: database space exceeded'),
    { problem: 'unavailable', apiError: undefined },
  ],
  [
    'a response over our limit',
    (stream) => {
      stream.respond({ ':status': 200, 'content-type': 'application/grpc' });
      stream.write(framed(Buffer.alloc(10), 64 * 1024 * 1024 + 1));
    },
    { problem: 'unavailable', apiError: undefined },
  ],
])('%s is no reason to use the next member', async (_, answer, expected) => {
  const rig = await begin(answer);
  expect(await rig.txn()).toMatchObject(expected);
  expect(await rig.range()).toMatchObject(expected);
  expect(rig.calls).toEqual(['first', 'first']);
});

test.each<readonly [string, Answer]>([
  ['a member that is overloaded', withStatus('8', 'etcdserver: too many requests')],
  ['a member without a leader', withStatus('14', 'etcdserver: no leader')],
  [
    'a message that is cut off',
    (stream) => {
      stream.respond({ ':status': 200, 'content-type': 'application/grpc' });
      stream.end(framed(Buffer.alloc(3), 10));
    },
  ],
  ['a stream that is reset with ENHANCE_YOUR_CALM', (stream) => stream.close(11)],
])('%s sends the call to the next member', async (_, answer) => {
  const rig = await begin(answer);
  expect(await rig.range()).toBe('done');
  expect(await rig.txn()).toBe('done');
  expect(rig.calls).toEqual(['first', 'second', 'second']);
});
