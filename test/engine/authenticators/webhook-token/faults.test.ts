/** Webhooks that are unavailable, hang, are slow or send invalid responses, with real sockets. */
import { createSecureServer } from 'node:http2';
import { setTimeout as pause } from 'node:timers/promises';
import { createServer as createTlsServer } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Decision } from '../../../../engine/src/model/decision.ts';
import { nodePorts } from '../../../../engine/src/node/ports.ts';
import { fakeClock } from '../../../support/fake-ports.ts';
import { listenOnLoopback } from '../../../support/loopback-server.ts';
import { manualClock } from '../../../support/manual-clock.ts';
import {
  type WebhookClient,
  type WebhookClientOptions,
  webhookClient,
} from '../../../support/webhook-client.ts';
import {
  type ScriptedResponse,
  type WebhookServer,
  type WebhookServerOptions,
  webhookServer,
} from '../../../support/webhook-server.ts';

const serve = async (options: WebhookServerOptions): Promise<WebhookServer> => {
  const server = await webhookServer(options);
  onTestFinished(() => server.close());
  return server;
};

const connect = async (
  server: Pick<WebhookServer, 'url' | 'authority'>,
  options: WebhookClientOptions = {},
): Promise<WebhookClient> => {
  const client = await webhookClient(`${server.url}/authenticate`, {
    ...options,
    files: { 'ca.pem': server.authority.pem, ...options.files },
    cluster: { 'certificate-authority': 'ca.pem', ...options.cluster },
  });
  onTestFinished(() => client.close());
  return client;
};

const accepting = (more: object = {}): ScriptedResponse => ({
  body: JSON.stringify({ status: { authenticated: true, user: { username: 'alice' }, ...more } }),
});

const messageOf = (decision: Decision): string =>
  decision.kind === 'rejected' ? decision.reason.message : decision.kind;

const rejectionOf = async (script: readonly ScriptedResponse[]): Promise<string> => {
  const client = await connect(await serve({ script }));
  return messageOf(await client.decide('a-token-of-alice'));
};

describe('an unavailable webhook', () => {
  test('connection refused: fails immediately with kube-apiserver’s message, and recovers', async () => {
    const server = await serve({ script: [accepting()] });
    const { port } = new URL(server.url);
    await server.close();
    const client = await connect(server);
    expect(messageOf(await client.decide('t'))).toBe(
      `Post "https://127.0.0.1:${port}/authenticate?timeout=30s": dial tcp 127.0.0.1:${port}: connect: connection refused`,
    );
    expect(client.events).toMatchObject([
      { level: 'error', message: 'Failed to make webhook authenticator request' },
    ]);
  });

  test('a connection that closes without a response is not retried', async () => {
    const server = await serve({ script: [{ drop: true }] });
    const client = await connect(server);
    expect(messageOf(await client.decide('t'))).toMatch(/: EOF$/);
    expect(server.seen.length).toBe(1);
  });

  test('a reset connection is retried', async () => {
    let requests = 0;
    const server = await serve({
      behave(_request, response) {
        requests += 1;
        if (requests > 2) return accepting();
        const { socket } = response;
        // The TCP connection below TLS, because only that one can be reset.
        const parent = socket !== null && '_parent' in socket ? socket._parent : undefined;
        if (typeof parent === 'object' && parent !== null && 'resetAndDestroy' in parent) {
          Reflect.apply(Object(parent).resetAndDestroy, parent, []);
        }
        return undefined;
      },
    });
    const client = await connect(server);
    expect((await client.decide('t')).kind).toBe('accepted');
    expect(requests).toBe(3);
  });

  test('a failure is not cached: the next request calls the webhook again', async () => {
    const server = await serve({ script: [{ status: 403 }, accepting()] });
    const client = await connect(server);
    expect((await client.decide('t')).kind).toBe('rejected');
    expect((await client.decide('t')).kind).toBe('accepted');
    expect((await client.decide('t')).kind).toBe('accepted');
    expect(server.seen.length).toBe(2);
  });
});

describe('a slow webhook', () => {
  test('times out after thirty seconds, for all waiting callers', async () => {
    const clock = fakeClock();
    const server = await serve({ behave: () => undefined });
    const client = await connect(server, { ports: { clock } });
    const waiting = [client.decide('t'), client.decide('t')];
    await vi.waitFor(() => expect(server.seen.length).toBe(1));
    clock.advance(29_999);
    clock.advance(1);
    for (const decision of await Promise.all(waiting)) {
      expect(messageOf(decision)).toBe(
        `Post "${server.url}/authenticate?timeout=30s": context deadline exceeded`,
      );
    }
  });

  test('fifty equal requests share one call', async () => {
    const server = await serve({ script: [{ ...accepting(), delayMs: 50 }] });
    const client = await connect(server);
    const decisions = await Promise.all(Array.from({ length: 50 }, () => client.decide('t')));
    expect(decisions.every(({ kind }) => kind === 'accepted')).toBe(true);
    expect(server.seen.length).toBe(1);
  });

  test('a caller that leaves gets no response; the others do, and it is cached', async () => {
    const server = await serve({ script: [{ ...accepting(), delayMs: 100 }] });
    const client = await connect(server);
    const leaving = new AbortController();
    const first = client.decide('t', { signal: leaving.signal });
    const second = client.decide('t');
    leaving.abort();
    expect(messageOf(await first)).toBe('context canceled');
    expect((await second).kind).toBe('accepted');
    expect((await client.decide('t')).kind).toBe('accepted');
    expect(server.seen.length).toBe(1);
  });

  test('a request whose callers have left is not logged as a failure of the webhook', async () => {
    const server = await serve({ script: [{ ...accepting(), delayMs: 5_000 }] });
    const client = await connect(server);
    const leaving = new AbortController();
    const left = client.decide('t', { signal: leaving.signal });
    await vi.waitFor(() => expect(server.seen.length).toBe(1));
    leaving.abort();
    await left;
    await pause(50);
    expect(client.events).toEqual([]);
  });

  test('makes five attempts, starting with 0.5 s and half as much again between them', async () => {
    const time = manualClock();
    const server = await serve({ script: [{ status: 500 }] });
    const client = await connect(server, {
      ports: { clock: time.clock, randomness: { fraction: () => 0, uuid: () => 'x' } },
      module: { backoff: { firstMs: 500, factor: 1.5, jitter: 0.2, tries: 5 } },
    });
    const decision = client.decide('t');
    for (const [tries, pauseMs] of [500, 750, 1125, 1687.5].entries()) {
      // The deadline and the delay are waiting.
      await vi.waitFor(() => expect(time.waiting()).toBe(2));
      expect(server.seen.length).toBe(tries + 1);
      time.pass(pauseMs - 1);
      expect(time.waiting()).toBe(2);
      time.pass(1);
      expect(time.waiting()).toBe(1);
    }
    expect(messageOf(await decision)).toContain('an error on the server ("unknown")');
    expect(server.seen.length).toBe(5);
    expect(time.waiting()).toBe(0);
  });

  test('a caller that leaves as its request gets a seat does not keep the seat', async () => {
    const leaving = new AbortController();
    let leavesNow = false;
    const clock = {
      ...nodePorts().clock,
      // The wait for a seat is canceled at the moment the seat becomes free.
      after: () => () => {
        if (leavesNow) leaving.abort();
      },
    };
    const sent: (() => void)[] = [];
    const http = {
      get: () => Promise.reject(new Error('not asked')),
      connect: () => ({
        send: () =>
          new Promise<never>((_, reject) => {
            sent.push(() => reject(new Error('no answer')));
          }),
        close: () => Promise.resolve(),
      }),
      close: () => Promise.resolve(),
    };
    const client = await connect(await serve({}), { ports: { http, clock } });
    for (let at = 0; at < 128; at += 1) void client.decide(`hanging-${at}`);
    await vi.waitFor(() => expect(sent).toHaveLength(128));
    const left = client.decide('leaving', { signal: leaving.signal });
    await pause(10);
    leavesNow = true;
    sent[0]?.();
    expect(messageOf(await left)).toBe('context canceled');
    leavesNow = false;
    void client.decide('next');
    await vi.waitFor(() => expect(sent).toHaveLength(129));
  });

  test('more than 4,096 concurrent tokens are rejected without a call', async () => {
    const http = {
      get: () => Promise.reject(new Error('not asked')),
      connect: () => ({
        send: () => new Promise<never>(() => {}),
        close: () => Promise.resolve(),
      }),
      close: () => Promise.resolve(),
    };
    const client = await connect(await serve({}), { ports: { http } });
    const waiting = Array.from({ length: 4096 }, (_, number) => client.decide(`token-${number}`));
    expect(await client.decide('one-more')).toMatchObject({
      kind: 'rejected',
      reason: { code: 'AG5063', message: 'webhook: more than 4096 requests are in flight' },
    });
    // A caller of a request in flight does not count as a new request.
    const leaving = new AbortController();
    const same = client.decide('token-1', { signal: leaving.signal });
    leaving.abort();
    expect(messageOf(await same)).toBe('context canceled');
    expect(waiting.length).toBe(4096);
  });
});

describe('the cache', () => {
  test.each([
    ['accepted', accepting()],
    ['noOpinion', { body: '{"status":{"authenticated":false}}' }],
  ] as const)('%s is cached for two minutes, and hits do not extend it', async (kind, reply) => {
    const clock = fakeClock();
    const server = await serve({ script: [reply] });
    const client = await connect(server, { ports: { clock } });
    expect((await client.decide('t')).kind).toBe(kind);
    clock.advance(119_999);
    expect((await client.decide('t')).kind).toBe(kind);
    expect(server.seen.length).toBe(1);
    clock.advance(1);
    expect((await client.decide('t')).kind).toBe(kind);
    expect(server.seen.length).toBe(2);
  });

  test('0s disables the cache', async () => {
    const server = await serve({ script: [accepting()] });
    const client = await connect(server, { cacheTtlMs: 0 });
    await client.decide('t');
    await client.decide('t');
    expect(server.seen.length).toBe(2);
  });

  test('other audiences are another entry, in another order as well', async () => {
    const server = await serve({ script: [accepting()] });
    const client = await connect(server, { apiAudiences: ['a', 'b'] });
    await client.decide('t', { audiences: ['a', 'b'] });
    await client.decide('t', { audiences: ['b', 'a'] });
    await client.decide('t', { audiences: ['a', 'b'] });
    expect(server.seen.length).toBe(2);
  });
});

describe('an invalid response', () => {
  test.each<[string, readonly ScriptedResponse[], string | RegExp]>([
    [
      'another version',
      [{ body: '{"kind":"TokenReview","apiVersion":"authentication.k8s.io/v1beta1"}' }],
      'converting (v1beta1.TokenReview) to (v1.TokenReview): unknown conversion',
    ],
    [
      'authenticated without a user',
      [{ body: '{"status":{"authenticated":true}}' }],
      'webhook: refused: the review names no user',
    ],
    ['authenticated as a text', [{ body: '{"status":{"authenticated":"true"}}' }], /^json: /],
    [
      'ten thousand groups and one',
      [accepting({ user: { username: 'a', groups: Array.from({ length: 10_001 }, () => 'g') } })],
      'webhook: refused: more than 10000 groups',
    ],
    [
      '100 MB',
      [{ body: new Uint8Array(100 * 1024 * 1024) }],
      'unexpected error when reading response body. Please retry. Original error: response body is larger than 1048576 bytes',
    ],
    [
      'a small text that unpacks to 100 MB',
      [
        {
          body: gzipSync(new Uint8Array(100 * 1024 * 1024)),
          headers: [['content-encoding', 'gzip']],
        },
      ],
      'unexpected error when reading response body. Please retry. Original error: response body is larger than 1048576 bytes',
    ],
    [
      'a hundred thousand values',
      [{ body: `{"x":[${'0,'.repeat(100_000)}0]}` }],
      'refused: more than 50000 values',
    ],
    [
      'a long text that is no JSON',
      [{ body: `x: [${'0,'.repeat(100_000)}0]` }],
      'refused: more than 65536 bytes that are not JSON',
    ],
    ['truncated JSON', [{ body: '{"status":{"authenticated":true' }], /unexpected end of JSON/],
    [
      'sixty-five levels',
      [{ body: `{"status":${'['.repeat(65)}${']'.repeat(65)}}` }],
      /exceeded max depth/,
    ],
    ['another protocol', [{ status: 101 }], /^Post "/],
  ])('%s', async (_what, script, message) => {
    expect(await rejectionOf(script)).toEqual(
      typeof message === 'string' ? message : expect.stringMatching(message),
    );
  });

  test('that ends in the middle', async () => {
    const server = await serve({
      behave(_request, response) {
        response.setHeader('content-length', '400');
        response.write('{"status":', () => response.destroy());
        return undefined;
      },
    });
    const client = await connect(server);
    expect(messageOf(await client.decide('t'))).toMatch(
      /^unexpected error when reading response body\. Please retry\. Original error: /,
    );
  });

  test('with other audiences has no opinion', async () => {
    const client = await connect(await serve({ script: [accepting({ audiences: ['other'] })] }));
    expect((await client.decide('t', { audiences: ['api'] })).kind).toBe('noOpinion');
  });

  test.each([301, 302, 303, 307, 308])('with a redirect %d is not followed', async (status) => {
    const elsewhere = await serve({ script: [accepting()] });
    const script = [{ status, headers: [['location', `${elsewhere.url}/`]] as const }];
    const server = await serve({ script });
    const client = await connect(server, { user: { token: 'our-own-credential' } });
    expect(messageOf(await client.decide('a-token-of-alice'))).toBe(
      `the server responded with the status code ${status} but did not return more information`,
    );
    expect(server.seen.length).toBe(1);
    expect(elsewhere.seen).toEqual([]);
  });

  test('may contain names of prototype members', async () => {
    const body =
      '{"status":{"authenticated":true,"user":{"username":"a","extra":{"__proto__":["x"],"constructor":["y"]}},"__proto__":{"authenticated":false}}}';
    const client = await connect(await serve({ script: [{ body }] }));
    expect(await client.decide('t')).toMatchObject({
      user: {
        extra: new Map([
          ['__proto__', ['x']],
          ['constructor', ['y']],
        ]),
      },
    });
  });

  test('in HTTP/2 only is an error', async () => {
    const authority = (await serve({})).authority;
    const certificate = authority.issue();
    const server = createTlsServer(
      { cert: certificate.pem, key: certificate.keyPem, ALPNProtocols: ['h2'] },
      (socket) => {
        socket.on('error', () => {});
        // The first frame of an HTTP/2 server.
        socket.end(Buffer.from('000000040000000000', 'hex'));
      },
    );
    const { port, close } = await listenOnLoopback(server);
    onTestFinished(close);
    const client = await connect({ url: `https://127.0.0.1:${port}`, authority });
    expect(messageOf(await client.decide('t'))).toMatch(/^Post "/);
  });

  test('a server that supports both versions is called with HTTP/1.1', async () => {
    const authority = (await serve({})).authority;
    const certificate = authority.issue();
    const versions: string[] = [];
    const server = createSecureServer(
      { cert: certificate.pem, key: certificate.keyPem, allowHTTP1: true },
      (request, response) => {
        versions.push(request.httpVersion);
        response.end('{"status":{"authenticated":true,"user":{"username":"bob"}}}');
      },
    );
    const { port, close } = await listenOnLoopback(server);
    onTestFinished(close);
    const client = await connect({ url: `https://127.0.0.1:${port}`, authority });
    expect((await client.decide('t')).kind).toBe('accepted');
    expect(versions).toEqual(['1.1']);
  });
});
