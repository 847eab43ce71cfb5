import { describe, expect, test } from 'vitest';
import { fakePorts, settle } from '../../support/fake-ports.ts';
import { ask, jwtNode, linkNodes, nameOrReason, testIssuer } from '../../support/test-issuer.ts';

const jwksOf = (issuer: { readonly url: string }) => `${issuer.url}/jwks`;
const fetches = (ports: { http: { asked: readonly string[] } }, url: string) =>
  ports.http.asked.filter((asked) => asked === url).length;

const setUp = async (
  options: { headers?: Record<string, string>; jwksRefetch?: 'per-token' | 'throttled' } = {},
) => {
  const issuer = await testIssuer();
  const ports = fakePorts();
  issuer.publish(ports.http, options.headers);
  const linked = await linkNodes([jwtNode(issuer)], ports, {
    tokenCache: 'off',
    jwksRefetch: options.jwksRefetch ?? 'throttled',
  });
  const count = () => fetches(ports, jwksOf(issuer));
  const ok = async () => nameOrReason(await ask(linked, await issuer.token()));
  const stranger = await testIssuer(issuer.url);
  const bad = async () => nameOrReason(await ask(linked, await stranger.token()));
  return { issuer, ports, linked, count, ok, bad };
};

const accepted = 'accepted jane';
const rejected =
  'rejected oidc: verify token: failed to verify signature: failed to verify id token signature';

test('keys are fetched for the first token and used as long as they match', async () => {
  const { ports, count, ok } = await setUp();
  expect(count()).toBe(0);
  expect(await ok()).toBe(accepted);
  ports.clock.advance(3_600_000 / 2);
  expect(await ok()).toBe(accepted);
  expect(count()).toBe(1);
});

describe('a token that matches no key', () => {
  test('per-token: each token fetches if the response must not be cached', async () => {
    const { count, ok, bad } = await setUp({ jwksRefetch: 'per-token' });
    await ok();
    for (let round = 0; round < 5; round += 1) expect(await bad()).toBe(rejected);
    expect(count()).toBe(6);
  });
  test('per-token: no token fetches until thirty seconds before the keys expire', async () => {
    const { ports, count, ok, bad } = await setUp({
      jwksRefetch: 'per-token',
      headers: { 'cache-control': 'max-age=300' },
    });
    await ok();
    await bad();
    expect(count()).toBe(1);
    ports.clock.advance(270_000);
    await bad();
    expect(count()).toBe(1);
    ports.clock.advance(1);
    await bad();
    expect(count()).toBe(2);
  });
  test('throttled: fetches once in ten seconds', async () => {
    const { ports, count, ok, bad } = await setUp();
    await ok();
    for (let round = 0; round < 50; round += 1) expect(await bad()).toBe(rejected);
    expect(count()).toBe(2);
    ports.clock.advance(10_000);
    await bad();
    expect(count()).toBe(3);
    expect(await ok()).toBe(accepted);
  });
  test('throttled: a new key is used within ten seconds while such tokens arrive', async () => {
    const { issuer, ports, count, ok, bad } = await setUp();
    await ok();
    await bad();
    await issuer.rotate({ keep: false });
    issuer.publish(ports.http);
    ports.clock.advance(9_999);
    expect(await ok()).toBe(rejected);
    ports.clock.advance(1);
    // Whichever token triggers the fetch, all waiting tokens get its result.
    expect(await bad()).toBe(rejected);
    expect(await ok()).toBe(accepted);
    expect(count()).toBe(3);
  });
  test('shares one fetch with concurrent tokens', async () => {
    const { ports, linked, count } = await setUp({ jwksRefetch: 'per-token' });
    const stranger = await testIssuer();
    const token = await stranger.token();
    const held = ports.http.hold();
    const answers = Promise.all(Array.from({ length: 64 }, () => ask(linked, token)));
    await settle();
    held.release();
    expect(new Set((await answers).map(nameOrReason))).toEqual(new Set([rejected]));
    expect(count()).toBe(1);
  });
});

test('64 tokens wait for a fetch, the others are rejected at once and accepted once it has ended', async () => {
  const issuer = await testIssuer();
  const other = await testIssuer('https://other.example.com');
  const ports = fakePorts();
  issuer.publish(ports.http);
  other.publish(ports.http);
  const nodes = [jwtNode(issuer), jwtNode(other, { id: 'jwt[1]' })];
  const linked = await linkNodes(nodes, ports, { tokenCache: 'off', jwksRefetch: 'per-token' });
  const otherToken = await other.token();
  expect(nameOrReason(await ask(linked, otherToken))).toBe(accepted);
  const held = ports.http.hold();
  const token = await issuer.token();
  const waiting = Array.from({ length: 64 }, () => ask(linked, token));
  await settle();
  const rejected = await ask(linked, token);
  expect(rejected).toMatchObject({ kind: 'rejected', reason: { code: 'AG5025' } });
  expect(nameOrReason(rejected)).toBe(
    'rejected oidc: verify token: failed to verify signature: fetching keys refused: more than 64 tokens are waiting for the keys of the issuer',
  );
  expect(nameOrReason(await ask(linked, otherToken))).toBe(accepted);
  held.release();
  expect(new Set((await Promise.all(waiting)).map(nameOrReason))).toEqual(new Set([accepted]));
  expect(nameOrReason(await ask(linked, token))).toBe(accepted);
});

test('a new key is accepted at once, a removed one after the next fetch', async () => {
  const { issuer, ports, linked, ok } = await setUp();
  await ok();
  const oldToken = await issuer.token();
  await issuer.rotate({ keep: false });
  issuer.publish(ports.http);
  expect(nameOrReason(await ask(linked, oldToken))).toBe(accepted);
  expect(await ok()).toBe(accepted);
  expect(nameOrReason(await ask(linked, oldToken))).toBe(rejected);
});

test('cached keys stay valid while the issuer is down or returns invalid responses', async () => {
  const { issuer, ports, count, ok, bad } = await setUp({ jwksRefetch: 'per-token' });
  await ok();
  ports.http.unplug(jwksOf(issuer));
  expect(await bad()).toContain('fetching keys oidc: get keys failed Get');
  expect(await ok()).toBe(accepted);
  ports.http.publish(jwksOf(issuer), { body: '<html>', contentType: 'text/html' });
  expect(await bad()).toContain('expected Content-Type = application/json, got "text/html"');
  expect(await ok()).toBe(accepted);
  issuer.publish(ports.http);
  expect(await bad()).toBe(rejected);
  expect(count()).toBe(4);
});

test('a caller who leaves does not stop the fetch', async () => {
  const { ports, linked, issuer, ok } = await setUp();
  const held = ports.http.hold();
  const leaving = new AbortController();
  const token = await issuer.token();
  const { secret } = await import('../../../engine/src/model/secret.ts');
  const decision = linked.authenticate(
    { path: '/', token: secret(token), audiences: [] },
    leaving.signal,
  );
  leaving.abort();
  expect(nameOrReason(await decision)).toContain('context canceled');
  held.release();
  await settle();
  expect(await ok()).toBe(accepted);
});

describe('keys stored before a restart', () => {
  const memoryCache = () => {
    const texts = new Map<string, string>();
    return {
      texts,
      read: (url: string) => Promise.resolve(texts.get(url)),
      write: (url: string, text: string) => {
        texts.set(url, text);
        return Promise.resolve();
      },
    };
  };
  test('are used while the issuer is down, and replaced once it responds', async () => {
    const issuer = await testIssuer();
    const keyCache = memoryCache();
    const before = fakePorts({ keyCache });
    issuer.publish(before.http);
    const first = await linkNodes([jwtNode(issuer)], before);
    expect(nameOrReason(await ask(first, await issuer.token()))).toBe(accepted);
    await settle();
    const after = fakePorts({ keyCache });
    const second = await linkNodes([jwtNode(issuer)], after, { tokenCache: 'off' });
    expect(nameOrReason(await ask(second, await issuer.token()))).toBe(accepted);
    const oldToken = await issuer.token();
    await issuer.rotate({ keep: false });
    issuer.publish(after.http);
    after.clock.advance(11_000);
    await settle();
    expect(nameOrReason(await ask(second, await issuer.token()))).toBe(accepted);
    expect(nameOrReason(await ask(second, oldToken))).toBe(rejected);
  });
  test('of another issuer are not used', async () => {
    const issuer = await testIssuer();
    const keyCache = memoryCache();
    keyCache.texts.set(
      issuer.url,
      JSON.stringify({ issuer: 'https://other.example.com', jwksUrl: 'https://x/j', body: '{}' }),
    );
    const linked = await linkNodes([jwtNode(issuer)], fakePorts({ keyCache }));
    expect(nameOrReason(await ask(linked, await issuer.token()))).toBe(
      'rejected oidc: authenticator not initialized',
    );
  });
});
