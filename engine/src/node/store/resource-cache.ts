/**
 * A cache of the objects of one resource: found by key, listed in order, and updated by a list or
 * by events.
 */
import { sortedIndex } from '../../formats/sorted-index.ts';
import type { JsonObject } from '../../model/json.ts';
import type { Lookup, ObjectChange } from '../../ports/object-view.ts';
import type { ObjectKey, ObjectList, StoredObject, StoreEvent } from '../../ports/store.ts';
import { comparePaths, pathOf } from './object-path.ts';

export interface ResourceCache {
  find(namespace: string, name: string): Extract<Lookup, { kind: 'found' }> | undefined;
  list(namespace: string | undefined): readonly JsonObject[];
  /**
   * Replaces the whole content; returns what is gone and all objects of the list. Equal revisions
   * do not mean equal objects: a store may have been restored from a snapshot.
   */
  replace(list: ObjectList): readonly ObjectChange[];
  apply(event: Exclude<StoreEvent, { kind: 'bookmark' }>): ObjectChange;
  /** Returns the revision of the object in the cache. */
  revisionOf(key: ObjectKey): string | undefined;
}

interface Entry {
  readonly stored: StoredObject;
  readonly lookup: Extract<Lookup, { kind: 'found' }>;
}

/** Entries by namespace and name, so that a lookup creates no string. */
type Entries = Map<string, Map<string, Entry>>;

/** Returns an empty cache. */
export const newResourceCache = (): ResourceCache => {
  let entries: Entries = new Map();
  let ordered = new OrderedObjects();
  const byNamespace = new Map<string, readonly JsonObject[]>();
  return {
    find: (namespace, name) => entries.get(namespace)?.get(name)?.lookup,
    list(namespace) {
      if (namespace === undefined) return ordered.list();
      // Nothing is stored for the names of namespaces without objects, which clients choose.
      const inside = entries.get(namespace);
      if (inside === undefined) return noObjects;
      const listed = byNamespace.get(namespace) ?? sorted([...inside.values()]);
      byNamespace.set(namespace, listed);
      return listed;
    },
    revisionOf: (key) => entryOf(entries, key)?.stored.revision,
    replace({ objects }) {
      const before = entries;
      entries = new Map();
      ordered = new OrderedObjects();
      byNamespace.clear();
      for (const stored of objects) {
        put(entries, stored);
        ordered.put(stored);
      }
      const gone = all(before).filter(({ stored: { key } }) => entryOf(entries, key) === undefined);
      return [
        ...gone.map(({ stored }) => ({ kind: 'deleted', object: stored.object }) as const),
        ...objects.map(({ object }) => ({ kind: 'put', object }) as const),
      ];
    },
    apply({ kind, stored }) {
      byNamespace.delete(stored.key.namespace);
      if (kind === 'deleted') {
        remove(entries, stored);
        ordered.delete(stored);
        return { kind, object: stored.object };
      }
      put(entries, stored);
      ordered.put(stored);
      return { kind: 'put', object: stored.object };
    },
  };
};

interface OrderedObject {
  readonly path: string;
  readonly object: JsonObject;
}

/**
 * All objects in the order of their paths. Changes are merged into the order when it is read, so
 * that a list of many objects is not sorted again after each change.
 */
class OrderedObjects {
  #order: readonly OrderedObject[] = [];
  #objects: readonly JsonObject[] = [];
  /** Objects that changed since then by path; `undefined` for those that were deleted. */
  readonly #changes = new Map<string, JsonObject | undefined>();

  put({ key, object }: StoredObject): void {
    this.#changes.set(pathOf(key), object);
  }

  delete({ key }: StoredObject): void {
    this.#changes.set(pathOf(key), undefined);
  }

  list(): readonly JsonObject[] {
    if (this.#changes.size > 0) {
      this.#order = merged(this.#order, this.#changes);
      this.#objects = this.#order.map(({ object }) => object);
      this.#changes.clear();
    }
    return this.#objects;
  }
}

const merged = (
  order: readonly OrderedObject[],
  changes: ReadonlyMap<string, JsonObject | undefined>,
): readonly OrderedObject[] => {
  const parts: (readonly OrderedObject[])[] = [];
  let next = 0;
  for (const path of [...changes.keys()].sort(comparePaths)) {
    const position = sortedIndex(order, (object) => comparePaths(object.path, path) < 0, next);
    const object = changes.get(path);
    parts.push(order.slice(next, position), object === undefined ? [] : [{ path, object }]);
    next = order[position]?.path === path ? position + 1 : position;
  }
  return [...parts, order.slice(next)].flat();
};

const put = (entries: Entries, stored: StoredObject): void => {
  const { namespace, name } = stored.key;
  const names = entries.get(namespace) ?? new Map<string, Entry>();
  entries.set(namespace, names);
  names.set(name, { stored, lookup: { kind: 'found', object: stored.object } });
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

const noObjects: readonly JsonObject[] = [];

const sorted = (entries: readonly Entry[]): readonly JsonObject[] =>
  entries
    .map(({ stored }) => ({ path: pathOf(stored.key), object: stored.object }))
    .sort((left, right) => comparePaths(left.path, right.path))
    .map(({ object }) => object);
