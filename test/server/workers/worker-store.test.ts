/** The store of the workers: its calls are executed by the primary process, over a channel. */
import { expect, onTestFinished, test } from 'vitest';
import { nodePorts } from '../../../engine/src/node/ports.ts';
import { memoryStore } from '../../../engine/src/node/store/memory.ts';
import { readOwnWrites } from '../../../engine/src/node/store/read-own-writes.ts';
import { storeView } from '../../../engine/src/node/store/store-view.ts';
import type { Store, StoreEvent } from '../../../engine/src/ports/store.ts';
import {
  type Channel,
  type ChannelMessage,
  openChannel,
} from '../../../engine/src/server/workers/channel.ts';
import type { StoreMethods } from '../../../engine/src/server/workers/methods.ts';
import { primaryStore } from '../../../engine/src/server/workers/primary-store.ts';
import { storeMethods } from '../../../engine/src/server/workers/store-methods.ts';
import { viewPositions } from '../../../engine/src/server/workers/view-positions.ts';
import { objectOf } from '../../support/answer-modules/json-objects.ts';

const key = { resource: 'secrets', namespace: 'default', name: 'one' };
const secret = objectOf({ metadata: { name: 'one', namespace: 'default' } });

/** A primary process with a store and its view, and workers that are connected by copied messages. */
const setUp = async (wrap = (store: Store): Store => store) => {
  const ports = nodePorts();
  const backend = wrap(memoryStore(ports));
  const view = storeView({
    ...ports,
    store: backend,
    resources: ['secrets'],
    maxStalenessMs: 60_000,
  });
  view.start();
  const store = readOwnWrites(backend, view, ports.clock);
  const positions = viewPositions(ports.clock);
  const connect = () => {
    const ends: { worker?: Channel<StoreMethods>; primary?: Channel<object> } = {};
    const shared = storeMethods({ store, view, positions });
    const deliver = (to: 'worker' | 'primary') => (message: ChannelMessage) => {
      const copy: ChannelMessage<never> = structuredClone(message) as never;
      queueMicrotask(() => ends[to]?.receive(copy));
    };
    ends.primary = openChannel<object>(deliver('worker'), shared.methods);
    const worker = openChannel<StoreMethods>(deliver('primary'), {});
    ends.worker = worker;
    const storeOf = (isForView: boolean): Store =>
      primaryStore(worker, { isForView, deletesItself: false });
    return { store: storeOf(false), viewStore: storeOf(true), worker, shared };
  };
  onTestFinished(async () => {
    await view.stop();
    await backend.close();
  });
  return { connect };
};

test('objects, revisions and errors are those of the store', async () => {
  const { connect } = await setUp();
  const { store } = connect();
  const { store: other } = connect();
  const created = await store.create(key, secret);
  expect(await other.get(key)).toEqual(created);
  await expect(other.create(key, secret)).rejects.toMatchObject({ problem: 'exists' });
  await expect(other.update(key, secret, { revision: '1' })).rejects.toMatchObject({
    problem: 'conflict',
  });
  expect((await other.list('secrets', { namespace: 'default' })).objects).toEqual([created]);
  expect((await other.list('secrets', { namespace: 'other' })).objects).toEqual([]);
  await other.delete(key);
  expect(await store.get(key)).toBeUndefined();
});

test('a write is acknowledged once the views of all workers contain it', async () => {
  const { connect } = await setUp();
  const writer = connect();
  const reader = connect();
  const processed: string[] = [];
  const ending = new AbortController();
  const gate = Promise.withResolvers<void>();
  const follow = async (): Promise<void> => {
    for await (const event of reader.viewStore.watch('secrets', '1', ending.signal)) {
      if (event.kind === 'bookmark') continue;
      await gate.promise;
      processed.push(event.kind);
    }
  };
  const following = follow();
  await new Promise(setImmediate);
  let isAcknowledged = false;
  const written = writer.store.create(key, secret).then(() => {
    isAcknowledged = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(isAcknowledged).toBe(false);
  gate.resolve();
  await written;
  expect(processed).toEqual(['added']);
  await writer.store.delete(key);
  expect(processed).toEqual(['added', 'deleted']);
  ending.abort();
  await following;
});

test('an update that deletes the object is acknowledged once all workers see the deletion', async () => {
  const { connect } = await setUp((store) => ({
    ...store,
    async update(name, object, only) {
      const stored = await store.update(name, object, only);
      await store.delete(name);
      return stored;
    },
    requestDeletion: () => Promise.reject(new Error('not called')),
  }));
  const writer = connect();
  const reader = connect();
  await writer.store.create(key, secret);
  const processed: string[] = [];
  const ending = new AbortController();
  const follow = async (): Promise<void> => {
    for await (const event of reader.viewStore.watch('secrets', '1', ending.signal)) {
      if (event.kind === 'bookmark') continue;
      if (event.kind === 'deleted') await new Promise((resolve) => setTimeout(resolve, 50));
      processed.push(event.kind);
    }
  };
  const following = follow();
  await new Promise(setImmediate);
  const deletionTimestamp = '2026-01-01T00:00:00Z';
  await writer.store.update(
    key,
    objectOf({ metadata: { name: 'one', namespace: 'default', deletionTimestamp } }),
  );
  expect(processed.at(-1)).toBe('deleted');
  ending.abort();
  await following;
});

test('the watches of clients and of workers that are gone delay no write', async () => {
  const { connect } = await setUp();
  const writer = connect();
  const slow = connect();
  const gone = connect();
  const events = (store: Store): AsyncIterator<StoreEvent> =>
    store.watch('secrets', '1', new AbortController().signal)[Symbol.asyncIterator]();
  const ofClient = events(slow.store);
  const ofView = events(gone.viewStore);
  await Promise.all([ofClient.next(), ofView.next()]);
  gone.shared.close();
  const startedAt = performance.now();
  await writer.store.create(key, secret);
  expect(performance.now() - startedAt).toBeLessThan(500);
  expect(await ofClient.next()).toMatchObject({ value: { kind: 'added' } });
});

test('calls fail when the primary process is gone', async () => {
  const { connect } = await setUp();
  const { store, worker } = connect();
  const reading = store.get(key);
  worker.close('the primary process has ended');
  await expect(reading).rejects.toMatchObject({ problem: 'unavailable' });
  await expect(store.get(key)).rejects.toThrow('the primary process has ended');
});
