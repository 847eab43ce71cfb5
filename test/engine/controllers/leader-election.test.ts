/** One of several replicas runs the controllers, by the rules of client-go's leader election. */
import { expect, onTestFinished, test } from 'vitest';
import type { Controller } from '../../../engine/src/controllers/controller.ts';
import { leaderElection } from '../../../engine/src/controllers/leader-election.ts';
import { recordOf } from '../../../engine/src/controllers/lease.ts';
import { memoryStore } from '../../../engine/src/node/store/memory.ts';
import { type Store, StoreError } from '../../../engine/src/ports/store.ts';
import { fakePorts, settle } from '../../support/fake-ports.ts';

const key = { resource: 'leases', namespace: 'kube-system', name: 'authgraph-controllers' };
const timing = { leaseDurationMs: 15_000, renewDeadlineMs: 10_000, retryPeriodMs: 2_000 };

/** Replicas with one store and one clock; a replica can be cut off from the store. */
const setUp = () => {
  const ports = fakePorts();
  const { clock } = ports;
  const store = memoryStore({ clock });
  const running = new Set<string>();
  let mostRunning = 0;
  let starts = 0;
  const unreachable = new Set<string>();
  const delays: { update?: Promise<void>; stop?: Promise<void> } = {};
  const reach = (identity: string): Pick<Store, 'get' | 'create' | 'update'> => {
    const check = (): void => {
      if (unreachable.has(identity)) throw new StoreError('unavailable', 'no connection');
    };
    return {
      async get(name) {
        check();
        return store.get(name);
      },
      async create(name, object) {
        check();
        return store.create(name, object);
      },
      async update(name, object, only) {
        check();
        await delays.update;
        return store.update(name, object, only);
      },
    };
  };
  const start = (identity: string): Controller => {
    const work: Controller = {
      name: 'work',
      start() {
        starts += 1;
        running.add(identity);
        mostRunning = Math.max(mostRunning, running.size);
      },
      async stop() {
        await delays.stop;
        running.delete(identity);
      },
    };
    const { resource: _, ...lease } = key;
    const election = leaderElection(
      { ...timing, lease, identity, controllers: () => [work] },
      { ...ports, store: reach(identity) },
    );
    onTestFinished(() => election.stop());
    election.start();
    return election;
  };
  const pass = async (milliseconds: number): Promise<void> => {
    for (let passed = 0; passed < milliseconds; passed += 500) {
      clock.advance(500);
      await settle();
    }
  };
  const lease = async () => {
    const stored = await store.get(key);
    return stored && recordOf(stored.object);
  };
  return {
    start,
    pass,
    lease,
    running,
    unreachable,
    delays,
    starts: () => starts,
    mostRunning: () => mostRunning,
  };
};

test('the first replica leads and renews its Lease', async () => {
  const { start, pass, lease, running } = setUp();
  start('a');
  await pass(500);
  start('b');
  await pass(60_000);
  expect([...running]).toEqual(['a']);
  const record = await lease();
  expect(record).toMatchObject({ holder: 'a', durationSeconds: 15, transitions: 0 });
  expect(record?.renewedAt).toBeGreaterThan(Number(record?.acquiredAt) + 50_000);
});

test('a leader that ends releases the Lease, and another replica leads within seconds', async () => {
  const { start, pass, lease, running, mostRunning } = setUp();
  const first = start('a');
  await pass(1_000);
  start('b');
  await pass(5_000);
  await first.stop();
  expect(await lease()).toMatchObject({ holder: '', durationSeconds: 1 });
  await pass(5_000);
  expect([...running]).toEqual(['b']);
  expect(await lease()).toMatchObject({ holder: 'b', transitions: 1 });
  expect(mostRunning()).toBe(1);
});

test('a leader without the store stops before another replica starts', async () => {
  const { start, pass, lease, running, unreachable, mostRunning } = setUp();
  start('a');
  await pass(1_000);
  start('b');
  await pass(5_000);
  unreachable.add('a');
  await pass(7_500);
  expect([...running]).toEqual(['a']);
  await pass(3_000);
  expect([...running]).toEqual([]);
  await pass(12_000);
  expect([...running]).toEqual(['b']);
  // The old leader sees that another one holds the Lease.
  unreachable.delete('a');
  await pass(20_000);
  expect([...running]).toEqual(['b']);
  expect(await lease()).toMatchObject({ holder: 'b', transitions: 1 });
  expect(mostRunning()).toBe(1);
});

test('a leader that reaches the store again in time continues', async () => {
  const { start, pass, lease, running, unreachable } = setUp();
  start('a');
  await pass(1_000);
  unreachable.add('a');
  await pass(7_000);
  unreachable.delete('a');
  await pass(20_000);
  expect([...running]).toEqual(['a']);
  expect(await lease()).toMatchObject({ holder: 'a', transitions: 0 });
});

test.each([11_000, 8_500])(
  'controllers of a term that ends during a renewal stop first (%i ms)',
  async (durationMs) => {
    const { start, pass, running, delays, starts } = setUp();
    start('a');
    await pass(1_000);
    const update = Promise.withResolvers<void>();
    const stop = Promise.withResolvers<void>();
    delays.update = update.promise;
    delays.stop = stop.promise;
    // The next renewal begins within two seconds, and the term ends ten seconds after the last one.
    await pass(durationMs + 1_500);
    delete delays.update;
    update.resolve();
    await pass(1_000);
    expect(starts()).toBe(1);
    delete delays.stop;
    stop.resolve();
    await pass(5_000);
    expect(starts()).toBe(2);
    expect([...running]).toEqual(['a']);
  },
);
