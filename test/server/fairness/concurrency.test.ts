import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Seat } from '../../../engine/src/fairness/concurrency.ts';
import { FairSeats } from '../../../engine/src/fairness/fair-seats.ts';
import { MaxInFlight } from '../../../engine/src/server/fairness/max-in-flight.ts';
import { manualClock } from '../../support/manual-clock.ts';

const options = { seats: 2, queueLength: 4, waitMs: 1_000 };
const incoming = { isCanceled: false, signal: new AbortController().signal };
const of = (user: string, isMutating = false) => ({ flow: [user], isMutating, incoming });
/** A request whose client disconnects when the test says so. */
const cancellable = (user: string) => {
  const controller = new AbortController();
  const { signal } = controller;
  const request = {
    ...of(user),
    incoming: {
      signal,
      get isCanceled() {
        return signal.aborted;
      },
    },
  };
  return { request, abort: () => controller.abort() };
};

describe('FairSeats', () => {
  test('lets one user occupy all seats of an idle server', () => {
    const seats = new FairSeats({ ...options, clock: manualClock().clock });
    expect(seats.acquire(of('alice'))).toMatchObject({});
    expect(seats.acquire(of('alice'))).not.toBeInstanceOf(Promise);
    expect(seats.acquire(of('alice'))).toBeInstanceOf(Promise);
  });

  test('gives a free seat to the user who occupies the fewest, not to the first in the queue', async () => {
    const seats = new FairSeats({ ...options, clock: manualClock().clock });
    const first = seats.acquire(of('alice')) as Seat;
    seats.acquire(of('alice'));
    const order: string[] = [];
    const wait = async (user: string) => {
      await seats.acquire(of(user));
      order.push(user);
    };
    void wait('alice');
    const bob = wait('bob');
    first.release();
    await bob;
    expect(order).toEqual(['bob']);
  });

  test('gives the place of the largest flow in a full queue to a user who has none', async () => {
    const seats = new FairSeats({ ...options, clock: manualClock().clock });
    for (const _ of [1, 2]) seats.acquire(of('alice'));
    const queued = [1, 2, 3, 4].map(() => seats.acquire(of('alice')));
    expect(seats.acquire(of('alice'))).toBeUndefined();
    expect(seats.acquire(of('bob'))).toBeInstanceOf(Promise);
    expect(await queued[0]).toBeUndefined();
    expect(seats.queued).toBe(4);
  });

  test('refuses a request that waits too long', async () => {
    const { clock, pass } = manualClock();
    const seats = new FairSeats({ ...options, clock });
    for (const _ of [1, 2]) seats.acquire(of('alice'));
    const waiting = seats.acquire(of('bob'));
    pass(1_000);
    expect(await waiting).toBeUndefined();
    expect(seats.queued).toBe(0);
  });

  test('removes a request from the queue when its client disconnects', async () => {
    const seats = new FairSeats({ ...options, clock: manualClock().clock });
    const occupied = [1, 2].map(() => seats.acquire(of('alice')) as Seat);
    const { request, abort } = cancellable('bob');
    const waiting = seats.acquire(request);
    expect(seats.queued).toBe(1);
    abort();
    expect(seats.queued).toBe(0);
    for (const seat of occupied) seat.release();
    expect(await waiting).toBeUndefined();
    expect(seats.acquire(request)).toBeUndefined();
    expect(seats.occupied).toBe(0);
  });

  test('gives a waiting request a seat of the largest flow if no seat becomes free', async () => {
    const { clock, pass } = manualClock();
    const seats = new FairSeats({ ...options, waitMs: 5_000, patienceMs: 100, clock });
    const displaced: string[] = [];
    const hanging = (user: string) => ({ ...of(user), onDisplaced: () => displaced.push(user) });
    for (const _ of [1, 2]) seats.acquire(hanging('alice'));
    const own = seats.acquire(hanging('alice'));
    const bob = seats.acquire(hanging('bob'));
    pass(100);
    expect(displaced).toEqual([]);
    pass(100);
    expect(displaced).toEqual(['alice']);
    expect(await bob).toBeDefined();
    pass(4_800);
    expect(await own).toBeUndefined();
    expect([displaced, seats.occupied, seats.queued]).toEqual([['alice'], 2, 0]);
  });

  test('gives a seat to the connection that occupies the fewest, not to the one with the longest queue', async () => {
    const seats = new FairSeats({ ...options, queueLength: 10, clock: manualClock().clock });
    const by = (connection: number) => ({ ...of(''), flow: ['address', connection] });
    const first = seats.acquire(by(1)) as Seat;
    seats.acquire(by(1));
    for (const _ of [1, 2, 3]) void seats.acquire(by(1));
    const other = seats.acquire(by(2));
    first.release();
    expect(await Promise.race([other, Promise.resolve('waits')])).not.toBe('waits');
    expect(seats.queued).toBe(3);
  });

  const step = fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom('a', 'b', 'c', 'd') },
    { weight: 1, arbitrary: fc.nat(10) },
  );

  test('never exceeds the number of seats, leaves none idle while someone waits, and releases all', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 6 }),
        fc.array(step, { maxLength: 60 }),
        async (count, queueLength, steps) => {
          const seats = new FairSeats({
            seats: count,
            queueLength,
            waitMs: 1_000,
            clock: manualClock().clock,
          });
          const held: { readonly user: string; readonly seat: Seat }[] = [];
          const waiting = new Map<string, number>();
          for (const each of steps) {
            if (typeof each === 'number') {
              const [released] = held.splice(each % Math.max(1, held.length), 1);
              released?.seat.release();
              released?.seat.release();
            } else {
              const isIdle = !held.some(({ user }) => user === each) && !waiting.has(each);
              const acquired = seats.acquire(of(each));
              if (isIdle) expect(acquired).toBeDefined();
              if (acquired instanceof Promise) {
                waiting.set(each, (waiting.get(each) ?? 0) + 1);
                void acquired.then((seat) => {
                  waiting.set(each, (waiting.get(each) ?? 0) - 1);
                  if (waiting.get(each) === 0) waiting.delete(each);
                  if (seat !== undefined) held.push({ user: each, seat });
                });
              } else if (acquired !== undefined) held.push({ user: each, seat: acquired });
            }
            await Promise.resolve();
            await Promise.resolve();
            expect(seats.occupied).toBe(held.length);
            expect(seats.occupied).toBeLessThanOrEqual(count);
            expect(seats.queued).toBeLessThanOrEqual(queueLength);
            if (seats.queued > 0) expect(seats.occupied).toBe(count);
          }
          for (let most = 200; held.length > 0 && most > 0; most -= 1) {
            held.pop()?.seat.release();
            await Promise.resolve();
            await Promise.resolve();
          }
          expect([seats.occupied, seats.queued]).toEqual([0, 0]);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('MaxInFlight', () => {
  test('limits read-only and mutating requests separately', () => {
    const pools = new MaxInFlight({ readOnly: 1, mutating: 1 });
    const reading = pools.acquire(of('alice'));
    expect(pools.acquire(of('bob'))).toBeUndefined();
    expect(pools.acquire(of('bob', true))).toBeDefined();
    reading?.release();
    reading?.release();
    expect(pools.acquire(of('bob'))).toBeDefined();
    expect(pools.acquire(of('bob'))).toBeUndefined();
  });

  test('does not limit requests if the limit is 0', () => {
    const pools = new MaxInFlight({ readOnly: 0, mutating: 0 });
    for (let at = 0; at < 10_000; at += 1) {
      expect(pools.acquire(of('alice', at % 2 === 0))).toBeDefined();
    }
  });
});
