/**
 * A store whose writes are acknowledged once the local view contains them, so that a client that
 * deleted a service account here is not authenticated by it afterwards. Other processes see the
 * change within the view's age.
 */
import type { JsonObject } from '../../model/json.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Deletion, ObjectKey, Store, StoredObject } from '../../ports/store.ts';
import { shouldDeleteDuringUpdate } from '../../resources/delete-during-update.ts';
import { listAt, stringAt } from '../../resources/object-fields.ts';
import { viewCatchUpTimeoutMs } from './limits.ts';
import type { StoreView } from './store-view.ts';

/** Wraps a store that the view follows. A write waits for the view only for a limited time. */
export const readOwnWrites = (
  store: Store,
  view: Pick<StoreView, 'position' | 'onChange'>,
  clock: Clock,
): Store => {
  const waitUntil = (key: ObjectKey, isSeen: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      if (isSeen()) return resolve();
      const done = (): void => {
        cancel();
        unsubscribe();
        resolve();
      };
      const cancel = clock.after(viewCatchUpTimeoutMs, done);
      const unsubscribe = view.onChange(key.resource, () => {
        if (isSeen()) done();
      });
    });
  const put = async (key: ObjectKey, write: Promise<StoredObject>): Promise<StoredObject> => {
    const stored = await write;
    await waitUntil(key, () => {
      const position = view.position(key);
      return position === undefined || isReached(position.cacheRevision, stored.revision);
    });
    return stored;
  };
  const { requestDeletion } = store;
  /**
   * Some stores return the revision before the deletion; then the object must be gone or have
   * another revision.
   */
  const waitUntilChanged = (last: Pick<StoredObject, 'key' | 'revision'>): Promise<void> =>
    waitUntil(last.key, () => {
      const position = view.position(last.key);
      if (position === undefined) return true;
      if (!isReached(position.cacheRevision, last.revision)) return false;
      const { revision } = position;
      return revision === '' || (revision !== last.revision && isReached(revision, last.revision));
    });
  return {
    ...store,
    create: (key, object) => put(key, store.create(key, object)),
    async update(key, object, only) {
      const stored = await put(key, store.update(key, object, only));
      // A store that handles deletions itself deletes the object now and returns the revision
      // before.
      if (requestDeletion !== undefined && shouldDeleteDuringUpdate(stored.object))
        await waitUntilChanged(stored);
      return stored;
    },
    async delete(key, only) {
      const last = await store.delete(key, only);
      await waitUntilChanged(last);
      return last;
    },
    ...(requestDeletion === undefined
      ? {}
      : {
          async requestDeletion(last: StoredObject, options: JsonObject) {
            const deletion = await requestDeletion(last, options);
            if (hasEffect(last, deletion, options)) await waitUntilChanged(last);
            return deletion;
          },
        }),
  };
};

/**
 * Returns whether a deletion had an effect: it was not a dry run, and the object was not already
 * being deleted.
 */
const hasEffect = (last: StoredObject, { kind, object }: Deletion, options: JsonObject): boolean =>
  listAt(options, 'dryRun').length === 0 &&
  (kind === 'gone' ||
    stringAt(object, 'metadata', 'resourceVersion') !== last.revision ||
    stringAt(object, 'metadata', 'deletionTimestamp') === '');

/**
 * Returns whether the view has reached a revision. Revisions of all known stores are numbers;
 * others are not waited for.
 */
export const isReached = (revision: string, wanted: string): boolean =>
  !/^\d+$/.test(wanted) || Number(revision) >= Number(wanted);
