import { describe, expect, test } from 'vitest';
import type { Decision } from '../../../engine/src/model/decision.ts';
import { secret } from '../../../engine/src/model/secret.ts';
import { tokenCache } from '../../../engine/src/runtime/token-cache.ts';
import { fakePorts, settle } from '../../support/fake-ports.ts';
import {
  ask,
  jwtNode,
  linkNodes,
  nameOrReason,
  startSeconds,
  testIssuer,
} from '../../support/test-issuer.ts';

const accepted = (username: string, expiresAtMs?: number): Decision => ({
  kind: 'accepted',
  by: 'jwt',
  audiences: [],
  user: { username, uid: '', groups: [], extra: new Map() },
  ...(expiresAtMs === undefined ? {} : { expiresAtMs }),
});
const rejected: Decision = {
  kind: 'rejected',
  by: 'jwt',
  reason: { code: 'AG5006', message: 'no' },
};

const waiter = new AbortController();

const setUp = (options: { maxEntries?: number; generation?: string } = {}) => {
  const ports = fakePorts();
  const cache = tokenCache(ports, { keyPrefix: 'g1', ...options });
  let decided = 0;
  const ask = async (token: string, decision: Decision, audiences: readonly string[] = []) => {
    const cached = await cache.decide(
      { token, audiences },
      () => {
        decided += 1;
        return decision;
      },
      waiter,
    );
    return nameOrReason(cached.decision);
  };
  return { ports, cache, ask, decided: () => decided };
};

describe('INV-K1 a key is a keyed digest over length-prefixed parts', () => {
  test('different parts have different keys even if their concatenation is equal', async () => {
    const { ask, decided } = setUp();
    const requests: readonly (readonly [string, readonly string[]])[] = [
      ['token', []],
      ['token', ['a', 'b']],
      ['token', ['b', 'a']],
      ['token', ['ab']],
      ['token', ['a,b']],
      ['btoken', ['a']],
      ['oken', ['at']],
      ['1:xtoken', []],
      ['1;6:btoken', []],
      ['', ['token']],
    ];
    for (const [at, [token, audiences]] of requests.entries()) {
      expect(await ask(token, accepted(`u${at}`), audiences)).toBe(`accepted u${at}`);
    }
    expect(decided()).toBe(requests.length);
    for (const [at, [token, audiences]] of requests.entries()) {
      expect(await ask(token, rejected, audiences)).toBe(`accepted u${at}`);
    }
  });
  test('tokens that differ in their last character have different keys', async () => {
    const { ask } = setUp();
    await ask('abc', accepted('a'));
    expect(await ask('abd', rejected)).toBe('rejected no');
  });
  test('the digest covers generation, audiences and token', () => {
    const ports = fakePorts();
    const texts: string[] = [];
    const digest = {
      sha256: () => new Uint8Array(),
      sha256Hex: () => '',
      fingerprint: (head: string, tail = '') => {
        texts.push(head + tail);
        return head + tail;
      },
    };
    const cache = tokenCache({ ...ports, digest }, { keyPrefix: 'g1' });
    cache.decide({ token: 'tok', audiences: ['a', 'bc'] }, () => rejected, waiter);
    expect(texts).toEqual(['2:g12;1:a2:bctok']);
  });
});

describe('INV-K2 a swap leaves the old cache behind', () => {
  test('a check in flight in the old graph does not fill the new cache', async () => {
    const issuer = await testIssuer();
    const ports = fakePorts();
    issuer.publish(ports.http);
    const first = await linkNodes([jwtNode(issuer)], ports);
    const token = await issuer.token();
    const held = ports.http.hold();
    const underWay = ask(first, token);
    await settle();
    held.release();
    const rule = { kind: 'claim', claim: 'hd', requiredValue: 'x' } as const;
    const second = await linkNodes([jwtNode(issuer, { claimValidationRules: [rule] })], ports);
    expect(nameOrReason(await underWay)).toBe('accepted jane');
    expect(nameOrReason(await ask(second, token))).toContain('required claim hd');
  });
});

describe('INV-K3 an accepted decision does not outlive the token', () => {
  test('nor ten seconds, and hits do not extend it', async () => {
    const { ports, ask, decided } = setUp();
    await ask('t', accepted('a'));
    ports.clock.advance(6_000);
    await ask('t', rejected);
    ports.clock.advance(3_999);
    expect(await ask('t', rejected)).toBe('accepted a');
    ports.clock.advance(1);
    expect(await ask('t', rejected)).toBe('rejected no');
    expect(decided()).toBe(2);
  });
  test('it ends with exp', async () => {
    const { ports, ask } = setUp();
    await ask('t', accepted('a', ports.clock.now() + 3_000));
    ports.clock.advance(2_999);
    expect(await ask('t', rejected)).toBe('accepted a');
    ports.clock.advance(1);
    expect(await ask('t', rejected)).toBe('rejected no');
  });
  test('also for the requests of one connection', async () => {
    const issuer = await testIssuer();
    const ports = fakePorts();
    issuer.publish(ports.http);
    const linked = await linkNodes([jwtNode(issuer)], ports);
    const authenticate = linked.connection();
    const token = await issuer.token({ exp: startSeconds + 5 });
    const within = new AbortController();
    const answer = async () =>
      nameOrReason(await authenticate({ path: '/', token: secret(token), audiences: [] }, within));
    expect(await answer()).toBe('accepted jane');
    ports.clock.advance(4_999);
    expect(await answer()).toBe('accepted jane');
    ports.clock.advance(2);
    expect(await answer()).toContain('token is expired');
  });
});

describe('INV-K4 rejections are not cached and evict nothing', () => {
  test('a flood of invalid tokens evicts no valid one', async () => {
    const { cache, ask } = setUp({ maxEntries: 4 });
    await ask('good', accepted('a'));
    for (let n = 0; n < 1000; n += 1) await ask(`bad${n}`, rejected);
    expect(cache.size).toBe(1);
    expect(await ask('good', rejected)).toBe('accepted a');
  });
  test('among valid tokens, those in use stay', async () => {
    const { cache, ask } = setUp({ maxEntries: 4 });
    await ask('busy', accepted('busy'));
    for (let n = 0; n < 100; n += 1) {
      await ask(`other${n}`, accepted(`o${n}`));
      expect(await ask('busy', rejected)).toBe('accepted busy');
    }
    expect(cache.size).toBe(4);
  });
  test('a rejected token is checked again', async () => {
    const { ask } = setUp();
    expect(await ask('t', rejected)).toBe('rejected no');
    expect(await ask('t', accepted('a'))).toBe('accepted a');
  });
});

describe('INV-K5 tokens are compared by keyed digest', () => {
  test('the digest of a token differs between processes, and is stable within one', () => {
    const [one, two] = [fakePorts().digest, fakePorts().digest];
    expect(one.fingerprint('token')).toBe(one.fingerprint('token'));
    expect(one.fingerprint('token')).not.toBe(two.fingerprint('token'));
    expect(one.fingerprint('token')).not.toContain('token');
  });
  test('one check serves all concurrent callers', async () => {
    const { cache } = setUp();
    let decided = 0;
    let settleDecision = (_decision: Decision) => {};
    const decide = () => {
      decided += 1;
      return new Promise<Decision>((resolve) => {
        settleDecision = resolve;
      });
    };
    const answers = Array.from({ length: 100 }, () =>
      cache.decide({ token: 't', audiences: [] }, decide, waiter),
    );
    settleDecision(accepted('a'));
    const names = (await Promise.all(answers)).map(({ decision }) => nameOrReason(decision));
    expect([decided, new Set(names)]).toEqual([1, new Set(['accepted a'])]);
  });
});
