/**
 * A store whose writes are acknowledged when the local view has them too: who deleted an account here
 * and was told so is not served by it a moment later. Other processes see it within the view's age.
 */
import type { JsonObject } from '../../model/json.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Deletion, ObjectKey, Store, StoredObject } from '../../ports/store.ts';
import { isFinished } from '../../resources/finished.ts';
import { listAt, textAt } from '../../resources/object-fields.ts';
import { seenMs } from './limits.ts';
import type { StoreView } from './store-view.ts';

/** The view follows that very store. A write waits for it no longer than the bound. */
export const readOwnWrites = (
  store: Store,
  view: Pick<StoreView, 'standing' | 'onChange'>,
  clock: Clock,
): Store => {
  const until = (key: ObjectKey, isSeen: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      if (isSeen()) return resolve();
      const done = (): void => {
        cancel();
        leave();
        resolve();
      };
      const cancel = clock.after(seenMs, done);
      const leave = view.onChange(key.resource, () => {
        if (isSeen()) done();
      });
    });
  const put = async (key: ObjectKey, write: Promise<StoredObject>): Promise<StoredObject> => {
    const stored = await write;
    await until(key, () => {
      const standing = view.standing(key);
      return standing === undefined || isReached(standing.upTo, stored.revision);
    });
    return stored;
  };
  const { requestDeletion } = store;
  /** Some stores tell the revision before the deletion: then the object must be gone, or another. */
  const untilChanged = (last: Pick<StoredObject, 'key' | 'revision'>): Promise<void> =>
    until(last.key, () => {
      const standing = view.standing(last.key);
      if (standing === undefined) return true;
      if (!isReached(standing.upTo, last.revision)) return false;
      const { revision } = standing;
      return revision === '' || (revision !== last.revision && isReached(revision, last.revision));
    });
  return {
    ...store,
    create: (key, object) => put(key, store.create(key, object)),
    async update(key, object, only) {
      const stored = await put(key, store.update(key, object, only));
      // Such a store deletes it, and tells the revision before.
      if (requestDeletion !== undefined && isFinished(stored.object)) await untilChanged(stored);
      return stored;
    },
    async delete(key, only) {
      const last = await store.delete(key, only);
      await untilChanged(last);
      return last;
    },
    ...(requestDeletion === undefined
      ? {}
      : {
          async requestDeletion(last: StoredObject, options: JsonObject) {
            const deletion = await requestDeletion(last, options);
            if (changes(last, deletion, options)) await untilChanged(last);
            return deletion;
          },
        }),
  };
};

/** Not where it was only tried, nor where it was on its way before. */
const changes = (last: StoredObject, { kind, object }: Deletion, options: JsonObject): boolean =>
  listAt(options, 'dryRun').length === 0 &&
  (kind === 'gone' ||
    textAt(object, 'metadata', 'resourceVersion') !== last.revision ||
    textAt(object, 'metadata', 'deletionTimestamp') === '');

/** All stores that we know count; what cannot be compared is not waited for. */
const isReached = (revision: string, wanted: string): boolean =>
  !/^\d+$/.test(wanted) || Number(revision) >= Number(wanted);
