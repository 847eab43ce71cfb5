/**
 * A cache of the objects of one resource: found by key, listed in order, and updated by a list or
 * by events.
 */
import type { JsonObject } from '../../model/json.ts';
import type { Lookup, ObjectChange } from '../../ports/object-view.ts';
import type { ObjectKey, ObjectList, StoredObject, StoreEvent } from '../../ports/store.ts';
import { comparePaths, pathOf } from './object-path.ts';

export interface ResourceCache {
  find(namespace: string, name: string): Extract<Lookup, { kind: 'found' }> | undefined;
  list(namespace: string | undefined): readonly JsonObject[];
  /** Replaces the whole content; returns the differences. */
  replace(list: ObjectList): readonly ObjectChange[];
  apply(event: Exclude<StoreEvent, { kind: 'bookmark' }>): ObjectChange;
  /** Returns the revision of the object in the cache. */
  revisionOf(key: ObjectKey): string | undefined;
}

interface Entry {
  readonly stored: StoredObject;
  readonly found: Extract<Lookup, { kind: 'found' }>;
}

/** Entries by namespace and name, so that a lookup creates no string. */
type Entries = Map<string, Map<string, Entry>>;

/** Returns an empty cache. */
export const newResourceCache = (): ResourceCache => {
  let entries: Entries = new Map();
  const lists = new Map<string | undefined, readonly JsonObject[]>();
  return {
    find: (namespace, name) => entries.get(namespace)?.get(name)?.found,
    list(namespace) {
      const cachedList = lists.get(namespace);
      if (cachedList !== undefined) return cachedList;
      const listed = sorted(
        namespace === undefined ? all(entries) : inNamespace(entries, namespace),
      );
      lists.set(namespace, listed);
      return listed;
    },
    revisionOf: (key) => entryOf(entries, key)?.stored.revision,
    replace({ objects }) {
      const before = entries;
      entries = new Map();
      for (const stored of objects) put(entries, stored);
      lists.clear();
      const gone = all(before).filter(({ stored: { key } }) => entryOf(entries, key) === undefined);
      const changed = all(entries).filter(
        ({ stored: { key, revision } }) => entryOf(before, key)?.stored.revision !== revision,
      );
      return [
        ...gone.map(({ stored }) => ({ kind: 'deleted', object: stored.object }) as const),
        ...changed.map(({ stored }) => ({ kind: 'put', object: stored.object }) as const),
      ];
    },
    apply({ kind, stored }) {
      lists.clear();
      if (kind === 'deleted') remove(entries, stored);
      else put(entries, stored);
      return { kind: kind === 'deleted' ? 'deleted' : 'put', object: stored.object };
    },
  };
};

const put = (entries: Entries, stored: StoredObject): void => {
  const { namespace, name } = stored.key;
  const names = entries.get(namespace) ?? new Map<string, Entry>();
  entries.set(namespace, names);
  names.set(name, { stored, found: { kind: 'found', object: stored.object } });
};

const remove = (entries: Entries, { key: { namespace, name } }: StoredObject): void => {
  const names = entries.get(namespace);
  names?.delete(name);
  if (names?.size === 0) entries.delete(namespace);
};

const entryOf = (entries: Entries, { namespace, name }: StoredObject['key']): Entry | undefined =>
  entries.get(namespace)?.get(name);

const all = (entries: Entries): readonly Entry[] =>
  [...entries.values()].flatMap((names) => [...names.values()]);

const inNamespace = (entries: Entries, namespace: string): readonly Entry[] => [
  ...(entries.get(namespace)?.values() ?? []),
];

const sorted = (entries: readonly Entry[]): readonly JsonObject[] =>
  entries
    .map(({ stored }) => ({ path: pathOf(stored.key), object: stored.object }))
    .sort((left, right) => comparePaths(left.path, right.path))
    .map(({ object }) => object);
