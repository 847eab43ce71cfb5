import { expect, test, vi } from 'vitest';
import { FairSeats } from '../../../engine/src/fairness/fair-seats.ts';
import type { ObjectList, Store } from '../../../engine/src/ports/store.ts';
import {
  fairStore as fairStoreOf,
  type StoreShares,
} from '../../../engine/src/server/fairness/fair-store.ts';
import { manualClock } from '../../support/manual-clock.ts';

const userOf = (username: string, groups: readonly string[] = []) => ({
  username,
  uid: '',
  groups,
  extra: new Map(),
});

/** A store whose calls wait until the test answers them. */
const slowStore = () => {
  const calls: { readonly name: string; readonly answer: () => void }[] = [];
  const call = <T>(name: string, value: T): Promise<T> =>
    new Promise((resolve) => calls.push({ name, answer: () => resolve(value) }));
  const key = { resource: 'pods', namespace: '', name: '' };
  const stored = { key, revision: '1', object: new Map() };
  const list: ObjectList = { objects: [], revision: '1' };
  const store: Store = {
    get: () => Promise.resolve(undefined),
    list: (resource) => call(`list ${resource}`, list),
    watch: async function* () {},
    create: ({ name }) => call(`create ${name}`, stored),
    update: ({ name }) => call(`update ${name}`, stored),
    delete: ({ name }) => call(`delete ${name}`, stored),
    close: () => Promise.resolve(),
  };
  return { store, calls };
};

/** A request that is refused, or whose client disconnects when the test says so. */
const requestOf = (user: ReturnType<typeof userOf>) => {
  const controller = new AbortController();
  const { signal } = controller;
  const incoming = {
    signal,
    get isCanceled() {
      return signal.aborted;
    },
  };
  const refuse = vi.fn<() => void>();
  const releaseSeat = vi.fn<() => void>();
  return { user, incoming, refuse, releaseSeat, abort: () => controller.abort() };
};

const fairStore = (store: Store, shares: StoreShares, user: ReturnType<typeof userOf>): Store =>
  fairStoreOf(store, shares, requestOf(user));

const sharesOf = (seats: number, queueLength = 100) => {
  const options = { seats, queueLength, waitMs: 1_000, clock: manualClock().clock };
  return {
    writes: new FairSeats(options),
    lists: new FairSeats(options),
    waitingLists: new Map(),
  };
};

const settle = () => new Promise((resolve) => setImmediate(resolve));
const keyOf = (name: string) => ({ resource: 'pods', namespace: 'a', name });

test('executes a write of a user without writes before the waiting ones of another user', async () => {
  const { store, calls } = slowStore();
  const shares = sharesOf(2);
  const alice = fairStore(store, shares, userOf('alice'));
  const bob = fairStore(store, shares, userOf('bob'));
  for (const at of [1, 2, 3, 4]) void alice.create(keyOf(`alice-${at}`), new Map());
  void bob.update(keyOf('bob'), new Map());
  await settle();
  expect(calls.map(({ name }) => name)).toEqual(['create alice-1', 'create alice-2']);
  calls[0]?.answer();
  await settle();
  expect(calls.at(-1)?.name).toBe('update bob');
});

test('merges equal lists that wait, and does not share one that has begun', async () => {
  const { store, calls } = slowStore();
  const shares = sharesOf(1);
  const alice = fairStore(store, shares, userOf('alice'));
  const first = alice.list('pods');
  await settle();
  const answers = [first, ...[1, 2, 3].map(() => alice.list('pods'))];
  await settle();
  expect(calls).toHaveLength(1);
  calls[0]?.answer();
  await settle();
  expect(calls).toHaveLength(2);
  calls[1]?.answer();
  await Promise.all(answers);
  expect(calls).toHaveLength(2);
  expect(shares.waitingLists.size).toBe(0);
});

test('does not delay administrators', async () => {
  const { store, calls } = slowStore();
  const shares = sharesOf(1);
  const alice = fairStore(store, shares, userOf('alice'));
  for (const at of [1, 2]) void alice.delete(keyOf(`alice-${at}`));
  void fairStore(store, shares, userOf('admin', ['system:masters'])).delete(keyOf('admin'));
  await settle();
  expect(calls.map(({ name }) => name).toSorted()).toEqual(['delete admin', 'delete alice-1']);
});

test('refuses the request of a call over the share of its user, also for shared lists', async () => {
  const { store } = slowStore();
  const shares = sharesOf(1, 1);
  const requests = [1, 2, 3].map(() => requestOf(userOf('alice')));
  const stores = requests.map((request) => fairStoreOf(store, shares, request));
  const outcomes = stores.map((each, at) => each.create(keyOf(`alice-${at}`), new Map()));
  await expect(outcomes[2]).rejects.toMatchObject({ problem: 'unavailable' });
  expect(requests.map(({ refuse }) => refuse.mock.calls.length)).toEqual([0, 0, 1]);
  void stores[0]?.list('pods');
  void stores[0]?.list('secrets');
  await settle();
  const shared = stores.slice(1).map((each) => each.list('roles'));
  for (const each of shared) await expect(each).rejects.toMatchObject({ problem: 'unavailable' });
  expect(requests.map(({ refuse }) => refuse.mock.calls.length)).toEqual([0, 1, 2]);
});

test('does not execute a write whose client disconnects while it waits', async () => {
  const { store, calls } = slowStore();
  const shares = sharesOf(1);
  void fairStore(store, shares, userOf('alice')).create(keyOf('first'), new Map());
  const request = requestOf(userOf('bob'));
  const bob = fairStoreOf(store, shares, request);
  const waiting = bob.create(keyOf('second'), new Map());
  request.abort();
  await expect(waiting).rejects.toMatchObject({ problem: 'unavailable' });
  expect(shares.writes.queued).toBe(0);
  calls[0]?.answer();
  await expect(bob.create(keyOf('third'), new Map())).rejects.toBeDefined();
  expect(calls.map(({ name }) => name)).toEqual(['create first']);
});

test('releases the seat of a write that waits, and of no other call', async () => {
  const { store } = slowStore();
  const shares = sharesOf(1);
  const requests = [1, 2, 3].map(() => requestOf(userOf('alice')));
  const [first, second, third] = requests.map((request) => fairStoreOf(store, shares, request));
  void first?.create(keyOf('first'), new Map());
  void second?.create(keyOf('second'), new Map());
  void third?.list('pods');
  void third?.list('secrets');
  await settle();
  expect(requests.map(({ releaseSeat }) => releaseSeat.mock.calls.length)).toEqual([0, 1, 0]);
});

test('drops a waiting list when all clients that share it are gone, and not before', async () => {
  const { store } = slowStore();
  const shares = sharesOf(1);
  void fairStore(store, shares, userOf('alice')).list('pods');
  await settle();
  const requests = [1, 2].map(() => requestOf(userOf('alice')));
  const lists = requests.map((request) => fairStoreOf(store, shares, request).list('roles'));
  await settle();
  requests[0]?.abort();
  expect(shares.lists.queued).toBe(1);
  requests[1]?.abort();
  expect(shares.lists.queued).toBe(0);
  const next = requestOf(userOf('alice'));
  const nextList = fairStoreOf(store, shares, next).list('roles');
  expect(shares.lists.queued).toBe(1);
  next.abort();
  await expect(nextList).rejects.toMatchObject({ problem: 'unavailable' });
  for (const list of lists) await expect(list).rejects.toMatchObject({ problem: 'unavailable' });
  expect(shares.waitingLists.size).toBe(0);
});
