/** The authentication webhook at `--webhook-path`, called as an API server calls it. */
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Decision } from '../../../engine/src/model/decision.ts';
import { reveal } from '../../../engine/src/model/secret.ts';
import type { WebhookReasons } from '../../../engine/src/server/endpoints/webhook-reasons.ts';
import { readServeOptions } from '../../../engine/src/server/flags/options.ts';
import { type FakeOptions, reach, startFake } from '../../support/fake-generation.ts';
import { fakeClock } from '../../support/fake-ports.ts';
import { type RawAnswer, rawExchange } from '../../support/raw-exchange.ts';

const rejected = (code: string, ...messages: readonly string[]): Decision => ({
  kind: 'rejected',
  reason: {
    code,
    message: messages.length === 1 ? (messages[0] ?? '') : `[${messages.join(', ')}]`,
    messages,
  },
  by: 'jwt',
});

/** The caller is `admin`, who has the permission; tokens select the decision. */
const decisions: ReadonlyMap<string, Decision> = new Map([
  [
    'good',
    {
      kind: 'accepted',
      by: 'jwt',
      audiences: [],
      user: { username: 'jane', uid: 'j', groups: ['a', 'b'], extra: new Map([['k', ['v']]]) },
    },
  ],
  ['expired', rejected('AG5010', 'oidc: verify token: expired')],
  ['ruled-out', rejected('AG5019', 'oidc: a rule says no')],
  ['no-keys', rejected('AG5005', 'oidc: no keys yet')],
  ['two', rejected('AG5010', 'oidc: expired', 'the webhook is down')],
  ['leak', rejected('AG5019', 'refused eyJhbGciOiJub25lIn0.eyJzdWIiOiJqYW5lIn0.c2ln')],
  ['unknown', rejected('AG5022', 'invalid bearer token')],
]);

const start = async (
  reasons: WebhookReasons = 'rules',
  { apiAudiences = [], ...fake }: FakeOptions & { readonly apiAudiences?: readonly string[] } = {},
) => {
  const asked: (readonly string[])[] = [];
  const server = await startFake({
    decide(request) {
      const token = request.token === undefined ? '' : reveal(request.token);
      const known = decisions.get(token);
      if (known === undefined) {
        return {
          kind: 'accepted',
          by: 'static-token',
          audiences: [],
          user: {
            username: token || 'system:anonymous',
            uid: '',
            groups: token === 'admin' ? ['system:masters'] : [],
            extra: new Map(),
          },
        };
      }
      asked.push(request.audiences);
      return known;
    },
    ...fake,
    options: { webhook: { path: '/authenticate', reasons }, apiAudiences, ...fake.options },
  });
  onTestFinished(() => server.close(100));
  const send = (
    body: string,
    { caller = 'admin', method = 'POST', path = '/authenticate?timeout=30s' } = {},
  ): Promise<RawAnswer> => {
    const lines = [
      `${method} ${path} HTTP/1.1`,
      'Host: localhost',
      ...(caller === '' ? [] : [`Authorization: Bearer ${caller}`]),
      'Accept: application/json, */*',
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
    ];
    return rawExchange(reach(server), `${lines.join('\r\n')}\r\n\r\n${body}`);
  };
  const review = (
    token: string,
    { version = 'v1', audiences }: { version?: string; audiences?: readonly string[] } = {},
  ) =>
    send(
      JSON.stringify({
        kind: 'TokenReview',
        apiVersion: `authentication.k8s.io/${version}`,
        metadata: {},
        spec: { token, ...(audiences === undefined ? {} : { audiences }) },
        status: { user: {} },
      }),
    );
  const statusOf = async (...question: Parameters<typeof review>) =>
    JSON.parse((await review(...question)).body).status;
  return { send, review, statusOf, asked };
};

describe('a response', () => {
  test.each(['v1', 'v1beta1'])('has the version of the request, %s', async (version) => {
    const { review } = await start();
    const { status, body } = await review('good', { version });
    expect(status).toBe(200);
    expect(JSON.parse(body)).toEqual({
      kind: 'TokenReview',
      apiVersion: `authentication.k8s.io/${version}`,
      metadata: {},
      spec: {},
      status: {
        authenticated: true,
        user: { username: 'jane', uid: 'j', groups: ['a', 'b'], extra: { k: ['v'] } },
      },
    });
  });

  test('never contains the token', async () => {
    const { review } = await start('all');
    expect((await review('good')).body).not.toContain('good');
    expect((await review('leak')).body).not.toContain('eyJ');
  });
});

describe('an error in a denial', () => {
  const broken = { authenticated: false, error: 'oidc: verify token: expired (AG5010)' };
  const nobodys = { authenticated: false, error: 'invalid bearer token (AG5022)' };
  const rule = { authenticated: false, error: 'oidc: a rule says no (AG5019)' };
  const passing = { authenticated: false, error: 'oidc: no keys yet (AG5005)' };
  const silent = { authenticated: false };
  test.each([
    ['rules', 'expired', silent],
    ['rules', 'ruled-out', rule],
    ['rules', 'no-keys', passing],
    ['rules', 'unknown', silent],
    ['all', 'expired', broken],
    ['all', 'ruled-out', rule],
    ['all', 'unknown', nobodys],
    ['none', 'ruled-out', silent],
    ['none', 'no-keys', passing],
  ] as const)('%s: %s', async (reasons, token, expected) => {
    const { statusOf } = await start(reasons);
    expect(await statusOf(token)).toEqual(expected);
  });

  test('several modules reject: one of them may decide otherwise soon', async () => {
    const { statusOf } = await start('none');
    expect(await statusOf('two')).toEqual({
      authenticated: false,
      error: '[oidc: expired, the webhook is down] (AG5010)',
    });
  });

  test('is sent in time, whatever the modules do', async () => {
    const clock = fakeClock(Date.now());
    const { statusOf } = await start('none', {
      ports: { clock },
      decide: (request) =>
        request.token !== undefined && reveal(request.token) === 'slow'
          ? new Promise<Decision>((resolve) => {
              setImmediate(() => clock.advance(5000));
              setTimeout(() => resolve({ kind: 'noOpinion' }), 60_000).unref();
            })
          : {
              kind: 'accepted',
              by: 'static-token',
              audiences: [],
              user: { username: 'x', uid: '', groups: ['system:masters'], extra: new Map() },
            },
    });
    expect(await statusOf('slow')).toEqual({
      authenticated: false,
      error: 'authentication timed out (AG5023)',
    });
  });
});

describe('audiences', () => {
  test('of the review are ignored if none are configured', async () => {
    const { statusOf, asked } = await start();
    expect(await statusOf('good', { audiences: ['https://api'] })).toMatchObject({
      authenticated: true,
    });
    expect(asked).toEqual([[]]);
  });

  test('are compared if some are configured', async () => {
    const { statusOf, asked } = await start('rules', { apiAudiences: ['ours'] });
    await statusOf('good', { audiences: ['ours', 'theirs'] });
    await statusOf('good');
    expect(asked).toEqual([['ours', 'theirs'], ['ours']]);
  });

  test('without a match are reported, because no token could be accepted', async () => {
    const { statusOf } = await start('none', { apiAudiences: ['ours'] });
    expect(await statusOf('unknown', { audiences: ['theirs'] })).toEqual({
      authenticated: false,
      error: 'the API server requests the audiences [theirs], but --api-audiences is [ours]',
    });
  });
});

describe('rejected callers and requests', () => {
  test('a caller without a permission, or unauthenticated', async () => {
    const { send } = await start();
    const refused = await send('{}', { caller: 'somebody' });
    expect(refused.status).toBe(403);
    expect(refused.body).toContain(
      'User \\"somebody\\" cannot create resource \\"tokenreviews\\" in API group \\"authentication.k8s.io\\"',
    );
    expect((await send('{}', { caller: '' })).status).toBe(403);
  });

  test('a caller of --token-review-open is accepted', async () => {
    const tokenReviewOpen = [{ kind: 'user', name: 'kube-apiserver' }] as const;
    const webhook = { path: '/authenticate', reasons: 'rules' } as const;
    const { send } = await start('rules', { options: { tokenReviewOpen, webhook } });
    expect((await send('{}', { caller: 'kube-apiserver' })).status).toBe(400);
  });

  test.each([
    ['no JSON', '{', 400],
    [
      'another kind',
      '{"kind":"Pod","apiVersion":"authentication.k8s.io/v1","spec":{"token":"good"}}',
      400,
    ],
    [
      'another version',
      '{"kind":"TokenReview","apiVersion":"authentication.k8s.io/v2","spec":{"token":"good"}}',
      400,
    ],
    [
      'another group',
      '{"kind":"TokenReview","apiVersion":"example.com/v1","spec":{"token":"good"}}',
      400,
    ],
    ['no token', '{"kind":"TokenReview","apiVersion":"authentication.k8s.io/v1","spec":{}}', 400],
    [
      'audiences that are none',
      '{"kind":"TokenReview","apiVersion":"authentication.k8s.io/v1","spec":{"token":"good","audiences":[1]}}',
      400,
    ],
  ])('%s', async (_name, body, status) => {
    const { send } = await start();
    expect((await send(body)).status).toBe(status);
  });

  test('another method, and a path that is not configured', async () => {
    const { send } = await start();
    expect((await send('', { method: 'GET' })).status).toBe(405);
    const { send: off } = await start('rules', { options: { webhook: undefined } });
    expect((await off('{}')).status).toBe(404);
  });
});

test.each(['authenticate', '/', '/apis/x', '/livez', '/a?b', '/a b', '/%61', '/a//b'])(
  '--webhook-path=%s is rejected',
  (path) => {
    const reading = readServeOptions([`--webhook-path=${path}`]);
    expect(reading.kind).toBe('problems');
  },
);
