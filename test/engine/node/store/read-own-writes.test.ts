import { expect, test } from 'vitest';
import { nodeClock } from '../../../../engine/src/node/clock.ts';
import { nodeRandomness } from '../../../../engine/src/node/randomness.ts';
import { memoryStore } from '../../../../engine/src/node/store/memory.ts';
import { readOwnWrites } from '../../../../engine/src/node/store/read-own-writes.ts';
import { storeView } from '../../../../engine/src/node/store/store-view.ts';
import type { Store } from '../../../../engine/src/ports/store.ts';
import { stringAt, withMember } from '../../../../engine/src/resources/object-fields.ts';
import { deleteInCluster, putInCluster } from '../../../support/cluster-rules.ts';
import { fakePorts } from '../../../support/fake-ports.ts';
import { account, objectOf } from './store-contract.ts';

/**
 * Returns a store whose events are delayed, as in a remote store; with `rules`, it handles
 * deletions itself.
 */
const begin = async (delayMs: number, rules: (inner: Store) => Partial<Store> = () => ({})) => {
  const ports = { ...fakePorts(), clock: nodeClock(), randomness: nodeRandomness() };
  const inner = memoryStore({ clock: ports.clock });
  const slow: Store = {
    ...inner,
    ...rules(inner),
    async *watch(resource, after, signal) {
      for await (const event of inner.watch(resource, after, signal)) {
        if (event.kind !== 'bookmark') await new Promise((resolve) => setTimeout(resolve, delayMs));
        yield event;
      }
    },
  };
  const view = storeView({
    ...ports,
    store: slow,
    resources: ['serviceaccounts'],
    maxStalenessMs: 300_000,
  });
  view.start();
  while (!view.readiness().isReady) await new Promise((resolve) => setTimeout(resolve, 1));
  return { store: readOwnWrites(slow, view, ports.clock), view };
};
const robot = account('robot');
const listed = (view: { list(resource: string): readonly unknown[] | undefined }) =>
  view.list('serviceaccounts')?.length;

test('acknowledges a write once the view contains it', async () => {
  const { store, view } = await begin(20);
  for (let round = 0; round < 5; round += 1) {
    await store.create(robot, objectOf(robot));
    expect(view.find(robot)).toMatchObject({ kind: 'found' });
    const changed = await store.update(robot, objectOf(robot, [['text', `${round}`]]));
    expect(view.find(robot)).toEqual({ kind: 'found', object: changed.object });
    await store.update(robot, changed.object);
    await store.delete(robot);
    expect(listed(view)).toBe(0);
  }
  await view.stop();
});

const ofCluster = (inner: Store): Partial<Store> => ({
  requestDeletion: ({ key }, options) => deleteInCluster(inner, key, options),
  async update(key, object, only = {}) {
    const put = await putInCluster(inner, key, { object, only });
    return { key, object: put, revision: stringAt(put, 'metadata', 'resourceVersion') };
  },
});

test('waits for the result of a deletion that the store handles', async () => {
  const { store, view } = await begin(20, ofCluster);
  const seen = () => view.list('serviceaccounts')?.map((object) => stringAt(object, ...marked));
  const marked = ['metadata', 'deletionTimestamp'];
  const startedAt = performance.now();
  for (let round = 0; round < 3; round += 1) {
    const created = await store.create(
      robot,
      withMember(objectOf(robot), ['metadata', 'finalizers'], ['own.example/a']),
    );
    await store.requestDeletion?.(created, new Map([['dryRun', ['All']]]));
    expect(seen()).toEqual(['']);
    const left = await store.requestDeletion?.(created, new Map());
    expect(seen()).toEqual(['2026-11-21T13:58:01Z']);
    const stored = await store.get(robot);
    if (left === undefined || stored === undefined) throw new Error('it is gone');
    await store.requestDeletion?.(stored, new Map());
    await store.update(robot, withMember(left.object, ['metadata', 'finalizers'], undefined));
    expect(seen()).toEqual([]);
    await store.requestDeletion?.(await store.create(robot, objectOf(robot)), new Map());
    expect(seen()).toEqual([]);
  }
  // Nothing waits for an event that never comes: that would take 1 s in each round.
  expect(performance.now() - startedAt).toBeLessThan(2_000);
  await view.stop();
});

test('lets each writer wait only for its own write', async () => {
  const { store, view } = await begin(1);
  await Promise.all(
    Array.from({ length: 50 }, async (_, at) => {
      const key = account(`a-${at}`);
      await store.create(key, objectOf(key));
      expect(view.find(key)).toMatchObject({ kind: 'found' });
      await store.delete(key);
      expect(view.list('serviceaccounts')?.some((object) => object.get('x') === at)).toBe(false);
      expect((await view.find(key)).kind).toBe('missing');
    }),
  );
  await view.stop();
});

test('does not wait for a view that lags too far or is stopped', async () => {
  const { store, view } = await begin(5_000);
  const startedAt = performance.now();
  await store.create(robot, objectOf(robot));
  expect(performance.now() - startedAt).toBeLessThan(4_000);
  expect(await store.get(robot)).toBeDefined();
  void view.stop();
});

test('rejects a failed write at once', async () => {
  const { store, view } = await begin(1);
  await expect(store.delete(robot)).rejects.toMatchObject({ problem: 'missing' });
  await view.stop();
});
