import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FairPlaces, type Place } from '../../../engine/src/fairness/fair-places.ts';

/** Acquires places under names, and records whose places were displaced. */
const places = (limit: number) => {
  const fair = new FairPlaces(limit);
  const held = new Map<string, Place>();
  const lost: string[] = [];
  return {
    fair,
    held,
    lost,
    acquire(name: string, ...path: readonly string[]): boolean {
      const place = fair.acquire(path, () => {
        lost.push(name);
        held.delete(name);
      });
      if (place === undefined) return false;
      held.set(name, place);
      return true;
    },
  };
};

describe('fair places', () => {
  test('lets one flow hold all places while no other flow wants one', () => {
    const { acquire, fair } = places(3);
    expect([1, 2, 3].map((at) => acquire(`alice ${at}`, 'alice'))).toEqual([true, true, true]);
    expect(acquire('alice 4', 'alice')).toBe(false);
    expect(fair.size).toBe(3);
  });

  test('gives a smaller flow the oldest place of the largest flow', () => {
    const { acquire, lost } = places(3);
    acquire('alice 1', 'alice');
    acquire('bob 1', 'bob');
    acquire('alice 2', 'alice');
    expect(acquire('carol 1', 'carol')).toBe(true);
    expect(lost).toEqual(['alice 1']);
    expect(acquire('alice 3', 'alice')).toBe(false);
  });

  test('divides the share of an address among its connections', () => {
    const { acquire, lost } = places(4);
    for (const at of [1, 2, 3]) acquire(`flood ${at}`, 'address', 'connection 1');
    acquire('quiet 1', 'address', 'connection 2');
    expect(acquire('flood 4', 'address', 'connection 1')).toBe(false);
    expect(acquire('new 1', 'address', 'connection 3')).toBe(true);
    expect(lost).toEqual(['flood 1']);
    expect(acquire('elsewhere 1', 'other address', 'connection 4')).toBe(true);
    expect(lost).toEqual(['flood 1', 'flood 2']);
  });

  test('does not displace places of flows of nearly the same size', () => {
    const { acquire, lost } = places(5);
    for (const at of [1, 2, 3]) acquire(`alice ${at}`, 'alice');
    for (const at of [1, 2]) acquire(`bob ${at}`, 'bob');
    expect(acquire('bob 3', 'bob')).toBe(false);
    expect(acquire('carol 1', 'carol')).toBe(true);
    expect(acquire('carol 2', 'carol')).toBe(false);
    expect(lost).toEqual(['alice 1']);
  });

  test('displaces many small places for a large one only while they are the larger flow', () => {
    const fair = new FairPlaces(100);
    const lost: number[] = [];
    for (let at = 0; at < 10; at += 1) fair.acquire(['small'], () => lost.push(at), { weight: 10 });
    expect(fair.acquire(['large'], () => {}, { weight: 101 })).toBeUndefined();
    expect(fair.acquire(['large'], () => {}, { weight: 51 })).toBeUndefined();
    expect([lost, fair.size]).toEqual([[], 100]);
    expect(fair.acquire(['large'], () => {}, { weight: 45 })).toBeDefined();
    expect([lost, fair.size]).toEqual([[0, 1, 2, 3, 4], 95]);
  });

  test('gives the reserve to flows that are smaller than another one', () => {
    const fair = new FairPlaces(100);
    const acquireFor = (flow: string) =>
      fair.acquire([flow], () => {}, { weight: 10, reserve: 70 });
    for (const at of [1, 2, 3]) expect([at, acquireFor('alice') !== undefined]).toEqual([at, true]);
    expect(acquireFor('alice')).toBeUndefined();
    expect(acquireFor('bob')).toBeDefined();
    expect(fair.size).toBe(40);
  });

  test('releases a place once, and forgets flows without places', () => {
    const { acquire, held, fair } = places(2);
    acquire('a', 'alice', 'x');
    acquire('b', 'bob');
    const place = held.get('a');
    place?.release();
    place?.release();
    expect(fair.size).toBe(1);
    expect([...fair.flows]).toEqual(['bob']);
  });

  const user = fc.constantFrom('a', 'b', 'c', 'd');
  const connection = fc.constantFrom('1', '2', '3');
  const step = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant('acquire' as const), user, connection }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('release' as const), at: fc.nat(20) }) },
  );

  test('keeps the limit, uses free places, admits a user without places, and balances', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 8 }),
        fc.array(step, { maxLength: 120 }),
        (limit, steps) => {
          const { acquire, held, fair } = places(limit);
          const countOf = (name: string) =>
            [...held.keys()].filter((each) => each.startsWith(`${name} `)).length;
          steps.forEach((each, index) => {
            if (each.kind === 'release') {
              const name = [...held.keys()][each.at];
              held.get(name ?? '')?.release();
              held.delete(name ?? '');
            } else {
              const before = fair.size;
              const own = countOf(each.user);
              const got = acquire(`${each.user} ${index}`, each.user, each.connection);
              if (before < limit || own === 0) expect(got).toBe(true);
            }
            expect(fair.size).toBe(held.size);
            expect(fair.size).toBeLessThanOrEqual(limit);
          });
          for (const place of held.values()) place.release();
          expect(fair.size).toBe(0);
          expect([...fair.flows]).toEqual([]);
        },
      ),
    );
  });

  test('gives no flow two places more than another if all want more than they get', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 4, max: 30 }),
        fc.array(user, { minLength: 200 }),
        (limit, order) => {
          const { acquire, held } = places(limit);
          for (const name of ['a', 'b', 'c', 'd']) {
            for (let at = 0; at < limit; at += 1) acquire(`${name} first ${at}`, name);
          }
          for (const [at, name] of order.entries()) acquire(`${name} ${at}`, name);
          for (const name of ['a', 'b', 'c', 'd']) {
            for (let at = 0; at < limit; at += 1) acquire(`${name} last ${at}`, name);
          }
          const counts = ['a', 'b', 'c', 'd'].map(
            (name) => [...held.keys()].filter((each) => each.startsWith(`${name} `)).length,
          );
          expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
        },
      ),
    );
  });
});
