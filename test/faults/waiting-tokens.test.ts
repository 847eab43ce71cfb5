/**
 * Tokens whose validation waits for a webhook or for the keys of an issuer: a flood of one client
 * next to the token of another one. The listener, the webhook and the issuer are real and on
 * loopback; each client has its own address.
 */
import { type ClientHttp2Session, connect } from 'node:http2';
import { connect as connectSocket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { CacheLimits } from '../../engine/src/model/decision-bytes.ts';
import { reveal } from '../../engine/src/model/secret.ts';
import { keySetOf } from '../../engine/src/node/mint.ts';
import { nodePorts } from '../../engine/src/node/ports.ts';
import { link } from '../../engine/src/runtime/link.ts';
import type { RunningServer } from '../../engine/src/server/server.ts';
import { fakeGeneration, reach, startFake } from '../support/fake-generation.ts';
import { jwtNode, type TestIssuer, testIssuer } from '../support/test-issuer.ts';
import { webhookClient } from '../support/webhook-client.ts';
import { webhookServer } from '../support/webhook-server.ts';

/** A busy machine takes seconds for a hundred handshakes. */
const patienceMs = 20_000;
vi.setConfig({ testTimeout: 3 * patienceMs });

/** Limits of a container of 256 MiB. */
const limits: CacheLimits = { cacheBytes: 2 ** 20, pendingTokenBytes: 5_400_000 };
const waiting = { waitingForAuthentication: 332, waitingForBody: 332, waitingForReview: 332 };

const accepting = JSON.stringify({
  apiVersion: 'authentication.k8s.io/v1',
  kind: 'TokenReview',
  status: { authenticated: true, user: { username: 'jane' } },
});

/** A webhook that responds at once to tokens that contain `good`, and to no others. */
const hangingWebhook = async () => {
  const hanging = new Map<string, () => void>();
  const given = { up: 0 };
  const server = await webhookServer({
    names: ['localhost'],
    behave({ body }, response) {
      if (body.includes('good')) return { body: accepting };
      const token: string = JSON.parse(body).spec.token;
      hanging.set(token, () =>
        response.setHeader('content-type', 'application/json').end(accepting),
      );
      response.once('close', () => {
        hanging.delete(token);
        if (!response.writableEnded) given.up += 1;
      });
      return undefined;
    },
  });
  onTestFinished(() => server.close());
  const certificateAuthority = Buffer.from(server.authority.pem).toString('base64');
  const client = await webhookClient(server.url.replace('127.0.0.1', 'localhost'), {
    cluster: { 'certificate-authority-data': certificateAuthority },
  });
  onTestFinished(() => client.close());
  return { hanging, given, authenticator: client.authenticator };
};

/** An issuer whose key set is served when the test says so. */
const hangingIssuer = async (): Promise<{
  readonly issuer: TestIssuer;
  release(): void;
  pem: string;
}> => {
  const requests: (() => void)[] = [];
  const server = await webhookServer({
    names: ['localhost'],
    behave({ path }, response) {
      if (path !== '/keys')
        return { body: JSON.stringify({ issuer: url, jwks_uri: `${url}/keys` }) };
      requests.push(() => response.end(JSON.stringify(keySetOf(issuer.keys))));
      return undefined;
    },
  });
  onTestFinished(() => server.close());
  const url = server.url.replace('127.0.0.1', 'localhost');
  const issuer = await testIssuer(url);
  return {
    issuer,
    pem: server.authority.pem,
    release() {
      for (const answer of requests.splice(0)) answer();
    },
  };
};

type Parts = {
  readonly webhook?: Awaited<ReturnType<typeof hangingWebhook>>;
  readonly issuer?: Awaited<ReturnType<typeof hangingIssuer>>;
};

const start = async ({ webhook, issuer }: Parts): Promise<RunningServer> => {
  const ports = nodePorts();
  onTestFinished(() => ports.http.close());
  const nodes =
    issuer === undefined ? [] : [jwtNode(issuer.issuer, { certificateAuthority: issuer.pem })];
  const linked = link(
    {
      apiDomain: 'k8s.io',
      targetRelease: 37,
      nodes,
      anonymous: { module: 'anonymous', enabled: true, paths: undefined, fromFile: false },
    },
    ports,
    {
      mode: 'product',
      jwksRefetch: 'throttled',
      cacheLimits: limits,
      flagModules: {
        certificateModules: [],
        tokensBeforeJwt: [],
        tokensAfterJwt:
          webhook === undefined
            ? []
            : [{ id: 'webhook-token', authenticator: webhook.authenticator, audiences: 'aware' }],
      },
    },
  );
  onTestFinished(() => linked.close());
  await linked.waitForDiscovery(AbortSignal.timeout(5_000));
  const people = fakeGeneration();
  const server = await startFake({
    decide: (request, waiter) =>
      request.token !== undefined && reveal(request.token).startsWith('tok-')
        ? people.authenticate(request, waiter)
        : linked.authenticateFor(request, waiter),
    settings: { waitingLimits: waiting },
    // A 401 does not end the connection of the flood.
    options: {
      featureGates: new Map([['UnauthenticatedHTTP2DOSMitigation', false]]),
      tokenReviewOpen: [{ kind: 'group', name: 'system:authenticated' }],
    },
  });
  onTestFinished(() => server.close(0));
  return server;
};

const open = (server: RunningServer, localAddress: string): ClientHttp2Session => {
  const { port, authorityPem } = reach(server);
  const session = connect(`https://localhost:${port}`, {
    createConnection: () =>
      connectTls({
        socket: connectSocket({ host: '127.0.0.1', port, localAddress }),
        ca: authorityPem,
        servername: 'localhost',
        ALPNProtocols: ['h2'],
      }),
  });
  session.on('error', () => {});
  onTestFinished(() => session.destroy());
  return session;
};

/** Responses to authenticated requests; authorization is not tested here. */
const accepted: readonly number[] = [200, 403];

/** Returns the status of a request with the token; 0 if its stream is reset. */
const statusOf = (session: ClientHttp2Session, token: string, path = '/api'): Promise<number> =>
  new Promise((resolve) => {
    const stream = session.request({ ':path': path, authorization: `Bearer ${token}` });
    stream.on('response', (headers) => resolve(Number(headers[':status'])));
    stream.on('error', () => resolve(0));
    stream.on('close', () => resolve(0));
    stream.resume();
    stream.end();
  });

/** Returns status and body of a TokenReview. */
const review = (
  session: ClientHttp2Session,
  as: string,
  token: string,
): Promise<{ readonly status: number; readonly body: string }> =>
  new Promise((resolve) => {
    const stream = session.request({
      ':method': 'POST',
      ':path': '/apis/authentication.k8s.io/v1/tokenreviews',
      authorization: `Bearer ${as}`,
      'content-type': 'application/json',
    });
    let status = 0;
    let body = '';
    stream.on('response', (headers) => {
      status = Number(headers[':status']);
    });
    stream.on('error', () => {});
    stream.on('data', (chunk) => {
      body += String(chunk);
    });
    stream.on('close', () => resolve({ status, body }));
    const kind = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview' };
    stream.end(JSON.stringify({ ...kind, spec: { token } }));
  });

/** Keeps as many requests in flight as the connections allow, each with its own token. */
const flood = (
  sessions: readonly ClientHttp2Session[],
  tokenOf: (at: number) => string,
  path?: string,
) => {
  const statuses = new Map<number, number>();
  const state = { sent: 0, isOver: false };
  const run = async (session: ClientHttp2Session): Promise<void> => {
    while (!state.isOver) {
      state.sent += 1;
      const status = await statusOf(session, tokenOf(state.sent), path);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status === 0) return;
      await pause(20);
    }
  };
  for (const session of sessions) for (let at = 0; at < 100; at += 1) void run(session);
  onTestFinished(() => {
    state.isOver = true;
  });
  return { statuses, state };
};

describe('a webhook that does not respond for the tokens of one client', () => {
  test.each([['/api'], ['/livez']])(
    'accepts uncached tokens of another client during a flood of other tokens, on %s',
    async (path) => {
      const webhook = await hangingWebhook();
      const server = await start({ webhook });
      const sessions = Array.from({ length: 5 }, () => open(server, '127.0.0.1'));
      const { state, statuses } = flood(sessions, (at) => `forged-${at}`, path);

      await vi.waitFor(() => expect(webhook.hanging.size).toBeGreaterThanOrEqual(32), patienceMs);
      const other = open(server, '127.0.0.2');
      const inFlood = open(server, '127.0.0.1');
      for (const at of [1, 2]) {
        const before = performance.now();
        expect(accepted).toContain(await statusOf(other, `good-${at}`));
        expect(accepted).toContain(await statusOf(inFlood, `good-too-${at}`));
        expect(performance.now() - before).toBeLessThan(5_000);
      }
      await vi.waitFor(() => expect(state.sent).toBeGreaterThan(1_000), patienceMs);
      expect([...statuses.keys()].filter((status) => status !== 429)).toEqual([]);
    },
  );

  test('drops a request of the client with the most requests at the webhook for a client with fewer', async () => {
    const webhook = await hangingWebhook();
    const server = await start({ webhook });
    const [first, second] = [open(server, '127.0.0.1'), open(server, '127.0.0.1')];
    const answers = Array.from({ length: 160 }, (_, at) =>
      statusOf(at < 80 ? first : second, `forged-${at}`),
    );
    await vi.waitFor(() => expect(webhook.hanging.size).toBe(128), patienceMs);
    expect(accepted).toContain(await statusOf(open(server, '127.0.0.2'), 'good'));
    expect(
      await Promise.race([
        Promise.any(answers.map(async (status) => (await status) === 429)),
        pause(1_000),
      ]),
    ).toBe(true);
  });

  test('drops TokenReviews of one user with a 429 for those of another user', async () => {
    const webhook = await hangingWebhook();
    const server = await start({ webhook });
    const sessions = [open(server, '127.0.0.1'), open(server, '127.0.0.1')];
    const answers = Array.from({ length: 160 }, (_, at) =>
      review(sessions[at % 2] ?? open(server, '127.0.0.1'), 'tok-alice', `forged-${at}`),
    );
    await vi.waitFor(() => expect(webhook.hanging.size).toBe(128), patienceMs);
    const { status, body } = await review(open(server, '127.0.0.1'), 'tok-monitor', 'good');
    expect([status, JSON.parse(body).status.user?.username]).toEqual([201, 'jane']);
    const refused = await Promise.race(answers);
    expect(refused).toEqual({
      status: 429,
      body: 'Too many requests, please try again later.\n',
    });
  });

  test('cancels a webhook call when its last caller is gone, and continues it for remaining callers', async () => {
    const webhook = await hangingWebhook();
    const server = await start({ webhook });
    const [leaving, staying] = [open(server, '127.0.0.1'), open(server, '127.0.0.2')];
    void statusOf(leaving, 'of-one');
    const gone = statusOf(leaving, 'of-both');
    await vi.waitFor(() => expect(webhook.hanging.size).toBe(2));
    const stayed = statusOf(staying, 'of-both');
    await pause(50);
    leaving.destroy();
    expect(await gone).toBe(0);
    await vi.waitFor(() => expect([...webhook.hanging.keys()]).toEqual(['of-both']));
    expect(webhook.given.up).toBe(1);
    webhook.hanging.get('of-both')?.();
    expect(accepted).toContain(await stayed);
  });

  test('releases the places of clients that disconnect', async () => {
    const webhook = await hangingWebhook();
    const server = await start({ webhook });
    for (let round = 0; round < 5; round += 1) {
      const session = open(server, '127.0.0.1');
      for (let at = 0; at < 99; at += 1) void statusOf(session, `left-${round}-${at}`);
      await vi.waitFor(() => expect(webhook.hanging.size).toBe(99), patienceMs);
      session.destroy();
      await vi.waitFor(() => expect(webhook.hanging.size).toBe(0), patienceMs);
    }
    expect(accepted).toContain(await statusOf(open(server, '127.0.0.1'), 'good'));
  });
});

describe('an issuer that does not serve its keys', () => {
  test('gives the token of another client the place of one of the 64 tokens of a flood', async () => {
    const issuer = await hangingIssuer();
    const server = await start({ issuer });
    const now = Math.floor(Date.now() / 1_000);
    const tokenOf = (sub: string) => issuer.issuer.token({ sub, exp: now + 600 });
    const tokens = await Promise.all(Array.from({ length: 90 }, (_, at) => tokenOf(`s${at}`)));
    const stranger = open(server, '127.0.0.1');
    const statuses: number[] = [];
    const strangers = tokens.map(async (token) => statuses.push(await statusOf(stranger, token)));
    await vi.waitFor(() => expect(statuses).toEqual(Array(26).fill(401)));
    const other = statusOf(open(server, '127.0.0.2'), await tokenOf('jane'));
    const ofAnother = statusOf(open(server, '127.0.0.1'), await tokenOf('joe'));
    await vi.waitFor(() => expect(statuses).toEqual(Array(28).fill(401)));
    issuer.release();
    expect(accepted).toContain(await other);
    expect(accepted).toContain(await ofAnother);
    await Promise.all(strangers);
    expect(statuses.filter((status) => accepted.includes(status))).toHaveLength(62);
  });
});
