/** The contract of all stores as a test suite, which each implementation runs. */
import { afterEach, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../../engine/src/model/json.ts';
import type { ObjectKey, Store, StoreEvent } from '../../../../engine/src/ports/store.ts';

export interface StoreUnderTest {
  readonly store: Store;
  /** A second client of the same store, if there is one. */
  readonly other?: Store;
  readonly stop?: () => Promise<void>;
}

export const account = (name: string, namespace = 'team'): ObjectKey => ({
  resource: 'serviceaccounts',
  namespace,
  name,
});

/** Returns an object for the key, with members in addition to its metadata. */
export const objectOf = (
  { namespace, name }: ObjectKey,
  members: readonly (readonly [string, Json])[] = [],
): JsonObject =>
  new Map<string, Json>([
    ['apiVersion', 'v1'],
    ['kind', 'ServiceAccount'],
    [
      'metadata',
      new Map([
        ['name', name],
        ...(namespace === '' ? [] : [['namespace', namespace] as const]),
        ['uid', `uid-${name}`],
      ]),
    ],
    ...members,
  ]);

/** Returns the first events of a watch, without bookmarks. */
export const take = async (
  events: AsyncIterable<StoreEvent>,
  count: number,
): Promise<readonly string[]> => {
  const lines: string[] = [];
  for await (const event of events) {
    if (event.kind === 'bookmark') continue;
    lines.push(`${event.kind} ${event.stored.key.namespace}/${event.stored.key.name}`);
    if (lines.length === count) break;
  }
  return lines;
};

const member = (object: JsonObject | undefined, ...path: readonly string[]): Json | undefined => {
  let value: Json | undefined = object;
  for (const name of path) value = value instanceof Map ? value.get(name) : undefined;
  return value;
};

export const storeContract = (open: () => Promise<StoreUnderTest>): void => {
  const running: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const stop of running.splice(0)) await stop();
  });
  const begin = async (): Promise<StoreUnderTest> => {
    const under = await open();
    running.push(async () => {
      await under.other?.close();
      await under.store.close();
      await under.stop?.();
    });
    return under;
  };
  const problem = async (call: Promise<unknown>): Promise<unknown> =>
    call.then(
      () => 'done',
      (cause) => cause.problem,
    );

  test('returns the stored object with its revision', async () => {
    const { store } = await begin();
    const key = account('robot');
    const extra = [
      ['text', 'é"\n😀'],
      ['list', [1, null, true]],
      ['__proto__', new Map([['a', 1]])],
    ] as const;
    const created = await store.create(key, objectOf(key, extra));
    expect(created.key).toEqual(key);
    expect(member(created.object, 'metadata', 'resourceVersion')).toBe(created.revision);
    expect(await store.get(key)).toEqual(created);
    expect(member(created.object, '__proto__', 'a')).toBe(1);
    expect(await store.get(account('missing'))).toBeUndefined();
  });

  test('rejects a key that exists', async () => {
    const { store } = await begin();
    const key = account('robot');
    await store.create(key, objectOf(key));
    expect(await problem(store.create(key, objectOf(key)))).toBe('exists');
    await store.delete(key);
    expect(await problem(store.create(key, objectOf(key)))).toBe('done');
  });

  test('requires an existing object and matching preconditions for an update', async () => {
    const { store } = await begin();
    const key = account('robot');
    const put = (text: string) => objectOf(key, [['text', text]]);
    expect(await problem(store.update(key, put('a')))).toBe('missing');
    const first = await store.create(key, put('a'));
    const second = await store.update(key, put('b'), {
      revision: first.revision,
      uid: 'uid-robot',
    });
    expect(second.revision).not.toBe(first.revision);
    expect(await problem(store.update(key, put('c'), { revision: first.revision }))).toBe(
      'conflict',
    );
    expect(await problem(store.update(key, put('c'), { uid: 'another' }))).toBe('conflict');
    expect(member((await store.get(key))?.object, 'text')).toBe('b');
    expect((await store.update(key, put('d'))).revision).not.toBe(second.revision);
  });

  test('creates no revision for an update without a change', async () => {
    const { store } = await begin();
    const key = account('robot');
    const created = await store.create(key, objectOf(key, [['text', 'a']]));
    expect((await store.update(key, created.object, { revision: created.revision })).revision).toBe(
      created.revision,
    );
  });

  test('returns the last state of a deleted object', async () => {
    const { store } = await begin();
    const key = account('robot');
    expect(await problem(store.delete(key))).toBe('missing');
    const created = await store.create(key, objectOf(key, [['text', 'a']]));
    expect(await problem(store.delete(key, { uid: 'another' }))).toBe('conflict');
    expect(await problem(store.delete(key, { revision: `${created.revision}1` }))).toBe('conflict');
    const last = await store.delete(key, { uid: 'uid-robot', revision: created.revision });
    expect(member(last.object, 'text')).toBe('a');
    expect(await store.get(key)).toBeUndefined();
  });

  test('lets one of many writers of a revision win', async () => {
    const { store, other = store } = await begin();
    const key = account('robot');
    const created = await store.create(key, objectOf(key));
    const writes = Array.from({ length: 20 }, (_, at) =>
      problem(
        (at % 2 === 0 ? store : other).update(key, objectOf(key, [['text', String(at)]]), {
          revision: created.revision,
        }),
      ),
    );
    const outcomes = await Promise.all(writes);
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'conflict')).toHaveLength(19);
  });

  test('lists in the byte order of namespace/name', async () => {
    const { store } = await begin();
    const keys = [
      account('b', 'a'),
      account('a', 'b'),
      account('a', 'a-b'),
      account('a', 'a'),
      account('z', 'ab'),
    ];
    for (const key of keys) await store.create(key, objectOf(key));
    const namesOf = async (namespace?: string) =>
      (
        await store.list('serviceaccounts', namespace === undefined ? {} : { namespace })
      ).objects.map(({ key }) => `${key.namespace}/${key.name}`);
    expect(await namesOf()).toEqual(['a-b/a', 'a/a', 'a/b', 'ab/z', 'b/a']);
    expect(await namesOf('a')).toEqual(['a/a', 'a/b']);
    expect(await namesOf('absent')).toEqual([]);
    const roles = await store.list('roles');
    expect(roles.objects).toEqual([]);
    expect(roles.revision).toMatch(/^[1-9]/);
  });

  test('watches the changes of one resource after a revision, in order', async () => {
    const { store, other = store } = await begin();
    const robot = account('robot');
    const pilot = account('pilot');
    const pod = { resource: 'pods', namespace: 'team', name: 'web' };
    await store.create(robot, objectOf(robot));
    const { revision } = await store.list('serviceaccounts');
    await other.create(pod, objectOf(pod));
    await other.create(pilot, objectOf(pilot));
    const seen = take(store.watch('serviceaccounts', revision, AbortSignal.timeout(10_000)), 4);
    await store.update(robot, objectOf(robot, [['text', 'a']]));
    await other.delete(pilot);
    await store.create(pilot, objectOf(pilot));
    expect(await seen).toEqual([
      'added team/pilot',
      'modified team/robot',
      'deleted team/pilot',
      'added team/pilot',
    ]);
  });

  test('reports a deletion with the last state and a new revision', async () => {
    const { store } = await begin();
    const key = account('robot');
    const created = await store.create(key, objectOf(key, [['text', 'a']]));
    await store.delete(key);
    for await (const event of store.watch(
      'serviceaccounts',
      created.revision,
      AbortSignal.timeout(10_000),
    )) {
      if (event.kind === 'bookmark') continue;
      expect(event.kind).toBe('deleted');
      expect(member(event.stored.object, 'text')).toBe('a');
      expect(event.stored.revision).not.toBe(created.revision);
      expect(member(event.stored.object, 'metadata', 'resourceVersion')).toBe(
        event.stored.revision,
      );
      break;
    }
  });

  test('emits bookmarks in a quiet watch, and ends it with the signal', async () => {
    const { store } = await begin();
    const { revision } = await store.list('serviceaccounts');
    const stop = new AbortController();
    const kinds: string[] = [];
    for await (const { kind } of store.watch('serviceaccounts', revision, stop.signal)) {
      kinds.push(kind);
      if (kinds.length === 2) stop.abort();
    }
    expect(kinds).toEqual(['bookmark', 'bookmark']);
  });

  test('misses nothing in a watch from a bookmark', async () => {
    const { store } = await begin();
    const { revision } = await store.list('serviceaccounts');
    let marked = revision;
    for await (const event of store.watch(
      'serviceaccounts',
      revision,
      AbortSignal.timeout(10_000),
    )) {
      if (event.kind === 'bookmark') marked = event.revision;
      break;
    }
    const key = account('robot');
    await store.create(key, objectOf(key));
    const seen = take(store.watch('serviceaccounts', marked, AbortSignal.timeout(10_000)), 1);
    expect(await seen).toEqual(['added team/robot']);
  });

  test('never emits a bookmark that is older than earlier events', async () => {
    const { store } = await begin();
    const { revision } = await store.list('serviceaccounts');
    let lastRevision = Number(revision);
    let bookmarks = 0;
    for await (const event of store.watch(
      'serviceaccounts',
      revision,
      AbortSignal.timeout(15_000),
    )) {
      const now = Number(event.kind === 'bookmark' ? event.revision : event.stored.revision);
      expect(now).toBeGreaterThanOrEqual(lastRevision);
      lastRevision = now;
      if (event.kind !== 'bookmark') continue;
      bookmarks += 1;
      if (bookmarks === 2) break;
      const key = account(`a-${bookmarks}`);
      await store.create(key, objectOf(key));
    }
    expect(bookmarks).toBe(2);
  });

  test('rejects all calls once it is closed', async () => {
    const { store } = await open().then((under) => {
      running.push(async () => under.stop?.());
      return under;
    });
    await store.close();
    expect(await problem(store.get(account('robot')))).toBe('unavailable');
    expect(await problem(store.list('serviceaccounts'))).toBe('unavailable');
  });
};
