/** Shares of users in a running server, over HTTP/2. */
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Decision } from '../../../engine/src/model/decision.ts';
import { reveal } from '../../../engine/src/model/secret.ts';
import type { RunningServer } from '../../../engine/src/server/server.ts';
import {
  type FakeOptions,
  fakeGeneration,
  reach,
  startFake,
} from '../../support/fake-generation.ts';
import { flags, frame, frameTypes } from '../../support/http2-frames.ts';
import { rawExchange } from '../../support/raw-exchange.ts';
import { openRaw, type RawHttp2 } from '../../support/raw-http2.ts';

const reviews = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const tokenReviews = '/apis/authentication.k8s.io/v1/tokenreviews';

const start = async (fake: FakeOptions): Promise<RunningServer> => {
  const server = await startFake(fake);
  onTestFinished(() => server.close(0));
  return server;
};

const text = (value: string): Buffer =>
  Buffer.concat([
    value.length < 127 ? Buffer.from([value.length]) : Buffer.from([127, value.length - 127]),
    Buffer.from(value),
  ]);

interface Shape {
  readonly method?: string;
  readonly path?: string;
  readonly token?: string;
  /** The body; not sent if absent, though the stream stays open. */
  readonly body?: string;
}

const request = (stream: number, shape: Shape): Buffer => {
  const { method = 'POST', path = reviews, token, body } = shape;
  const fields = {
    ':method': method,
    ':scheme': 'https',
    ':authority': 'localhost',
    ':path': path,
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    'content-type': 'application/json',
  };
  const payload = Buffer.concat(
    Object.entries(fields).flatMap(([name, value]) => [Buffer.from([0]), text(name), text(value)]),
  );
  const ends = method === 'GET' ? flags.endStream : 0;
  const head = frame(frameTypes.headers, { flags: flags.endHeaders | ends, stream, payload });
  if (body === undefined) return head;
  const data = { flags: flags.endStream, stream, payload: Buffer.from(body) };
  return Buffer.concat([head, frame(frameTypes.data, data)]);
};

/** The body of a request that was sent without its body. */
const bodyOf = (stream: number): Buffer =>
  frame(frameTypes.data, { flags: flags.endStream, stream, payload: Buffer.from('{}') });

const open = async (server: RunningServer): Promise<RawHttp2> => {
  const connection = await openRaw(reach(server));
  onTestFinished(() => connection.close());
  return connection;
};

/** Returns the status of one request on a connection of its own. */
const statusOf = async (server: RunningServer, shape: Shape): Promise<number | undefined> => {
  const connection = await open(server);
  connection.send(request(1, shape));
  return (await connection.answer(1)).status;
};

const limits = (waiting: number) => ({
  waitingLimits: {
    waitingForAuthentication: waiting,
    waitingForBody: waiting,
    waitingForReview: waiting,
  },
});

/** Decides as usual, except for the token `stuck`, whose decision the test makes. */
const withStuckToken = () => {
  const stage = fakeGeneration();
  const waiting: ((decision: Decision) => void)[] = [];
  const decide: FakeOptions['decide'] = (asked, within) =>
    asked.token !== undefined && reveal(asked.token) === 'stuck'
      ? new Promise((resolve) => waiting.push(resolve))
      : stage.authenticate(asked, within);
  return { waiting, decide };
};

const reviewOf = (token: string): string =>
  JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec: { token } });

describe('requests that wait for their body', () => {
  test('does not affect other users when a flood of bodies never arrives', async () => {
    const server = await start({ settings: limits(4) });
    const flood = await open(server);
    for (const stream of [1, 3, 5, 7, 9]) flood.send(request(stream, { token: 'tok-alice' }));
    const refused = await flood.answer(9);
    expect(refused.status).toBe(429);
    expect(refused.body).toBe('Too many requests, please try again later.\n');
    expect(refused.headerBlocks.flat()).toContainEqual(['retry-after', '1']);
    // Bodies that arrive together with their header fields need no place.
    expect(await statusOf(server, { token: 'tok-monitor', body: '{}' })).toBe(201);
    expect(await statusOf(server, { token: 'tok-admin', body: '{}' })).toBe(201);
    expect(await statusOf(server, { method: 'GET', path: '/livez' })).toBe(200);
    const other = await open(server);
    other.send(request(1, { token: 'tok-monitor' }));
    await other.alive();
    other.send(bodyOf(1));
    expect((await other.answer(1)).status).toBe(201);
    // The oldest one made room; the others go on when their bodies come.
    expect((await flood.answer(1)).status).toBe(429);
    for (const stream of [3, 5, 7]) {
      flood.send(bodyOf(stream));
      expect((await flood.answer(stream)).status).toBe(201);
    }
  });

  test('lets one user wait with as many requests as there are places', async () => {
    const server = await start({ settings: limits(80) });
    const connection = await open(server);
    const streams = Array.from({ length: 80 }, (_, at) => 2 * at + 1);
    for (const stream of streams) connection.send(request(stream, { token: 'tok-alice' }));
    await connection.alive();
    for (const stream of streams) connection.send(bodyOf(stream));
    for (const stream of streams) expect((await connection.answer(stream)).status).toBe(201);
  });

  test('needs no place for administrators', async () => {
    const server = await start({ settings: limits(1) });
    const flood = await open(server);
    for (const stream of [1, 3, 5]) flood.send(request(stream, { token: 'tok-admin' }));
    await flood.alive();
    for (const stream of [1, 3, 5]) expect(flood.received(stream).status).toBeUndefined();
    expect(await statusOf(server, { token: 'tok-alice', body: '{}' })).toBe(201);
  });
});

describe('requests that wait for a decision', () => {
  test('answers probes while unauthenticated clients occupy every place', async () => {
    const { waiting, decide } = withStuckToken();
    const server = await start({ settings: limits(2), decide });
    const flood = await open(server);
    for (const stream of [1, 3]) flood.send(request(stream, { token: 'stuck', body: '{}' }));
    await vi.waitFor(() => expect(waiting).toHaveLength(2));
    expect(await statusOf(server, { method: 'GET', path: '/livez' })).toBe(200);
    expect(await statusOf(server, { token: 'tok-alice', body: '{}' })).toBe(201);
    flood.send(request(5, { token: 'stuck', body: '{}' }));
    expect((await flood.answer(5)).status).toBe(429);
  });

  test('lets a waiting review of one user make room for the review of another user', async () => {
    const { waiting, decide } = withStuckToken();
    const everyone = { kind: 'group', name: 'system:authenticated' } as const;
    const server = await start({
      settings: limits(1),
      decide,
      options: {
        tokenReviewOpen: [everyone],
        maxRequestsInFlight: 1,
        maxMutatingRequestsInFlight: 0,
      },
    });
    const alice = await open(server);
    const body = reviewOf('stuck');
    alice.send(request(1, { path: tokenReviews, token: 'tok-alice', body }));
    await vi.waitFor(() => expect(waiting).toHaveLength(1));
    // The only seat is free again while the review waits.
    expect(await statusOf(server, { token: 'tok-alice', body: '{}' })).toBe(201);
    const monitor = await open(server);
    monitor.send(request(1, { path: tokenReviews, token: 'tok-monitor', body }));
    expect((await alice.answer(1)).status).toBe(429);
    await vi.waitFor(() => expect(waiting).toHaveLength(2));
    for (const settle of waiting) settle({ kind: 'noOpinion' });
    expect((await monitor.answer(1)).status).toBe(201);
  });
});

describe('--enable-priority-and-fairness=false', () => {
  const options = {
    priorityAndFairness: false,
    maxRequestsInFlight: 1,
    maxMutatingRequestsInFlight: 1,
  };

  test('returns a 429 over the limit for any user; read-only requests have a separate limit', async () => {
    const server = await start({ options });
    const alice = await open(server);
    alice.send(request(1, { token: 'tok-alice' }));
    await alice.alive();
    expect(await statusOf(server, { token: 'tok-monitor', body: '{}' })).toBe(429);
    expect(await statusOf(server, { token: 'tok-admin', body: '{}' })).toBe(201);
    expect(await statusOf(server, { method: 'GET', path: '/livez' })).toBe(200);
    expect(await statusOf(server, { method: 'GET', path: '/version', token: 'tok-monitor' })).toBe(
      200,
    );
    const payload = Buffer.from('{}');
    alice.send(frame(frameTypes.data, { flags: flags.endStream, stream: 1, payload }));
    expect((await alice.answer(1)).status).toBe(201);
    expect(await statusOf(server, { token: 'tok-monitor', body: '{}' })).toBe(201);
  });
});

describe('HTTP/1.1', () => {
  const pipelined = (count: number): string =>
    Array.from({ length: count }, () => 'GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n').join('');

  test('disconnects a client that pipelines too many requests', async () => {
    const server = await start({});
    const flood = await rawExchange(reach(server), pipelined(200));
    expect(flood.raw.split('HTTP/1.1 ').length).toBeLessThan(200);
    const last = 'GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
    const answered = await rawExchange(reach(server), pipelined(31) + last);
    expect(answered.raw.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(32);
  });
});

describe('--goaway-chance', () => {
  test('closes an HTTP/2 connection after a response', async () => {
    const server = await start({ options: { goawayChance: 1 } });
    const connection = await open(server);
    connection.send(request(1, { token: 'tok-alice', body: '{}' }));
    expect((await connection.answer(1)).status).toBe(201);
    expect((await connection.ended()).goaways).toEqual([0]);
  });
});
