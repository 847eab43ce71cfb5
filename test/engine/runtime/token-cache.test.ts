import { describe, expect, test } from 'vitest';
import type { Waiter } from '../../../engine/src/fairness/waiter.ts';
import type { Decision, Remarks } from '../../../engine/src/model/decision.ts';
import {
  type CheckToken,
  type TokenCacheOptions,
  tokenCache,
} from '../../../engine/src/runtime/token-cache.ts';
import { fakePorts, settle } from '../../support/fake-ports.ts';
import { nameOrReason } from '../../support/test-issuer.ts';

const accepted = (username: string, remarks?: Remarks): Decision => ({
  kind: 'accepted',
  by: 'jwt',
  audiences: [],
  user: { username, uid: '', groups: [], extra: new Map() },
  ...(remarks === undefined ? {} : { remarks }),
});
const rejected: Decision = {
  kind: 'rejected',
  by: 'jwt',
  reason: { code: 'AG5006', message: 'no' },
};
const noOpinion: Decision = { kind: 'noOpinion' };

const setUp = (options: Partial<TokenCacheOptions> = {}) => {
  const ports = fakePorts();
  const cache = tokenCache(ports, { keyPrefix: 'g', ...options });
  let decided = 0;
  const decideWith = (token: string, decide: CheckToken, waiter: Waiter = new AbortController()) =>
    cache.decide(
      { token, audiences: [] },
      (check) => {
        decided += 1;
        return decide(check);
      },
      waiter,
    );
  const ask = async (token: string, decision: Decision) =>
    nameOrReason((await decideWith(token, () => decision)).decision);
  const counted = (name: string, status: string) =>
    ports.counted.get(`authentication_token_cache_${name}${JSON.stringify({ status })}`);
  return { ports, cache, ask, decideWith, counted, decided: () => decided };
};

const waiting = () => {
  let finish = (_decision: Decision): void => {};
  let fail = (_fault: Error): void => {};
  const promise = new Promise<Decision>((resolve, reject) => {
    finish = resolve;
    fail = reject;
  });
  return { promise, finish: (decision: Decision) => finish(decision), fail: (e: Error) => fail(e) };
};

describe('an error of an authenticator', () => {
  const message = 'Internal error occurred: authentication failed unexpectedly';
  test.each([
    [
      'thrown at once',
      (): Decision => {
        throw new Error('bug');
      },
    ],
    ['thrown later', () => Promise.reject(new Error('bug'))],
  ])('%s rejects the token and is not cached', async (_when, decide) => {
    const { ports, decideWith, ask } = setUp({ failureTtlMs: 60_000, cacheErrors: 'yes' });
    const { decision } = await decideWith('t', decide);
    expect(decision).toEqual({ kind: 'rejected', reason: { code: 'AG5000', message } });
    expect(ports.events).toEqual([
      {
        level: 'error',
        message: 'authentication failed unexpectedly',
        fields: { error: new Error('bug') },
      },
    ]);
    expect(await ask('t', accepted('a'))).toBe('accepted a');
  });
});

describe('a check that times out', () => {
  test('ends for all callers one second after the module’s own timeout, and its late result is ignored', async () => {
    const { ports, decideWith, ask, decided } = setUp();
    const slow = waiting();
    const answers = [decideWith('t', () => slow.promise), decideWith('t', () => slow.promise)];
    ports.clock.advance(30_999);
    await settle();
    expect(decided()).toBe(1);
    ports.clock.advance(1);
    for (const answer of answers) {
      expect((await answer).decision).toMatchObject({
        kind: 'rejected',
        reason: { code: 'AG5023', message: 'context deadline exceeded' },
      });
    }
    slow.finish(accepted('late'));
    await settle();
    expect(await ask('t', accepted('new'))).toBe('accepted new');
  });
  test('leaves no timer if it ends in time', async () => {
    const { ports, decideWith, ask } = setUp({ successTtlMs: 60_000 });
    const immediate = waiting();
    const answer = decideWith('t', () => immediate.promise);
    immediate.finish(accepted('a'));
    expect(nameOrReason((await answer).decision)).toBe('accepted a');
    ports.clock.advance(31_000);
    await settle();
    expect(ports.events).toEqual([]);
    expect(await ask('t', rejected)).toBe('accepted a');
  });
});

describe('warnings and annotations', () => {
  const remarks = { warnings: ['old'], annotations: new Map([['k', 'v']]) };
  test('of accepted decisions are repeated with each cached response', async () => {
    const { decideWith } = setUp();
    for (const expected of [remarks, undefined]) {
      const { decision } = await decideWith('t', () => accepted('a', expected));
      expect(decision).toHaveProperty('remarks', remarks);
    }
  });
  test('of rejections are dropped', async () => {
    const { decideWith } = setUp({ failureTtlMs: 1000, cacheErrors: 'yes' });
    for (let time = 0; time < 2; time += 1) {
      const { decision } = await decideWith('t', () => ({ ...rejected, remarks }));
      expect(decision).toEqual(rejected);
    }
  });
});

describe('failures', () => {
  test.each([
    [0, 'yes', false, false],
    [1000, 'no', true, false],
    [1000, 'yes', true, true],
  ] as const)('are cached for %d ms, errors %s', async (failureTtlMs, cacheErrors, none, error) => {
    const { ports, ask } = setUp({ failureTtlMs, cacheErrors });
    await ask('none', noOpinion);
    await ask('error', rejected);
    ports.clock.advance(999);
    expect(await ask('none', accepted('a'))).toBe(none ? 'no opinion' : 'accepted a');
    expect(await ask('error', accepted('a'))).toBe(error ? 'rejected no' : 'accepted a');
    ports.clock.advance(1);
    expect(await ask('none', accepted('a'))).toBe('accepted a');
    expect(await ask('error', accepted('a'))).toBe('accepted a');
  });
});

describe('metrics', () => {
  test('count hits, misses, checks and their results', async () => {
    const { ports, ask, decideWith, counted, cache } = setUp();
    await ask('t', accepted('a'));
    await ask('t', accepted('a'));
    cache.countHit();
    await ask('u', rejected);
    await ask('v', noOpinion);
    expect(['hit', 'miss'].map((status) => counted('request_total', status))).toEqual([2, 3]);
    expect(['ok', 'error'].map((status) => counted('fetch_total', status))).toEqual([2, 1]);
    expect(counted('request_duration_seconds', 'hit')).toBe(0);

    const slow = waiting();
    const answers = [decideWith('w', () => slow.promise), decideWith('w', () => slow.promise)];
    const active = () =>
      ['in_flight', 'blocked'].map((status) => counted('active_fetch_count', status));
    expect(active()).toEqual([1, 2]);
    ports.clock.advance(1234.9);
    slow.finish(accepted('a'));
    await Promise.all(answers);
    await settle();
    expect(active()).toEqual([0, 0]);
    expect(counted('request_total', 'miss')).toBe(5);
    expect(counted('request_duration_seconds', 'miss')).toBe(1.234);
  });
  test('count nothing and read no clock if disabled', async () => {
    const ports = fakePorts();
    const calls: string[] = [];
    const record = (name: string): void => {
      calls.push(name);
    };
    const metrics = {
      disabled: true,
      increment: record,
      set: record,
      observe: record,
      forget: record,
    } as const;
    const cache = tokenCache({ ...ports, metrics }, { keyPrefix: 'g' });
    for (let time = 0; time < 2; time += 1) {
      await cache.decide(
        { token: 't', audiences: [] },
        async () => accepted('a'),
        new AbortController(),
      );
    }
    cache.countHit();
    expect(calls).toEqual([]);
  });
});

describe('the memory of waiting tokens', () => {
  const limits = { cacheBytes: Number.POSITIVE_INFINITY, pendingTokenBytes: 1024 * 1024 };
  const never = (): Promise<Decision> => new Promise(() => {});
  const clientOf = (name: string) => {
    const controller = new AbortController();
    return { signal: controller.signal, flow: [name], leave: () => controller.abort() };
  };
  /** Starts tokens of one client until no memory is left for another one. */
  const fill = (setting: ReturnType<typeof setUp>, waiter: Waiter): number => {
    for (let at = 0; at < 1_000; at += 1) {
      const answer = setting.decideWith(`of a flood ${at}`, never, waiter);
      if (answer instanceof Promise) continue;
      expect(answer).toMatchObject({ decision: { reason: { code: 'AG5026', overloaded: true } } });
      return at;
    }
    throw new Error('never full');
  };

  test('cannot be used up by a few large tokens', () => {
    const { decideWith } = setUp({ limits });
    const large = (n: number) => String(n).padEnd(30_000, 'x');
    const answers = Array.from({ length: 50 }, (_, n) => decideWith(large(n), never));
    const rejectedAtOnce = answers.filter((answer) => !(answer instanceof Promise));
    expect(rejectedAtOnce.length).toBeGreaterThan(40);
    expect(rejectedAtOnce[0]).toMatchObject({ decision: { reason: { code: 'AG5026' } } });
    expect(decideWith('small', never)).toBeInstanceOf(Promise);
  });

  test('is not used by a check that does not wait', async () => {
    const setting = setUp({ limits });
    fill(setting, clientOf('stranger'));
    expect(await setting.ask('at once', accepted('jane'))).toBe('accepted jane');
  });

  test('is passed from the client that uses most to one that uses less', async () => {
    const setting = setUp({ limits });
    const stranger = clientOf('stranger');
    const oldest = setting.decideWith('oldest', never, stranger);
    fill(setting, stranger);
    const answers = ['ann', 'bob'].map((name) =>
      setting.decideWith(`of ${name}`, async () => accepted(name), clientOf(name)),
    );
    for (const [at, name] of ['ann', 'bob'].entries()) {
      expect(nameOrReason((await answers[at])?.decision ?? noOpinion)).toBe(`accepted ${name}`);
    }
    for (let at = 0; at < 20; at += 1)
      void setting.decideWith(`slow ${at}`, never, clientOf('ann'));
    expect((await oldest).decision).toMatchObject({ reason: { code: 'AG5026' } });
  });

  test('is released once the last client of a token has left, whose check is aborted', async () => {
    const setting = setUp({ limits });
    const [one, two] = [clientOf('one'), clientOf('two')];
    let check: Waiter | undefined;
    const decide: CheckToken = (waiter) => {
      check = waiter;
      void waiter.signal;
      return never();
    };
    const answers = [one, two].map((client) => setting.decideWith('shared', decide, client));
    expect(setting.decided()).toBe(1);
    const room = fill(setting, one);
    one.leave();
    expect((await answers[0])?.decision).toMatchObject({ reason: { code: 'AG5023' } });
    expect(check?.signal.aborted).toBe(false);
    two.leave();
    expect((await answers[1])?.decision).toMatchObject({ reason: { code: 'AG5023' } });
    expect(check?.signal.aborted).toBe(true);
    expect(fill(setting, clientOf('three'))).toBe(room + 1);
    // The next caller starts a check of its own.
    expect(await setting.ask('shared', accepted('jane'))).toBe('accepted jane');
    expect(setting.counted('active_fetch_count', 'in_flight')).toBe(room + 1);
  });
});
