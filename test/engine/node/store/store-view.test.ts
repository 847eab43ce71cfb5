import { expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '../../../../engine/src/model/json.ts';
import { memoryStore } from '../../../../engine/src/node/store/memory.ts';
import { type StoreView, storeView } from '../../../../engine/src/node/store/store-view.ts';
import type { Store } from '../../../../engine/src/ports/store.ts';
import { StoreError } from '../../../../engine/src/ports/store.ts';
import { type FakeClock, fakeClock, fakePorts } from '../../../support/fake-ports.ts';
import { account, objectOf } from './store-contract.ts';

/** Lets all pending promises settle. */
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
};

interface Rig {
  readonly clock: FakeClock;
  readonly inner: Store;
  readonly view: StoreView;
  /** Calls of the store that fail from now on. */
  readonly broken: Set<keyof Store>;
  readonly calls: string[];
  readonly pass: (ms: number) => Promise<void>;
  readonly ports: ReturnType<typeof fakePorts>;
}

const rig = async ({
  events = 100,
  fraction = () => 0,
}: {
  readonly events?: number;
  readonly fraction?: () => number;
} = {}): Promise<Rig> => {
  const clock = fakeClock();
  const plain = fakePorts({ clock });
  const ports = { ...plain, randomness: { ...plain.randomness, fraction } };
  const inner = memoryStore({ clock, events });
  const broken = new Set<keyof Store>();
  const calls: string[] = [];
  const guard = (call: keyof Store): void => {
    calls.push(call);
    if (broken.has(call)) throw new StoreError('unavailable', 'no connection');
  };
  const store: Store = {
    ...inner,
    async get(key) {
      guard('get');
      return inner.get(key);
    },
    async list(resource, options) {
      guard('list');
      return inner.list(resource, options);
    },
    async *watch(resource, after, signal) {
      guard('watch');
      for await (const event of inner.watch(resource, after, signal)) {
        if (broken.has('watch')) throw new StoreError('unavailable', 'connection lost');
        yield event;
      }
    },
  };
  const view = storeView({
    ...ports,
    store,
    resources: ['serviceaccounts'],
    maxStalenessMs: 300_000,
  });
  onTestFinished(() => view.stop());
  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 500) {
      clock.advance(Math.min(500, ms - passed));
      await settle();
    }
  };
  return { clock, inner, view, broken, calls, pass, ports };
};

const nameOf = (object: JsonObject): unknown => {
  const metadata = object.get('metadata');
  return metadata instanceof Map ? metadata.get('name') : undefined;
};
const robot = account('robot');

test('is not ready before the first complete list', async () => {
  const { view, inner } = await rig();
  await inner.create(robot, objectOf(robot));
  expect(view.readiness()).toEqual({
    isReady: false,
    reason: 'serviceaccounts are not loaded yet',
  });
  expect(view.find(robot)).toEqual({
    kind: 'unavailable',
    reason: 'serviceaccounts are not loaded yet',
  });
  expect(view.list('serviceaccounts')).toBeUndefined();
  view.start();
  await settle();
  expect(view.readiness()).toEqual({ isReady: true, reason: '' });
  expect(view.find(robot)).toMatchObject({ kind: 'found' });
  expect(view.find({ ...robot, resource: 'pods' })).toEqual({
    kind: 'unavailable',
    reason: 'pods are not cached',
  });
});

test('follows changes and notifies listeners', async () => {
  const { view, inner } = await rig();
  view.start();
  await settle();
  const seen: string[] = [];
  const leave = view.onChange('serviceaccounts', ({ kind, object }) =>
    seen.push(`${kind} ${nameOf(object)}`),
  );
  await inner.create(robot, objectOf(robot));
  const pilot = account('pilot');
  await inner.create(pilot, objectOf(pilot));
  await inner.create(account('a', 'other'), objectOf(account('a', 'other')));
  await settle();
  expect(view.list('serviceaccounts')?.map(nameOf)).toEqual(['a', 'pilot', 'robot']);
  expect(view.list('serviceaccounts', 'team')?.map(nameOf)).toEqual(['pilot', 'robot']);
  expect(view.list('serviceaccounts', 'team')).toBe(view.list('serviceaccounts', 'team'));
  await inner.delete(robot);
  await settle();
  expect(view.list('serviceaccounts', 'team')?.map(nameOf)).toEqual(['pilot']);
  expect(seen).toEqual(['put robot', 'put pilot', 'put a', 'deleted robot']);
  leave();
  await inner.delete(pilot);
  await settle();
  expect(seen).toHaveLength(4);
});

test('stays younger than 5 seconds with a quiet store', async () => {
  const { view, pass } = await rig();
  view.start();
  await settle();
  for (let second = 0; second < 60; second += 1) {
    await pass(1_000);
    expect(view.age()).toBeLessThanOrEqual(5_000);
  }
});

test('remains usable without the store up to the maximum age', async () => {
  const { view, inner, broken, pass, ports } = await rig();
  await inner.create(robot, objectOf(robot));
  view.start();
  await settle();
  broken.add('list').add('watch').add('get');
  await pass(290_000);
  expect(view.find(robot)).toMatchObject({ kind: 'found' });
  expect(view.readiness().isReady).toBe(true);
  await pass(15_000);
  expect(view.find(robot)).toMatchObject({
    kind: 'unavailable',
    reason: expect.stringMatching(
      /^the cache of serviceaccounts is 30\d s old, more than the maximum of 300 s: /,
    ),
  });
  expect(view.list('serviceaccounts')).toBeUndefined();
  expect(view.readiness().isReady).toBe(false);
  expect(ports.events.filter(({ message }) => message === 'store view is too old')).toHaveLength(1);
  broken.clear();
  await pass(12_000);
  expect(view.find(robot)).toMatchObject({ kind: 'found' });
  expect(view.readiness()).toEqual({ isReady: true, reason: '' });
});

test('resumes a watch, lists again only after a compaction, and is never empty', async () => {
  const { view, inner, broken, calls, pass } = await rig({ events: 10 });
  await inner.create(robot, objectOf(robot));
  view.start();
  await settle();
  const pilot = account('pilot');
  broken.add('watch');
  await pass(3_000);
  await inner.create(pilot, objectOf(pilot));
  broken.delete('watch');
  await pass(12_000);
  expect(view.list('serviceaccounts')).toHaveLength(2);
  expect(calls.filter((call) => call === 'list')).toHaveLength(1);

  broken.add('watch');
  await pass(3_000);
  await inner.delete(pilot);
  for (let at = 0; at < 30; at += 1) {
    const key = account(`a-${at}`);
    await inner.create(key, objectOf(key));
  }
  const seen: string[] = [];
  const sizes = new Set<number | undefined>();
  view.onChange('serviceaccounts', ({ kind, object }) => {
    seen.push(`${kind} ${nameOf(object)}`);
    sizes.add(view.list('serviceaccounts')?.length);
  });
  broken.delete('watch');
  for (let step = 0; step < 24; step += 1) {
    await pass(500);
    sizes.add(view.list('serviceaccounts')?.length);
  }
  expect(calls.filter((call) => call === 'list')).toHaveLength(2);
  expect(view.list('serviceaccounts')).toHaveLength(31);
  expect(sizes).toEqual(new Set([2, 31]));
  // What is gone, and every object of the new list.
  expect(seen[0]).toBe('deleted pilot');
  expect(seen).toHaveLength(32);
});

test('backs off from a store that is down', async () => {
  const { view, broken, calls, pass } = await rig();
  broken.add('list');
  view.start();
  await pass(60_000);
  expect(calls.length).toBeGreaterThan(5);
  expect(calls.length).toBeLessThan(25);
});

// The store is back at any point of the backoff.
test.each([60, 62, 64, 66, 68])(
  'follows a store that was down for %i s within five seconds',
  async (goneSeconds) => {
    // The longest delays that the jitter allows.
    const { inner, view, broken, pass } = await rig({ fraction: () => 0.999 });
    view.start();
    await pass(1_000);
    broken.add('watch').add('list');
    await pass(goneSeconds * 1_000);
    await inner.create(robot, objectOf(robot));
    broken.clear();
    await pass(5_000);
    expect(view.find(robot)).toMatchObject({ kind: 'found' });
  },
);

test('restarts a watch without events', async () => {
  const clock = fakeClock();
  const ports = fakePorts({ clock });
  const inner = memoryStore({ clock });
  let watches = 0;
  const store: Store = {
    ...inner,
    async *watch(_, __, signal) {
      watches += 1;
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    },
  };
  const view = storeView({ ...ports, store, resources: ['pods'], maxStalenessMs: 300_000 });
  onTestFinished(() => view.stop());
  view.start();
  for (let second = 0; second < 60; second += 1) {
    clock.advance(1_000);
    await settle();
  }
  expect(watches).toBeGreaterThan(3);
});

test('looks up an object that is newer than the cache, once for all callers', async () => {
  const { view, inner, broken, calls, pass } = await rig();
  view.start();
  await settle();
  broken.add('watch');
  await pass(3_000);
  await inner.create(robot, objectOf(robot));
  const lookups = [view.find(robot), view.find(robot), view.find(robot)];
  for (const lookup of lookups) expect(await lookup).toMatchObject({ kind: 'found' });
  expect(calls.filter((call) => call === 'get')).toHaveLength(1);
  expect(await view.find(account('missing'))).toEqual({ kind: 'missing' });
  broken.add('get');
  expect(await view.find(account('missing'))).toEqual({
    kind: 'unavailable',
    reason: 'no connection',
  });
});

test('limits lookups of unknown names', async () => {
  const { view, calls } = await rig();
  view.start();
  await settle();
  const lookups = await Promise.all(
    Array.from({ length: 2_000 }, (_, at) => view.find(account(`n-${at}`))),
  );
  expect(lookups.every(({ kind }) => kind === 'missing')).toBe(true);
  expect(calls.filter((call) => call === 'get').length).toBeLessThanOrEqual(200);
});

test('notifies all listeners even if one throws', async () => {
  const { view, inner, ports } = await rig();
  view.start();
  await settle();
  view.onChange('serviceaccounts', () => {
    throw new Error('a bug');
  });
  await inner.create(robot, objectOf(robot));
  await settle();
  expect(view.find(robot)).toMatchObject({ kind: 'found' });
  expect(ports.events.some(({ message }) => message === 'listener of the store view failed')).toBe(
    true,
  );
});

test('stops without waiting for a store that does not respond', async () => {
  const clock = fakeClock();
  const store: Store = { ...memoryStore({ clock }), list: () => new Promise(() => {}) };
  const view = storeView({
    ...fakePorts({ clock }),
    store,
    resources: ['pods'],
    maxStalenessMs: 300_000,
  });
  view.start();
  await settle();
  await view.stop();
  expect(view.readiness()).toEqual({ isReady: false, reason: 'pods are not loaded yet' });
});
