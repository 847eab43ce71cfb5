/**
 * Deletes the content of terminating namespaces, then the namespaces themselves. What a crash
 * interrupts is found again in the view, which contains all namespaces at the start.
 */
import type { JsonObject } from '../model/json.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { ObjectView } from '../ports/object-view.ts';
import { type ObjectKey, type Store, StoreError } from '../ports/store.ts';
import { kinds } from '../resources/kinds.ts';
import { stringAt } from '../resources/object-fields.ts';
import type { Controller } from './controller.ts';
import { queueController } from './queue-controller.ts';

export interface NamespaceContentServices {
  readonly store: Pick<Store, 'get' | 'list' | 'delete'>;
  readonly view: Pick<ObjectView, 'list' | 'onChange'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** Time between two passes over all namespaces. */
const resyncMs = 60_000;
const retryMs = 1_000;

/** Returns a controller that is inactive until `start` is called. */
export const namespaceContent = (services: NamespaceContentServices): Controller => {
  const { store, view, clock, log } = services;
  return queueController({
    name: 'namespace-controller',
    ...{ clock, resyncMs, retryMs },
    subscribe: (enqueue) => [
      view.onChange('namespaces', ({ kind, object }) => {
        if (kind === 'put' && isTerminating(object)) enqueue(nameOf(object));
      }),
    ],
    list: () => view.list('namespaces')?.filter(isTerminating).map(nameOf),
    async handle(name) {
      try {
        await deleteIfTerminating(store, name);
        return true;
      } catch (cause) {
        const reason = cause instanceof Error ? cause.message : 'unknown failure';
        log.event('warn', 'terminating namespace not deleted', { namespace: name, reason });
        return false;
      }
    },
  });
};

const nameOf = (namespace: JsonObject): string => stringAt(namespace, 'metadata', 'name');

/**
 * Empties and deletes a namespace. The view may be outdated, so the store decides whether it still
 * terminates. Rejects with the error of the store.
 */
const deleteIfTerminating = async (
  store: NamespaceContentServices['store'],
  name: string,
): Promise<void> => {
  const key: ObjectKey = { resource: 'namespaces', namespace: '', name };
  const stored = await store.get(key);
  if (stored === undefined || !isTerminating(stored.object)) return;
  await emptyNamespace(store, name);
  await deleteIfPresent(store, key);
};

const emptyNamespace = async (
  store: NamespaceContentServices['store'],
  namespace: string,
): Promise<void> => {
  for (const { resource, namespaced } of kinds) {
    if (!namespaced) continue;
    const { objects } = await store.list(resource, { namespace });
    for (const { key } of objects) await deleteIfPresent(store, key);
  }
};

const isTerminating = (namespace: JsonObject): boolean =>
  stringAt(namespace, 'status', 'phase') === 'Terminating';

const deleteIfPresent = async (
  store: NamespaceContentServices['store'],
  key: ObjectKey,
): Promise<void> => {
  try {
    await store.delete(key);
  } catch (cause) {
    if (!(cause instanceof StoreError) || cause.problem !== 'missing') throw cause;
  }
};
