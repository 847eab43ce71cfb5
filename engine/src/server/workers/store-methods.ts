/** Executes the store calls of one worker in the primary process, which alone opens the store. */
import type { StoreView } from '../../node/store/store-view.ts';
import { type ObjectKey, type Store, StoreError, type StoreEvent } from '../../ports/store.ts';
import { shouldDeleteDuringUpdate } from '../../resources/delete-during-update.ts';
import type { StoreMethods } from './methods.ts';
import type { ViewPosition, ViewPositions } from './view-positions.ts';

export interface SharedStore {
  /** A write resolves once the view of the primary process contains it. */
  readonly store: Store;
  readonly view: Pick<StoreView, 'position'>;
  readonly positions: ViewPositions;
}

interface OpenWatch {
  readonly events: AsyncIterator<StoreEvent>;
  readonly ending: AbortController;
  readonly position: ViewPosition | undefined;
  /** The revision of the last event that was returned. */
  returned: string;
}

export interface WorkerStore {
  readonly methods: StoreMethods;
  /** Ends the watches of a worker that is gone. */
  close(): void;
}

export const storeMethods = ({ store, view, positions }: SharedStore): WorkerStore => {
  const watches = new Map<number, OpenWatch>();
  /** Waits until all workers see a deletion, whose revision only the view has. */
  const whenDeleted = (key: ObjectKey): Promise<void> => {
    const revision = view.position(key)?.cacheRevision;
    return revision === undefined
      ? Promise.resolve()
      : positions.whenReached(key.resource, revision);
  };
  const endWatch = (id: number): void => {
    const watch = watches.get(id);
    watches.delete(id);
    watch?.position?.end();
    watch?.ending.abort();
  };
  return {
    methods: {
      getObject: (key) => store.get(key),
      listObjects: (resource, namespace) =>
        store.list(resource, namespace === undefined ? {} : { namespace }),
      async createObject(key, object) {
        const stored = await store.create(key, object);
        await positions.whenReached(key.resource, stored.revision);
        return stored;
      },
      async updateObject(key, object, preconditions) {
        const stored = await store.update(key, object, preconditions);
        await positions.whenReached(key.resource, stored.revision);
        // A store that handles deletions itself deletes the object now.
        if (shouldDeleteDuringUpdate(stored.object)) await whenDeleted(key);
        return stored;
      },
      async deleteObject(key, preconditions) {
        const stored = await store.delete(key, preconditions);
        await whenDeleted(key);
        return stored;
      },
      async requestDeletion(last, options) {
        if (store.requestDeletion === undefined)
          throw new StoreError('unavailable', 'the store does not implement deletion');
        const deletion = await store.requestDeletion(last, options);
        await whenDeleted(last.key);
        return deletion;
      },
      openWatch(id, { resource, after, isForView }) {
        const ending = new AbortController();
        const events = store.watch(resource, after, ending.signal)[Symbol.asyncIterator]();
        const position = isForView ? positions.begin(resource, after) : undefined;
        watches.set(id, { events, ending, position, returned: after });
      },
      async nextEvent(id) {
        const watch = watches.get(id);
        if (watch === undefined) return undefined;
        watch.position?.reach(watch.returned);
        try {
          const next = await watch.events.next();
          if (next.done === true) {
            endWatch(id);
            return undefined;
          }
          watch.returned =
            next.value.kind === 'bookmark' ? next.value.revision : next.value.stored.revision;
          return next.value;
        } catch (cause) {
          endWatch(id);
          throw cause;
        }
      },
      endWatch,
    },
    close() {
      for (const id of [...watches.keys()]) endWatch(id);
    },
  };
};
