/** The invariants of webhooks, named as in the threat model. */
import { inspect } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { compileWebhookToken } from '../../../engine/src/authenticators/webhook-token/compile.ts';
import { explainWebhookToken } from '../../../engine/src/authenticators/webhook-token/explain.ts';
import { encodeUtf8 } from '../../../engine/src/formats/utf8.ts';
import type { Decision } from '../../../engine/src/model/decision.ts';
import type { HttpResponse, PeerRequest } from '../../../engine/src/ports/http-client.ts';
import { fakeClock } from '../../support/fake-ports.ts';
import {
  kubeconfigText,
  type WebhookClient,
  type WebhookClientOptions,
  webhookClient,
} from '../../support/webhook-client.ts';

type Answer = (token: string, request: PeerRequest) => unknown;

/** A webhook in memory, which returns this response for a token. */
const webhook = async (
  answer: Answer,
  options: WebhookClientOptions = {},
): Promise<WebhookClient & { readonly received: readonly string[] }> => {
  const received: string[] = [];
  const http = {
    get: () => Promise.reject(new Error('must not be called')),
    connect: () => ({
      async send(request: PeerRequest): Promise<HttpResponse> {
        const token = String(JSON.parse(request.body ?? '').spec.token ?? '');
        received.push(token);
        const reply = await answer(token, request);
        return {
          status: 200,
          statusText: '200 OK',
          headers: new Map([['content-type', 'application/json']]),
          body: encodeUtf8(typeof reply === 'string' ? reply : JSON.stringify(reply)),
        };
      },
      close: () => Promise.resolve(),
    }),
    close: () => Promise.resolve(),
  };
  const client = await webhookClient('https://webhook.example/', {
    ...options,
    ports: { http, ...options.ports },
  });
  onTestFinished(() => client.close());
  return { ...client, received };
};

const good = (username: string, more: object = {}) => ({
  apiVersion: 'authentication.k8s.io/v1',
  kind: 'TokenReview',
  status: { authenticated: true, user: { username }, ...more },
});

const nameOf = (decision: Decision): string =>
  decision.kind === 'accepted' ? `accepted ${decision.user.username}` : decision.kind;

describe('B4 a response is used only if its status, version and audiences are valid', () => {
  const { status } = good('alice', { audiences: ['api'] });
  const whole = { ...good('alice'), status };
  test.each<[string, unknown, string]>([
    ['whole', whole, 'accepted alice'],
    [
      'in the names of a domain that is not ours',
      changed({ apiVersion: 'authentication.platform.io/v1' }),
      'rejected',
    ],
    ['another version', changed({ apiVersion: 'authentication.k8s.io/v1beta1' }), 'rejected'],
    ['another group', changed({ apiVersion: 'authentication.example.com/v1' }), 'rejected'],
    ['another kind', changed({ kind: 'SubjectAccessReview' }), 'rejected'],
    ['no status', changed({ status: undefined }), 'noOpinion'],
    ['not authenticated', changed({ status: { ...status, authenticated: false } }), 'noOpinion'],
    [
      'authenticated as a text',
      changed({ status: { ...status, authenticated: 'true' } }),
      'rejected',
    ],
    [
      'in the wrong case',
      changed({ status: { ...status, authenticated: undefined, Authenticated: true } }),
      'noOpinion',
    ],
    ['other audiences', changed({ status: { ...status, audiences: ['other'] } }), 'noOpinion'],
    [
      'no audiences: the API stands for them',
      changed({ status: { ...status, audiences: [] } }),
      'accepted alice',
    ],
    ['a list of reviews', [whole], 'rejected'],
    ['nothing', null, 'noOpinion'],
  ])('%s', async (_what, reply, outcome) => {
    const client = await webhook(() => reply, { apiAudiences: ['api'] });
    expect(nameOf(await client.decide('t', { audiences: ['api'] }))).toBe(outcome);
  });

  function changed(members: object): object {
    return { ...whole, ...members };
  }
});

test('INV-M3 an identity with an empty username is never produced', async () => {
  for (const user of [undefined, null, {}, { username: '' }, { username: null, uid: 'u' }]) {
    const client = await webhook(() => ({ status: { authenticated: true, user } }));
    expect(await client.decide('t')).toMatchObject({
      kind: 'rejected',
      reason: { code: 'AG5062' },
    });
  }
});

test('INV-K1 different parts have different keys even if their concatenation is equal', async () => {
  const client = await webhook((token) => good(`of ${token}`), { apiAudiences: ['a', 'b', 'ab'] });
  const requests: readonly (readonly [string, readonly string[]])[] = [
    ['t', []],
    ['t', ['a', 'b']],
    ['t', ['b', 'a']],
    ['t', ['ab']],
    ['bt', ['a']],
    ['1:at', []],
    ['', ['ab']],
  ];
  for (const round of [1, 2]) {
    for (const [token, audiences] of requests) {
      expect([round, nameOf(await client.decide(token, { audiences }))]).toEqual([
        round,
        `accepted of ${token}`,
      ]);
    }
  }
  expect(client.received.length).toBe(requests.length);
});

test('INV-K2 calls in flight when the authenticator closes are not cached', async () => {
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const old = await webhook(async () => {
    await held;
    return good('alice');
  });
  const waiting = old.decide('t');
  const closing = old.close();
  release();
  await Promise.all([waiting, closing]);
  const fresh = await webhook(() => ({ status: { authenticated: false } }));
  expect((await fresh.decide('t')).kind).toBe('noOpinion');
  expect(fresh.received).toEqual(['t']);
});

describe('INV-K4', () => {
  test('failures are not cached', async () => {
    let times = 0;
    const client = await webhook(() => {
      times += 1;
      if (times === 1) return 'text';
      return times === 2 ? { status: { error: 'later' } } : good('alice');
    });
    expect((await client.decide('t')).kind).toBe('rejected');
    expect((await client.decide('t')).kind).toBe('rejected');
    expect(nameOf(await client.decide('t'))).toBe('accepted alice');
  });

  test('a flood of invalid tokens evicts no valid one, and is limited itself', async () => {
    const client = await webhook((token) =>
      token.startsWith('good') ? good('alice') : { status: { authenticated: false } },
    );
    await client.decide('good');
    await client.decide('bad-first');
    for (let at = 0; at < 8_192; at += 1) await client.decide(`bad-${at}`);
    const before = client.received.length;
    expect(nameOf(await client.decide('good'))).toBe('accepted alice');
    await client.decide('bad-8191');
    expect(client.received.length).toBe(before);
    await client.decide('bad-first');
    expect(client.received.length).toBe(before + 1);
  });

  test('lifetimes use the monotonic clock: setting back the wall clock extends nothing', async () => {
    const clock = fakeClock();
    const client = await webhook(() => good('alice'), { ports: { clock } });
    await client.decide('t');
    clock.jump(-3_600_000);
    clock.advance(120_000);
    await client.decide('t');
    expect(client.received.length).toBe(2);
  });
});

describe('INV-S1 no token and no credential is logged', () => {
  const token = 'canary-token-of-somebody-0123456789';
  const bearer = 'canary-bearer-of-this-server-0123456789';
  const password = 'canary-password-0123456789';
  const value = 'canary-extra-value';

  const printed = (client: WebhookClient, decisions: readonly Decision[]): string =>
    [client.events, client.warnings, client.node, explainWebhookToken(client.node), decisions]
      .map((part) => inspect(part, { depth: 20 }) + JSON.stringify(part))
      .join('\n');

  test.each<[string, Answer]>([
    [
      'a webhook that says everything back',
      () => ({
        status: { error: `who is ${token}? you are ${bearer}${password}` },
      }),
    ],
    ['as a failure', () => `{"kind":"Status","status":"Failure","message":"${token} ${bearer}"}`],
    ['in a text that is no JSON', (_token, { body }) => `{${body}`],
    ['that cannot be reached', () => Promise.reject(new Error('dial tcp: no such host'))],
  ])('%s', async (_what, answer) => {
    for (const user of [{ token: bearer }, { username: 'us', password }]) {
      const client = await webhook(answer, { user });
      expect(printed(client, [await client.decide(token)])).not.toMatch(
        new RegExp([token, 'token' in user ? bearer : password].join('|')),
      );
    }
  });

  test('extra values are not in any event', async () => {
    const client = await webhook(() =>
      good('alice', { user: { username: 'alice', extra: { team: [value] } } }),
    );
    expect(nameOf(await client.decide(token))).toBe('accepted alice');
    expect(JSON.stringify(client.events)).not.toContain(value);
  });

  test.each<[string, (text: string) => string]>([
    ['cut off', (text) => text.slice(0, -20)],
    ['a name set twice', (text) => text.replace('"users":[', '"users":[{"name":"us","user":{}},')],
    ['a type', (text) => text.replace('"password":', '"tokenFile":["x"],"password":')],
    ['two methods', (text) => text.replace('"password":', `"token":"${bearer}","password":`)],
    ['another kind', (text) => text.replace('"Config"', '"Secret"')],
    [
      'a proxy',
      (text) => text.replace('"server":', `"proxy-url":"ftp://me:${password}@p","server":`),
    ],
    ['a server', (text) => text.replace('https://', `https://me:${password}@%zz`)],
    [
      'a key',
      (text) => text.replace('"password":', `"client-key-data":"${password}!","password":`),
    ],
  ])('in errors of a kubeconfig file: %s', (_what, breakIt) => {
    const text = breakIt(kubeconfigText('https://w.example/', {}, { username: 'us', password }));
    const compiled = compileWebhookToken(
      {
        file: 'webhook.kubeconfig',
        directory: '/',
        contents: { kind: 'read', bytes: encodeUtf8(text) },
      },
      {
        settings: { version: 'v1', cacheTtlMs: 0 },
        apiAudiences: [],
        apiDomain: 'k8s.io',
        files: new Map(),
      },
    );
    expect(compiled.kind).toBe('failed');
    expect(inspect(compiled, { depth: 20 })).not.toMatch(/canary/);
  });

  test('the compiled form prints no credential', () => {
    const compiled = compileWebhookToken(
      {
        file: 'webhook.kubeconfig',
        directory: '/',
        contents: {
          kind: 'read',
          bytes: encodeUtf8(kubeconfigText('https://w.example/', {}, { username: 'us', password })),
        },
      },
      {
        settings: { version: 'v1', cacheTtlMs: 0 },
        apiAudiences: [],
        apiDomain: 'platform.io',
        files: new Map(),
      },
    );
    expect(compiled.kind).toBe('compiled');
    expect(inspect(compiled, { depth: 20 }) + JSON.stringify(compiled)).not.toMatch(/canary/);
  });
});
