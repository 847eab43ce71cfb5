/**
 * Deletes the content of terminating namespaces, then the namespaces themselves. The controller has
 * no state of its own, so it continues after a crash with the next pass.
 */
import type { JsonObject } from '../model/json.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { ObjectView } from '../ports/object-view.ts';
import { type ObjectKey, type Store, StoreError } from '../ports/store.ts';
import { kinds } from '../resources/kinds.ts';
import { stringAt } from '../resources/object-fields.ts';
import type { Controller } from './controller.ts';

export interface NamespaceContentServices {
  readonly store: Pick<Store, 'get' | 'list' | 'delete'>;
  readonly view: Pick<ObjectView, 'onChange'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** Time between two passes without a change. */
const resyncMs = 60_000;
const retryMs = 1_000;

/** Returns a controller that is inactive until `start` is called. */
export const namespaceContent = (services: NamespaceContentServices): Controller => {
  const { view, clock, log } = services;
  let stopped = false;
  let cancel = (): void => {};
  let running: Promise<void> | undefined;
  let changed = false;
  let unsubscribe = (): void => {};

  const sync = async (): Promise<void> => {
    let waitMs = resyncMs;
    try {
      await emptyTerminatingNamespaces(services.store);
    } catch (cause) {
      waitMs = retryMs;
      const reason = cause instanceof Error ? cause.message : 'unknown failure';
      log.event('warn', 'terminating namespace not deleted', { reason });
    }
    running = undefined;
    if (stopped) return;
    if (changed) begin();
    else cancel = clock.after(waitMs, begin);
  };
  const begin = (): void => {
    if (stopped || running !== undefined) return;
    cancel();
    changed = false;
    running = sync();
  };

  return {
    name: 'namespace-controller',
    start() {
      unsubscribe = view.onChange('namespaces', ({ kind, object }) => {
        if (kind === 'deleted' || !isTerminating(object)) return;
        changed = true;
        begin();
      });
      begin();
    },
    async stop() {
      stopped = true;
      cancel();
      unsubscribe();
      await running;
    },
  };
};

/** Empties and deletes all terminating namespaces once. Rejects with the error of the store. */
const emptyTerminatingNamespaces = async (
  store: NamespaceContentServices['store'],
): Promise<void> => {
  const { objects } = await store.list('namespaces');
  for (const { key, object } of objects) {
    if (!isTerminating(object)) continue;
    await emptyNamespace(store, key.name);
    await deleteIfPresent(store, key);
  }
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
