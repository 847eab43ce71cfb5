/** Updates and deletions of stores that write an object only if it has the revision that was read. */
import { writeJson } from '../../formats/json-as-maps.ts';
import {
  type ObjectKey,
  type Preconditions,
  type Store,
  type StoredObject,
  StoreError,
} from '../../ports/store.ts';
import { maxWriteAttempts } from './limits.ts';
import { pathOf } from './object-path.ts';
import {
  checkPreconditions,
  isUnchanged,
  missingError,
  storedObject,
  uidOf,
  withoutRevision,
} from './stored-object.ts';

/** Both writes return the new revision; `undefined` if the object has another one than `seen`. */
export interface ConditionalWrites {
  replace(key: ObjectKey, body: string, seen: string): Promise<string | undefined>;
  remove(key: ObjectKey, seen: string): Promise<string | undefined>;
}

export const optimisticWrites = (
  get: Store['get'],
  { replace, remove }: ConditionalWrites,
): Pick<Store, 'update' | 'delete'> => {
  /**
   * Reads the object, checks the preconditions, and writes if the object has not changed in the
   * meantime; otherwise starts again.
   */
  const guaranteedUpdate = async (
    key: ObjectKey,
    preconditions: Preconditions | undefined,
    write: (before: StoredObject) => Promise<string | undefined>,
  ): Promise<{ readonly before: StoredObject; readonly revision: string }> => {
    for (let attempt = 0; attempt < maxWriteAttempts; attempt += 1) {
      const before = await get(key);
      if (before === undefined) throw missingError(key);
      checkPreconditions(preconditions, { uid: uidOf(before.object), revision: before.revision });
      const revision = await write(before);
      if (revision !== undefined) return { before, revision };
    }
    throw new StoreError(
      'conflict',
      `${key.resource} ${JSON.stringify(pathOf(key))} keeps changing`,
    );
  };
  return {
    async update(key, object, preconditions) {
      const body = writeJson(withoutRevision(object));
      const { before, revision } = await guaranteedUpdate(key, preconditions, async (last) =>
        isUnchanged(last.object, object) ? last.revision : replace(key, body, last.revision),
      );
      return revision === before.revision ? before : storedObject(key, revision, object);
    },
    async delete(key, preconditions) {
      const { before, revision } = await guaranteedUpdate(key, preconditions, (last) =>
        remove(key, last.revision),
      );
      return storedObject(key, revision, before.object);
    },
  };
};
