/**
 * A store whose writes are acknowledged when the local view has them too: who deleted an account here
 * and was told so is not served by it a moment later. Other processes see it within the view's age.
 */
import type { JsonObject } from '../../model/json.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Deletion, ObjectKey, Store, StoredObject } from '../../ports/store.ts';
import { shouldDeleteDuringUpdate } from '../../resources/delete-during-update.ts';
import { listAt, stringAt } from '../../resources/object-fields.ts';
import { viewCatchUpTimeoutMs } from './limits.ts';
import type { StoreView } from './store-view.ts';

/** The view follows that very store. A write waits for it no longer than the bound. */
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
  /** Some stores tell the revision before the deletion: then the object must be gone, or another. */
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
      // Such a store deletes it, and tells the revision before.
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

/** Not where it was only tried, nor where it was on its way before. */
const hasEffect = (last: StoredObject, { kind, object }: Deletion, options: JsonObject): boolean =>
  listAt(options, 'dryRun').length === 0 &&
  (kind === 'gone' ||
    stringAt(object, 'metadata', 'resourceVersion') !== last.revision ||
    stringAt(object, 'metadata', 'deletionTimestamp') === '');

/** All stores that we know count; what cannot be compared is not waited for. */
const isReached = (revision: string, wanted: string): boolean =>
  !/^\d+$/.test(wanted) || Number(revision) >= Number(wanted);
