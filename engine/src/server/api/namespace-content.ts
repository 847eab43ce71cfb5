/** The end of a namespace: everything in it goes, then the namespace itself. */
import { type Store, StoreError } from '../../ports/store.ts';
import { kinds } from '../../resources/kinds.ts';
import { textAt } from '../../resources/object-fields.ts';

/**
 * Deletes the content of a namespace that is on its way out, and the namespace. What can't be done
 * now is done at the next start, by `emptyLeavingNamespaces`.
 */
export const emptyNamespace = async (store: Store, namespace: string): Promise<void> => {
  try {
    for (const { resource, namespaced } of kinds) {
      if (!namespaced) continue;
      const { objects } = await store.list(resource, { namespace });
      for (const { key } of objects) await deleteIfThere(store, key);
    }
    const key = { resource: 'namespaces', namespace: '', name: namespace };
    const found = await store.get(key);
    if (found !== undefined && isLeaving(found.object)) await deleteIfThere(store, key);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
  }
};

/** For the start: namespaces that a crash left half gone. */
export const emptyLeavingNamespaces = async (store: Store): Promise<void> => {
  const { objects } = await store.list('namespaces');
  for (const { key, object } of objects) {
    if (isLeaving(object)) await emptyNamespace(store, key.name);
  }
};

const isLeaving = (object: Parameters<typeof textAt>[0]): boolean =>
  textAt(object, 'status', 'phase') === 'Terminating';

const deleteIfThere = async (store: Store, key: Parameters<Store['delete']>[0]): Promise<void> => {
  try {
    await store.delete(key);
  } catch (error) {
    if (!(error instanceof StoreError) || error.problem !== 'missing') throw error;
  }
};
