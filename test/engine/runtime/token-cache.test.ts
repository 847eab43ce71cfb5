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
  const cache = tokenCache(ports, { generation: 'g', ...options });
  let decided = 0;
  const askWith = (token: string, decide: CheckToken, waiter: Waiter = new AbortController()) =>
    cache.decide(
      { token, audiences: [] },
      (check) => {
        decided += 1;
        return decide(check);
      },
      waiter,
    );
  const ask = async (token: string, decision: Decision) =>
    nameOrReason((await askWith(token, () => decision)).decision);
  const counted = (name: string, status: string) =>
    ports.counted.get(`authentication_token_cache_${name}${JSON.stringify({ status })}`);
  return { ports, cache, ask, askWith, counted, decided: () => decided };
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

describe('a fault of a module', () => {
  const message = 'Internal error occurred: authentication failed unexpectedly';
  test.each([
    [
      'thrown at once',
      (): Decision => {
        throw new Error('bug');
      },
    ],
    ['thrown later', () => Promise.reject(new Error('bug'))],
  ])('%s refuses the token, and is not kept', async (_when, decide) => {
    const { ports, askWith, ask } = setUp({ failureTtlMs: 60_000, cacheErrors: 'yes' });
    const { decision } = await askWith('t', decide);
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

describe('a check that takes too long', () => {
  test('is given up for all who wait, a second after its module should have, and what it says then is lost', async () => {
    const { ports, askWith, ask, decided } = setUp();
    const slow = waiting();
    const answers = [askWith('t', () => slow.promise), askWith('t', () => slow.promise)];
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
  test('leaves no timer when it ends in time', async () => {
    const { ports, askWith, ask } = setUp({ successTtlMs: 60_000 });
    const quick = waiting();
    const answer = askWith('t', () => quick.promise);
    quick.finish(accepted('a'));
    expect(nameOrReason((await answer).decision)).toBe('accepted a');
    ports.clock.advance(31_000);
    await settle();
    expect(ports.events).toEqual([]);
    expect(await ask('t', rejected)).toBe('accepted a');
  });
});

describe('remarks', () => {
  const remarks = { warnings: ['old'], annotations: new Map([['k', 'v']]) };
  test('of who is accepted come with each answer', async () => {
    const { askWith } = setUp();
    for (const given of [remarks, undefined]) {
      const { decision } = await askWith('t', () => accepted('a', given));
      expect(decision).toHaveProperty('remarks', remarks);
    }
  });
  test('of who is refused are dropped', async () => {
    const { askWith } = setUp({ failureTtlMs: 1000, cacheErrors: 'yes' });
    for (let time = 0; time < 2; time += 1) {
      const { decision } = await askWith('t', () => ({ ...rejected, remarks }));
      expect(decision).toEqual(rejected);
    }
  });
});

describe('refusals', () => {
  test.each([
    [0, 'yes', false, false],
    [1000, 'no', true, false],
    [1000, 'yes', true, true],
  ] as const)('kept for %d ms, errors %s', async (refusedLifetimeMs, keepErrors, none, error) => {
    const { ports, ask } = setUp({ failureTtlMs: refusedLifetimeMs, cacheErrors: keepErrors });
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

describe('what is counted', () => {
  test('hits and misses, checks and their ends', async () => {
    const { ports, ask, askWith, counted, cache } = setUp();
    await ask('t', accepted('a'));
    await ask('t', accepted('a'));
    cache.countHit();
    await ask('u', rejected);
    await ask('v', noOpinion);
    expect(['hit', 'miss'].map((status) => counted('request_total', status))).toEqual([2, 3]);
    expect(['ok', 'error'].map((status) => counted('fetch_total', status))).toEqual([2, 1]);
    expect(counted('request_duration_seconds', 'hit')).toBe(0);

    const slow = waiting();
    const answers = [askWith('w', () => slow.promise), askWith('w', () => slow.promise)];
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
  test('nothing where nobody looks, and the clock is not asked', async () => {
    const ports = fakePorts();
    const told: string[] = [];
    const tell = (name: string): void => {
      told.push(name);
    };
    const metrics = {
      uncounted: true,
      increment: tell,
      set: tell,
      observe: tell,
      forget: tell,
    } as const;
    const cache = tokenCache({ ...ports, metrics }, { generation: 'g' });
    for (let time = 0; time < 2; time += 1) {
      await cache.decide(
        { token: 't', audiences: [] },
        async () => accepted('a'),
        new AbortController(),
      );
    }
    cache.countHit();
    expect(told).toEqual([]);
  });
});

describe('the memory of tokens that wait', () => {
  const limits = { cacheBytes: Number.POSITIVE_INFINITY, pendingTokenBytes: 1024 * 1024 };
  const never = (): Promise<Decision> => new Promise(() => {});
  const clientOf = (name: string) => {
    const controller = new AbortController();
    return { signal: controller.signal, flow: [name], leave: () => controller.abort() };
  };
  /** Tokens of one client until there is no room for another one. */
  const fill = (setting: ReturnType<typeof setUp>, waiter: Waiter): number => {
    for (let at = 0; at < 1_000; at += 1) {
      const answer = setting.askWith(`of a flood ${at}`, never, waiter);
      if (answer instanceof Promise) continue;
      expect(answer).toMatchObject({ decision: { reason: { code: 'AG5026', overloaded: true } } });
      return at;
    }
    throw new Error('never full');
  };

  test('a few large tokens leave room for ordinary ones', () => {
    const { askWith } = setUp({ limits });
    const large = (n: number) => String(n).padEnd(30_000, 'x');
    const answers = Array.from({ length: 50 }, (_, n) => askWith(large(n), never));
    const rejectedAtOnce = answers.filter((answer) => !(answer instanceof Promise));
    expect(rejectedAtOnce.length).toBeGreaterThan(40);
    expect(rejectedAtOnce[0]).toMatchObject({ decision: { reason: { code: 'AG5026' } } });
    expect(askWith('small', never)).toBeInstanceOf(Promise);
  });

  test('a check that does not wait needs none', async () => {
    const setting = setUp({ limits });
    fill(setting, clientOf('stranger'));
    expect(await setting.ask('at once', accepted('jane'))).toBe('accepted jane');
  });

  test('the token of a client that uses less gets the room of one of the client that uses most', async () => {
    const setting = setUp({ limits });
    const stranger = clientOf('stranger');
    const oldest = setting.askWith('oldest', never, stranger);
    fill(setting, stranger);
    const answers = ['ann', 'bob'].map((name) =>
      setting.askWith(`of ${name}`, async () => accepted(name), clientOf(name)),
    );
    for (const [at, name] of ['ann', 'bob'].entries()) {
      expect(nameOrReason((await answers[at])?.decision ?? noOpinion)).toBe(`accepted ${name}`);
    }
    for (let at = 0; at < 20; at += 1) void setting.askWith(`slow ${at}`, never, clientOf('ann'));
    expect((await oldest).decision).toMatchObject({ reason: { code: 'AG5026' } });
  });

  test('the room of a token is free again once its last client has left, whose check is aborted', async () => {
    const setting = setUp({ limits });
    const [one, two] = [clientOf('one'), clientOf('two')];
    let check: Waiter | undefined;
    const decide: CheckToken = (waiter) => {
      check = waiter;
      void waiter.signal;
      return never();
    };
    const answers = [one, two].map((client) => setting.askWith('shared', decide, client));
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
