/**
 * A store in memory, whose content is lost with the process: for tests, and for a server without
 * state of its own.
 */
import { sortedIndex } from '../../formats/sorted-index.ts';
import type { JsonObject } from '../../model/json.ts';
import type { Clock } from '../../ports/clock.ts';
import {
  type ObjectKey,
  type Store,
  type StoredObject,
  StoreError,
  type StoreEvent,
} from '../../ports/store.ts';
import { newChangeSignal } from './change-signal.ts';
import { maxEventsPerRead, maxStoredEvents } from './limits.ts';
import { comparePaths, pathOf } from './object-path.ts';
import {
  checkPreconditions,
  existsError,
  goneError,
  isUnchanged,
  missingError,
  parseRevision,
  storedObject,
  uidOf,
} from './stored-object.ts';
import { type ChangeFeed, watchChanges } from './watch-changes.ts';

/** Options of the store. */
export interface MemoryStoreOptions {
  readonly clock: Clock;
  /** Number of changes that watches can still read. */
  readonly events?: number;
}

interface Change {
  readonly count: number;
  readonly resource: string;
  readonly event: StoreEvent;
}

/** Returns an empty store. */
export const memoryStore = ({ clock, events = maxStoredEvents }: MemoryStoreOptions): Store => {
  const objects = new Map<string, Map<string, StoredObject>>();
  let changes: Change[] = [];
  // The empty store has revision 1, because 0 has a special meaning in the API.
  let count = 1;
  let compactedAt = 1;
  const closed = new AbortController();
  const changeSignal = newChangeSignal(clock);

  const assertOpen = (): void => {
    if (closed.signal.aborted) throw new StoreError('unavailable', 'the store is closed');
  };
  const rowsOf = (resource: string): Map<string, StoredObject> => {
    const rows = objects.get(resource) ?? new Map<string, StoredObject>();
    objects.set(resource, rows);
    return rows;
  };
  const publish = (event: Exclude<StoreEvent, { kind: 'bookmark' }>): StoredObject => {
    changes.push({ count, resource: event.stored.key.resource, event });
    // The list grows to twice the limit before half of it is removed, so that no single write pays
    // for copying all of it often.
    if (changes.length >= 2 * events) changes = changes.slice(-events);
    if (count - compactedAt > events) compactedAt = count - events;
    changeSignal.notify();
    return event.stored;
  };
  const nextRevision = (): string => {
    count += 1;
    return String(count);
  };
  const getExisting = (key: ObjectKey): StoredObject => {
    const stored = rowsOf(key.resource).get(pathOf(key));
    if (stored === undefined) throw missingError(key);
    return stored;
  };
  const put = (kind: 'added' | 'modified', key: ObjectKey, object: JsonObject): StoredObject => {
    const stored = storedObject(key, nextRevision(), object);
    rowsOf(key.resource).set(pathOf(key), stored);
    return publish({ kind, stored });
  };

  const feed: ChangeFeed = {
    clock,
    changeSignal,
    async changes(resource, after) {
      assertOpen();
      const from = parseRevision(after);
      if (from < compactedAt || from > count) throw goneError(after);
      const read: StoreEvent[] = [];
      for (const change of changes.slice(sortedIndex(changes, (change) => change.count <= from))) {
        if (change.resource !== resource) continue;
        read.push(change.event);
        if (read.length === maxEventsPerRead) {
          return { events: read, revision: String(change.count), more: true };
        }
      }
      return { events: read, revision: String(count), more: false };
    },
  };

  return {
    async get(key) {
      assertOpen();
      return objects.get(key.resource)?.get(pathOf(key));
    },
    async list(resource, { namespace } = {}) {
      assertOpen();
      const rows = [...rowsOf(resource)].filter(
        ([, { key }]) => namespace === undefined || key.namespace === namespace,
      );
      rows.sort(([left], [right]) => comparePaths(left, right));
      return { objects: rows.map(([, stored]) => stored), revision: String(count) };
    },
    watch: (resource, after, signal) =>
      watchChanges(feed, resource, after, AbortSignal.any([signal, closed.signal])),
    async create(key, object) {
      assertOpen();
      if (rowsOf(key.resource).has(pathOf(key))) throw existsError(key);
      return put('added', key, object);
    },
    async update(key, object, only) {
      assertOpen();
      const before = getExisting(key);
      checkPreconditions(only, { uid: uidOf(before.object), revision: before.revision });
      return isUnchanged(before.object, object) ? before : put('modified', key, object);
    },
    async delete(key, only) {
      assertOpen();
      const before = getExisting(key);
      checkPreconditions(only, { uid: uidOf(before.object), revision: before.revision });
      rowsOf(key.resource).delete(pathOf(key));
      return publish({ kind: 'deleted', stored: storedObject(key, nextRevision(), before.object) });
    },
    async close() {
      closed.abort();
    },
  };
};
