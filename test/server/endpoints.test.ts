/** Health, metrics, discovery, reviews and the decision log, requested by a client. */
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Decision } from '../../engine/src/model/decision.ts';
import type { AuthenticationRequest } from '../../engine/src/model/request.ts';
import { reveal } from '../../engine/src/model/secret.ts';
import { nodeMetrics } from '../../engine/src/node/metrics.ts';
import type { Log } from '../../engine/src/ports/log.ts';
import { runCaptured } from '../support/captured-io.ts';
import { type FakeOptions, reach, startFake } from '../support/fake-generation.ts';
import { type RawAnswer, rawExchange } from '../support/raw-exchange.ts';

interface Asked {
  readonly method?: string;
  readonly path: string;
  readonly token?: string;
  readonly headers?: readonly string[];
  readonly body?: unknown;
}

const start = async (fake: FakeOptions = {}) => {
  const server = await startFake(fake);
  onTestFinished(() => server.close(100));
  return (asked: Asked): Promise<RawAnswer> => {
    const body = asked.body === undefined ? '' : JSON.stringify(asked.body);
    const lines = [
      `${asked.method ?? (body === '' ? 'GET' : 'POST')} ${asked.path} HTTP/1.1`,
      'Host: localhost',
      ...(asked.token === undefined ? [] : [`Authorization: Bearer ${asked.token}`]),
      ...(asked.headers ?? []),
      ...(body === '' ? [] : ['Content-Type: application/json', `Content-Length: ${body.length}`]),
      'Connection: close',
    ];
    return rawExchange(reach(server), `${lines.join('\r\n')}\r\n\r\n${body}`);
  };
};

const tokenReviews = '/apis/authentication.platform.io/v1/tokenreviews';
const selfReviews = '/apis/authentication.platform.io/v1/selfsubjectreviews';

describe('health', () => {
  const waiting = { name: 'jwt-0', isReady: false, reason: 'oidc: authenticator not initialized' };

  test('is ready after the first discovery attempt of every issuer', async () => {
    const checks = [waiting];
    const ask = await start({ checks: () => checks });
    const before = await ask({ path: '/readyz' });
    expect(before.status).toBe(500);
    expect(before.body).toBe(
      '[+]ping ok\n[-]jwt-0 failed: reason withheld\n[+]shutdown ok\nreadyz check failed\n',
    );
    expect((await ask({ path: '/livez' })).body).toBe('ok');
    checks[0] = { ...waiting, isReady: true };
    const after = await ask({ path: '/readyz?verbose' });
    expect(after.status).toBe(200);
    expect(after.body).toBe('[+]ping ok\n[+]jwt-0 ok\n[+]shutdown ok\nreadyz check passed\n');
  });

  test('names an issuer that has not been reached, with the status of the other checks', async () => {
    const note = 'issuer https://issuer.example has not been reached; its tokens are rejected';
    const ask = await start({ checks: () => [{ ...waiting, isReady: true, note }] });
    expect(await ask({ path: '/readyz?verbose' })).toMatchObject({
      status: 200,
      body: `[+]ping ok\n[+]jwt-0 ok (${note})\n[+]shutdown ok\nreadyz check passed\n`,
    });
    expect((await ask({ path: '/readyz' })).body).toBe('ok');
  });

  test('excludes a check, and reports an unknown one', async () => {
    const ask = await start({ checks: () => [waiting] });
    const answer = await ask({ path: '/readyz?verbose&exclude=jwt-0&exclude=nope' });
    expect(answer.body).toBe(
      '[+]ping ok\n[+]jwt-0 excluded: ok\n[+]shutdown ok\nwarn: some health checks cannot be excluded: no matches for "nope"\nreadyz check passed\n',
    );
  });

  test.each([
    ['tok-alice', '/readyz/jwt-0', 403, undefined],
    [
      'tok-monitor',
      '/readyz/jwt-0',
      500,
      'internal server error: oidc: authenticator not initialized\n',
    ],
    ['tok-monitor', '/readyz/ping', 200, 'ok'],
    ['tok-monitor', '/livez/jwt-0', 404, '404 page not found\n'],
    ['tok-admin', '/readyz/nope', 404, '404 page not found\n'],
  ])('%s requests %s: %i', async (token, path, status, body) => {
    const ask = await start({ checks: () => [waiting] });
    const answer = await ask({ path, token });
    expect(answer.status).toBe(status);
    if (body !== undefined) expect(answer.body).toBe(body);
  });
});

describe('metrics', () => {
  test("counts requests under kube-apiserver's names, readable with permission only", async () => {
    const metrics = nodeMetrics();
    const ask = await start({
      ports: { metrics },
      settings: { metricsText: metrics },
    });
    await ask({ path: selfReviews, token: 'tok-alice', body: {} });
    await ask({ path: selfReviews, token: 'wrong', body: {} });
    expect((await ask({ path: '/metrics', token: 'tok-alice' })).status).toBe(403);
    const answer = await ask({ path: '/metrics', token: 'tok-monitor' });
    expect(answer.headers.get('content-type')?.[0]).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(answer.body).toMatch(/^authenticated_user_requests\{username="other"\} 3$/m);
    expect(answer.body).toMatch(/^authentication_attempts\{result="success"\} 3$/m);
    expect(answer.body).toMatch(/^authentication_attempts\{result="error"\} 1$/m);
    expect(answer.body).toMatch(/^authentication_duration_seconds_count\{result="success"\} 3$/m);
    expect(answer.body).toMatch(/^authorization_attempts_total\{result="no-opinion"\} 1$/m);
    expect(answer.body).not.toContain('tok-');
  });
});

describe('discovery', () => {
  test.each([
    ['/apis', 'APIGroupList'],
    ['/apis/authentication.platform.io', 'APIGroup'],
    ['/apis/authentication.k8s.io/v1', 'APIResourceList'],
    ['/api', 'APIVersions'],
  ])('%s is %s', async (path, kind) => {
    const ask = await start();
    const answer = await ask({ path, token: 'tok-alice' });
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body).kind).toBe(kind);
    expect((await ask({ path })).status).toBe(403);
  });

  test('serves /version to everyone, with the version that `authgraph --version` prints', async () => {
    const ask = await start();
    const answer = await ask({ path: '/version' });
    const { major, gitVersion } = JSON.parse(answer.body);
    expect([major, gitVersion]).toEqual(['1', expect.stringMatching(/^v1\.\d+\.0\+authgraph-\d/)]);
    const { stdout } = await runCaptured(['--version']);
    expect(stdout).toBe(`authgraph ${gitVersion.split('+authgraph-')[1]}\n`);
  });
});

describe('token reviews', () => {
  const review = (spec: object) => ({
    apiVersion: 'authentication.platform.io/v1',
    kind: 'TokenReview',
    spec,
  });

  const accepted = (
    username: string,
    groups: readonly string[],
    audiences: readonly string[],
  ): Decision => ({
    kind: 'accepted',
    user: { username, uid: '', groups, extra: new Map() },
    audiences,
    by: 'jwt',
  });

  test.each([
    ['no subject', [], 403],
    ['the user', [{ kind: 'user', name: 'alice' }], 201],
    ['a group of the user', [{ kind: 'group', name: 'dev' }], 201],
    ['all authenticated users', [{ kind: 'group', name: 'system:authenticated' }], 201],
    ['a user with the name of the group', [{ kind: 'user', name: 'dev' }], 403],
  ] as const)('authorizes %s', async (_name, tokenReviewOpen, status) => {
    const ask = await start({ options: { tokenReviewOpen } });
    const body = review({ token: 'tok-alice' });
    expect((await ask({ path: tokenReviews, token: 'tok-alice', body })).status).toBe(status);
    expect((await ask({ path: tokenReviews, body })).status).toBe(403);
  });

  const asAdmin = async (decision: (request: AuthenticationRequest) => Decision, spec: object) => {
    const seen: AuthenticationRequest[] = [];
    const ask = await start({
      decide: (request) => {
        const token = request.token === undefined ? '' : reveal(request.token);
        if (token === 'admin') return accepted('admin', ['system:masters'], []);
        seen.push(request);
        return decision(request);
      },
    });
    const answer = await ask({ path: tokenReviews, token: 'admin', body: review(spec) });
    return { answer, seen };
  };

  test.each([
    ['a user', accepted('jané <b>', ['g', '"'], ['b']), {}],
    ['a user for audiences', accepted('jane', [], ['b']), { audiences: ['<b>', 'b'] }],
    ['no identity', { kind: 'noOpinion' } as const, {}],
    ['an error', { kind: 'rejected', reason: { code: 'AG5000', message: 'no <&>' } } as const, {}],
  ])(
    'returns the same status for %s, however the review is written',
    async (_name, decision, more) => {
      const ask = await start({
        decide: ({ token }) =>
          token !== undefined && reveal(token) === 'admin'
            ? accepted('admin', ['system:masters'], [])
            : decision,
      });
      const { apiVersion, kind, spec } = review({ token: 'a.b-c_d', ...more });
      const statusFor = async (body: unknown, header: string) => {
        const headers = [header];
        const answer = await ask({ path: tokenReviews, token: 'admin', headers, body });
        return [answer.status, answer.body.replace(/"?time"?: ?"[^"]+"/, '')];
      };
      for (const header of ['X: y', 'Accept: application/yaml', 'User-Agent: curl/8']) {
        const inOneGo = await statusFor({ apiVersion, kind, spec }, header);
        expect(inOneGo[0]).toBe(201);
        expect(await statusFor({ spec, apiVersion, kind }, header)).toEqual(inOneGo);
      }
    },
  );

  test('passes the requested audiences to the authenticator and returns those that matched', async () => {
    const { answer, seen } = await asAdmin(() => accepted('jane', ['g'], ['b']), {
      token: 'x',
      audiences: ['a', 'b'],
    });
    expect(seen.map(({ path, audiences }) => ({ path, audiences }))).toEqual([
      { path: '', audiences: ['a', 'b'] },
    ]);
    expect(JSON.parse(answer.body)).toMatchObject({
      kind: 'TokenReview',
      apiVersion: 'authentication.platform.io/v1',
      spec: { token: 'x', audiences: ['a', 'b'] },
      status: { authenticated: true, user: { username: 'jane', groups: ['g'] }, audiences: ['b'] },
    });
  });

  test('fails on an acceptance for other audiences', async () => {
    const { answer } = await asAdmin(() => accepted('jane', [], ['z']), {
      token: 'x',
      audiences: ['a'],
    });
    expect(answer.status).toBe(500);
    expect(JSON.parse(answer.body)).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'Internal error occurred: error validating audiences',
      reason: 'InternalError',
      details: { causes: [{ message: 'error validating audiences' }] },
      code: 500,
    });
  });

  test('a blank token is unauthenticated, not anonymous', async () => {
    const { answer, seen } = await asAdmin(() => accepted('system:anonymous', [], []), {
      token: '  ',
    });
    expect(seen).toEqual([]);
    expect(JSON.parse(answer.body).status).toEqual({ user: {} });
  });

  test('returns the reason of a rejection in the status', async () => {
    const reason = { code: 'AG5010', message: 'oidc: token is expired' };
    const { answer } = await asAdmin(() => ({ kind: 'rejected', reason, by: 'jwt' }), {
      token: 'x',
    });
    expect(answer.status).toBe(201);
    expect(JSON.parse(answer.body).status).toEqual({
      user: {},
      error: '[invalid bearer token, oidc: token is expired]',
    });
  });
});

describe('the decision log', () => {
  const logged = async (options: NonNullable<FakeOptions['options']>) => {
    const lines: Readonly<Record<string, unknown>>[] = [];
    const ask = await start({
      options,
      decisionLog: { event: (_level, _message, fields = {}) => lines.push(fields) },
    });
    const answer = await ask({
      path: `${selfReviews}?token=tok-alice`,
      token: 'tok-alice',
      headers: ['Cookie: tok-alice'],
      body: { 'tok-alice': 'tok-alice' },
    });
    await vi.waitFor(() => expect(lines).toHaveLength(1));
    return { answer, line: lines[0], text: JSON.stringify(lines) };
  };

  test('a line contains request, decision and graph, and no secret', async () => {
    const { answer, line, text } = await logged({});
    expect(line).toEqual({
      requestId: answer.headers.get('audit-id')?.[0],
      method: 'POST',
      path: selfReviews,
      verb: 'create',
      status: 201,
      decision: 'accepted',
      module: 'jwt',
      username: 'alice',
      uid: 'u1',
      access: { decision: 'allow' },
      graph: 'sha256:fake',
      latencyMs: expect.any(Number),
    });
    expect(text).not.toContain('tok-alice');
  });

  const reviewing = async (fake: FakeOptions, spec: object) => {
    const lines: Readonly<Record<string, unknown>>[] = [];
    const ask = await start({
      ...fake,
      decisionLog: { event: (_level, _message, fields = {}) => lines.push(fields) },
    });
    const body = { apiVersion: 'authentication.platform.io/v1', kind: 'TokenReview', spec };
    await ask({ path: tokenReviews, token: 'tok-admin', body });
    await vi.waitFor(() => expect(lines).toHaveLength(1));
    const [line = {}] = lines;
    expect(line).toMatchObject({ decision: 'accepted', module: 'jwt', username: 'admin' });
    expect(JSON.stringify(lines)).not.toContain('tok-');
    return line.reviewed;
  };

  test.each([
    ['tok-alice', { decision: 'accepted', module: 'jwt', username: 'alice', uid: 'u1' }],
    [
      'tok-wrong',
      {
        decision: 'rejected',
        module: 'jwt',
        code: 'AG5022',
        reason: 'invalid bearer token',
      },
    ],
    [' ', { decision: 'noOpinion' }],
    ['', undefined],
  ])('logs the decision of a review: %j', async (token, reviewed) => {
    expect(await reviewing({}, { token })).toEqual(reviewed);
  });

  test('logs groups and extra of a reviewed user only if enabled', async () => {
    const options = { decisionLogGroups: true, decisionLogExtra: true };
    expect(await reviewing({ options }, { token: 'tok-alice' })).toMatchObject({
      groups: ['dev', 'ops', 'system:authenticated'],
      extra: [['example.com/team', ['a', 'b']]],
    });
  });

  test('an internal error names no module', async () => {
    const lines: Readonly<Record<string, unknown>>[] = [];
    const ask = await start({
      decide: () => {
        throw new Error('a fault of ours');
      },
      decisionLog: { event: (_level, _message, fields = {}) => lines.push(fields) },
      ports: { log: { event: () => {} } },
    });
    expect((await ask({ path: '/livez', token: 'tok-alice' })).status).toBe(401);
    await vi.waitFor(() => expect(lines).toHaveLength(1));
    expect(lines[0]).toMatchObject({ decision: 'rejected', code: 'AG5000' });
    expect(lines[0]).not.toHaveProperty('module');
  });

  test('truncates a path, and masks a token in it', async () => {
    const lines: Readonly<Record<string, unknown>>[] = [];
    const ask = await start({
      decisionLog: { event: (_level, _message, fields = {}) => lines.push(fields) },
    });
    await ask({ path: `/eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJhIn0.c2ln/${'x'.repeat(50_000)}` });
    // The line is written after the response.
    await vi.waitFor(() => expect(lines).toHaveLength(1));
    const path = String(lines[0]?.path);
    expect(path.startsWith('/[redacted]/xxx')).toBe(true);
    expect(path.length).toBeLessThan(2000);
  });

  test('logs the code of a token for other audiences', async () => {
    const lines: Readonly<Record<string, unknown>>[] = [];
    const user = { username: 'alice', uid: '', groups: [], extra: new Map() };
    const ask = await start({
      options: { apiAudiences: ['here'] },
      decide: () => ({ kind: 'accepted', by: 'jwt', audiences: ['elsewhere'], user }),
      decisionLog: { event: (_level, _message, fields = {}) => lines.push(fields) },
    });
    expect((await ask({ path: '/livez', token: 'tok-alice' })).status).toBe(401);
    await vi.waitFor(() => expect(lines).toHaveLength(1));
    expect(lines[0]).toMatchObject({
      code: 'AG5009',
      reason: 'unable to match the audience: [elsewhere] , accepted: [here]',
    });
  });

  test('logs groups and extra only if enabled', async () => {
    const { line } = await logged({ decisionLogGroups: true, decisionLogExtra: true });
    expect(line).toMatchObject({
      groups: ['dev', 'ops', 'system:authenticated'],
      extra: [['example.com/team', ['a', 'b']]],
    });
  });
});

test('escapes names in an error for HTML', async () => {
  const ask = await start();
  const answer = await ask({ path: '/<script>', token: 'tok-html' });
  expect(JSON.parse(answer.body).message).toBe(
    'forbidden: User "&lt;b&gt;&amp;\\"" cannot get path "/&lt;script&gt;"',
  );
});

test("keeps the client's audit ID if it is safe to print", async () => {
  const ask = await start();
  const id = async (header: string): Promise<string | undefined> =>
    (await ask({ path: '/livez', headers: [`Audit-Id: ${header}`] })).headers.get('audit-id')?.[0];
  expect(await id('abc-1')).toBe('abc-1');
  expect(await id('a b')).toMatch(/^[0-9a-f-]{36}$/);
  expect(await id('x'.repeat(65))).toMatch(/^[0-9a-f-]{36}$/);
});

test('sends warnings about a token to the client that presents it, not to a reviewer', async () => {
  const user = { username: 'old', uid: '', groups: ['system:authenticated'], extra: new Map() };
  const remarks = { warnings: ['use another token'], annotations: new Map() };
  const ask = await start({
    options: { tokenReviewOpen: [{ kind: 'user', name: 'old' }] },
    decide: ({ token }) => {
      const accepted = { kind: 'accepted', user, audiences: [], by: 'static-token' } as const;
      return token === undefined ? accepted : { ...accepted, remarks };
    },
  });
  const own = await ask({ path: selfReviews, token: 'x', body: {} });
  const asked = await ask({ path: tokenReviews, body: { spec: { token: 'x' } } });
  expect([own.status, own.headers.get('warning')]).toEqual([201, ['299 - "use another token"']]);
  expect([asked.status, asked.headers.get('warning')]).toEqual([201, undefined]);
  expect(JSON.parse(asked.body).status.user.username).toBe('old');
});

describe('a timeout in the query', () => {
  const refused = (text: string): string =>
    `invalid timeout specified in the request URL - time: ${text}`;
  test.each([
    ['abc', refused('invalid duration "abc"')],
    ['10', refused('missing unit in duration "10"')],
    ['1y', refused('unknown unit "y" in duration "1y"')],
    ['9999999999h', refused('invalid duration "9999999999h"')],
  ])('rejects %s before authentication', async (text, message) => {
    const decide = vi.fn((): Decision => ({ kind: 'noOpinion' }));
    const ask = await start({ decide });
    const { status, body } = await ask({ path: `${selfReviews}?timeout=${text}`, token: 'x' });
    expect([status, JSON.parse(body).message]).toEqual([400, message]);
    expect(decide).not.toHaveBeenCalled();
  });
  test.each(['30s', '-1s', '0', '1h1m', ''])('accepts %j', async (text) => {
    const ask = await start();
    expect((await ask({ path: `/livez?timeout=${text}` })).status).toBe(200);
  });
  const late = {
    metadata: {},
    status: 'Failure',
    message: 'Timeout: request did not complete within the allotted timeout',
    reason: 'Timeout',
    details: {},
    code: 504,
  };
  test('a request that takes longer gets a 504, is aborted, and is logged with its status', async () => {
    const ends: ((decision: Decision) => void)[] = [];
    const signals: AbortSignal[] = [];
    const decide: FakeOptions['decide'] = (_request, within) => {
      signals.push(within.signal);
      return new Promise((resolve) => ends.push(resolve));
    };
    const statuses: unknown[] = [];
    const decisionLog: Log = { event: (_level, _text, fields) => statuses.push(fields?.status) };
    const ask = await start({ decide, decisionLog });
    const asked = await ask({ path: `${selfReviews}?timeout=20ms`, token: 'x', body: {} });
    expect([asked.status, asked.headers.get('content-type'), JSON.parse(asked.body)]).toEqual([
      504,
      ['text/plain; charset=utf-8'],
      late,
    ]);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    for (const end of ends) end({ kind: 'noOpinion' });
    await vi.waitFor(() => expect(statuses).toEqual([504]));
  });
  test('does not start a request without time', async () => {
    const decide = vi.fn((): Decision => ({ kind: 'noOpinion' }));
    const ask = await start({ decide });
    const { status, body } = await ask({ path: `${selfReviews}?timeout=1ns`, token: 'x' });
    expect([status, JSON.parse(body)]).toEqual([504, late]);
    expect(decide).not.toHaveBeenCalled();
  });
  test('does not limit a watch', async () => {
    const ask = await start();
    const { status } = await ask({ path: '/api/v1/secrets?watch=1&timeout=abc' });
    expect(status).not.toBe(400);
  });
});
