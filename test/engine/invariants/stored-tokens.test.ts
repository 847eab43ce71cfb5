/** Tokens that are stored: in a file, in Secrets, in the cache. */
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { linkBootstrapToken } from '../../../engine/src/authenticators/bootstrap-token/authenticate.ts';
import { compileBootstrapToken } from '../../../engine/src/authenticators/bootstrap-token/compile.ts';
import { linkStaticToken } from '../../../engine/src/authenticators/static-token/authenticate.ts';
import { compileStaticToken } from '../../../engine/src/authenticators/static-token/compile.ts';
import { sameSecret } from '../../../engine/src/formats/constant-time.ts';
import { encodeUtf8 } from '../../../engine/src/formats/utf8.ts';
import type { Decision } from '../../../engine/src/model/decision.ts';
import { headerList } from '../../../engine/src/model/header-list.ts';
import { secret } from '../../../engine/src/model/secret.ts';
import type { TraceStep } from '../../../engine/src/model/trace.ts';
import { readBearerToken } from '../../../engine/src/runtime/bearer-token.ts';
import { combineDecisions } from '../../../engine/src/runtime/combine-decisions.ts';
import { tokenCache } from '../../../engine/src/runtime/token-cache.ts';
import { readWebsocketToken } from '../../../engine/src/runtime/websocket-token.ts';
import { secretView } from '../../support/answer-modules/json-objects.ts';
import { fakePorts } from '../../support/fake-ports.ts';
import { nameOrReason } from '../../support/test-issuer.ts';

const canary = 'canary-4f1d9a0c77';
const waiter = new AbortController();
const presenting = (token: string) => ({ path: '/', token: secret(token), audiences: [] });

const staticTokens = (text: string, ports = fakePorts()) => {
  const bytes = encodeUtf8(text);
  const compiled = compileStaticToken(
    { file: 'f', bytes },
    { digest: ports.digest, mode: 'product' },
  );
  if (compiled.kind === 'failed') throw new Error(compiled.error);
  return {
    compiled,
    authenticator: linkStaticToken(compiled.node, ports, compiled.material),
  };
};

const base64 = (text: string) => Buffer.from(text).toString('base64');

const bootstrapTokens = (password: string, data: object = {}, ports = fakePorts()) => {
  const node = compileBootstrapToken({ enabled: true }, { apiDomain: 'k8s.io' });
  if (node === undefined) throw new Error('off');
  const objects = secretView([
    {
      metadata: { name: 'bootstrap-token-abcdef', namespace: 'kube-system' },
      type: 'bootstrap.kubernetes.io/token',
      data: {
        'token-id': base64('abcdef'),
        'token-secret': base64(password),
        'usage-bootstrap-authentication': base64('true'),
        ...data,
      },
    },
  ]);
  return linkBootstrapToken(node, ports, { objects });
};

const accepted = (username: string): Decision => ({
  kind: 'accepted',
  by: 'static-token',
  audiences: [],
  user: { username, uid: '', groups: [], extra: new Map() },
});

describe('INV-K1 no two tokens share a key', () => {
  test('of the cache, even if their bytes are not UTF-8', async () => {
    const cache = tokenCache(fakePorts(), { keyPrefix: 'g' });
    const tokens = ['t\udcff', 't\udcfe', 't\ufffd', '"t\\udcff"', 't\ud800', 't'];
    for (const token of tokens) {
      const { decision } = await cache.decide(
        { token, audiences: [] },
        () => accepted(token),
        waiter,
      );
      expect(nameOrReason(decision)).toBe(`accepted ${token}`);
    }
    expect(cache.size).toBe(tokens.length);
  });
});

describe('INV-K3 a bootstrap token is not cached beyond its expiry', () => {
  test('even if the TTL of the cache is longer', async () => {
    const ports = fakePorts();
    const cache = tokenCache(ports, { keyPrefix: 'g' });
    const expiration = base64(new Date(ports.clock.now() + 3_000).toISOString());
    const tokens = bootstrapTokens('0123456789abcdef', { expiration }, ports);
    const decideCached = async () => {
      const token = 'abcdef.0123456789abcdef';
      const cached = await cache.decide(
        { token, audiences: [] },
        (check) => tokens.authenticate(presenting(token), check),
        waiter,
      );
      return nameOrReason(cached.decision);
    };
    expect(await decideCached()).toBe('accepted system:bootstrap:abcdef');
    ports.clock.advance(2_999);
    expect(await decideCached()).toBe('accepted system:bootstrap:abcdef');
    ports.clock.advance(1);
    expect(await decideCached()).toBe('no opinion');
  });
});

describe('INV-K4 cached failures evict no accepted token', () => {
  test('however many there are', async () => {
    const options = { keyPrefix: 'g', failureTtlMs: 60_000, maxEntries: 4 };
    const cache = tokenCache(fakePorts(), options);
    await cache.decide({ token: 'good', audiences: [] }, () => accepted('a'), waiter);
    for (let n = 0; n < 1000; n += 1) {
      await cache.decide(
        { token: `bad${n}`, audiences: [] },
        () => ({ kind: 'noOpinion' }),
        waiter,
      );
    }
    expect(cache.size).toBe(5);
    const cached = await cache.decide(
      { token: 'good', audiences: [] },
      () => accepted('b'),
      waiter,
    );
    expect(nameOrReason(cached.decision)).toBe('accepted a');
  });
});

describe('INV-K5 stored tokens are compared by keyed digest or in constant time', () => {
  test('only digests of a token file are stored, different in each process', () => {
    const [one, two] = [staticTokens(`${canary},a,1`), staticTokens(`${canary},a,1`)];
    const [keyOne] = one.compiled.material.userByDigest.keys();
    const [keyTwo] = two.compiled.material.userByDigest.keys();
    expect(keyOne).not.toBe(keyTwo);
    expect(keyOne).not.toContain(canary);
  });
  test('a bootstrap token is compared completely', async () => {
    expect(sameSecret('0123456789abcdef', '0123456789abcdef')).toBe(true);
    for (let place = 0; place < 16; place += 1) {
      const wrong = `${'0123456789abcdef'.slice(0, place)}z${'0123456789abcdef'.slice(place + 1)}`;
      expect(sameSecret('0123456789abcdef', wrong)).toBe(false);
      const decision = await bootstrapTokens('0123456789abcdef').authenticate(
        presenting(`abcdef.${wrong}`),
        waiter,
      );
      expect(decision.kind).toBe('noOpinion');
    }
    expect(sameSecret('a', 'ab')).toBe(false);
    expect(sameSecret('', '')).toBe(true);
  });
});

describe('INV-M1 a failing authenticator does not prevent an acceptance', () => {
  test('an unavailable store, and a token of the file', async () => {
    const node = compileBootstrapToken({ enabled: true }, { apiDomain: 'k8s.io' });
    if (node === undefined) throw new Error('off');
    const token = 'abcdef.0123456789abcdef';
    const away = linkBootstrapToken(node, fakePorts(), {
      objects: secretView([], 'away'),
    });
    const failed = await away.authenticate(presenting(token), waiter);
    const { authenticator } = staticTokens(`${token},alice,1`);
    const taken = await authenticator.authenticate(presenting(token), waiter);
    expect(nameOrReason(combineDecisions([failed, taken]))).toBe('accepted alice');
    expect(nameOrReason(combineDecisions([failed, { kind: 'noOpinion' }]))).toBe('rejected away');
  });
});

describe('INV-M3 an identity has a name', () => {
  test.each(['t,,1', 't,"",1', 't,alice,1\nt,,2'])(
    'a token file %j has no user for it',
    async (text) => {
      const { authenticator } = staticTokens(text);
      expect((await authenticator.authenticate(presenting('t'), waiter)).kind).toBe('noOpinion');
    },
  );
});

describe('INV-M4 of two lines with the same token the last one is used', () => {
  test('whatever the order of the others', async () => {
    for (const text of ['t,a,1\nu,x,2\nt,b,3', 'u,x,2\nt,a,1\nt,b,3']) {
      const decision = await staticTokens(text).authenticator.authenticate(presenting('t'), waiter);
      expect(nameOrReason(decision)).toBe('accepted b');
    }
  });
});

describe('INV-H1 a token is read from Authorization or a subprotocol only', () => {
  const upgrade = ['Connection', 'Upgrade', 'Upgrade', 'websocket'];
  const protocol = `base64url.bearer.authorization.k8s.io.${Buffer.from(canary).toString('base64url')}`;
  test.each([
    ['Cookie', `token=${canary}; ${protocol}`],
    ['Proxy-Authorization', `Bearer ${canary}`],
    ['Sec-WebSocket-Key', protocol],
    ['Sec-WebSocket-Extensions', protocol],
    ['Sec_WebSocket_Protocol', `${protocol}, x`],
    ['X-Forwarded-Authorization', `Bearer ${canary}`],
  ])('%s', (name, value) => {
    const headers = headerList([...upgrade, name, value]);
    expect(readWebsocketToken(headers, { apiDomain: 'k8s.io' }).kind).toBe('none');
  });
  test('a subprotocol is used in WebSocket requests only', () => {
    const fields = ['Sec-WebSocket-Protocol', `${protocol}, x`];
    expect(readWebsocketToken(headerList(fields), { apiDomain: 'k8s.io' }).kind).toBe('none');
    const headers = headerList([...upgrade, ...fields]);
    expect(readWebsocketToken(headers, { apiDomain: 'k8s.io' }).kind).toBe('token');
  });
  test.each(['Basic', 'Digest', 'Token', 'Negotiate'])(
    'the scheme %s is not accepted',
    (scheme) => {
      expect(readBearerToken(`${scheme} ${canary}`).token).toBeUndefined();
    },
  );
});

describe('INV-S1 no stored token is printed', () => {
  test('in nodes, material, warnings, traces and logs of a token file', async () => {
    const ports = fakePorts();
    const text = `${canary},a,1\n${canary},b,2\n${canary}-2,,3\n`;
    const { compiled, authenticator } = staticTokens(text, ports);
    const steps: TraceStep[] = [];
    for (const token of [canary, `${canary}-3`]) {
      await authenticator.authenticate(presenting(token), waiter, {
        step: (step) => steps.push(step),
      });
    }
    expect(inspect([compiled, steps, ports.events], { depth: 10 })).not.toContain(canary);
  });
  test('in errors of a token file', () => {
    const bytes = encodeUtf8(`${canary},"a"b,1`);
    const { digest } = fakePorts();
    const failed = compileStaticToken({ file: 'f', bytes }, { digest, mode: 'product' });
    expect(failed.kind).toBe('failed');
    expect(inspect(failed)).not.toContain(canary);
  });
  test('in traces and logs of bootstrap tokens', async () => {
    const ports = fakePorts();
    const steps: TraceStep[] = [];
    const tokens = bootstrapTokens('0123456789abcdef', { expiration: base64('soon') }, ports);
    for (const password of ['0123456789abcdef', 'fedcba9876543210']) {
      const request = presenting(`abcdef.${password}`);
      await tokens.authenticate(request, waiter, { step: (step) => steps.push(step) });
    }
    expect(steps).toHaveLength(2);
    expect(inspect([steps, ports.events], { depth: 10 })).not.toMatch(/0123456789|fedcba9876/);
  });
});
