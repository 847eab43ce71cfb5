/** Creates the system namespaces at the start, and again if one is deleted. */
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Randomness } from '../ports/randomness.ts';
import { type ObjectKey, type Store, StoreError } from '../ports/store.ts';
import { namespaceFinalizer, systemNamespaces } from '../resources/namespace.ts';
import type { Controller } from './controller.ts';
import { newObject } from './new-object.ts';
import { syncController } from './sync-controller.ts';

export interface SystemNamespacesServices {
  readonly store: Pick<Store, 'get' | 'create'>;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly log: Log;
}

/** Time between two checks, as in kube-apiserver. */
const resyncMs = 60_000;
/** Delay after the store was unavailable. */
const retryMs = 1_000;

/** Returns a controller that checks the system namespaces at the start and then once a minute. */
export const systemNamespacesController = (services: SystemNamespacesServices): Controller => {
  const { clock, log } = services;
  return syncController({
    name: 'system-namespaces',
    clock,
    async sync() {
      try {
        for (const name of systemNamespaces) await createNamespace(name, services);
        return resyncMs;
      } catch (cause) {
        const reason = cause instanceof Error ? cause.message : 'unknown failure';
        log.event('warn', 'system namespaces not created', { reason });
        return retryMs;
      }
    },
  });
};

const createNamespace = async (name: string, services: SystemNamespacesServices): Promise<void> => {
  const { store } = services;
  const key: ObjectKey = { resource: 'namespaces', namespace: '', name };
  if ((await store.get(key)) !== undefined) return;
  const object = newObject(
    {
      key,
      kind: 'Namespace',
      labels: new Map([['kubernetes.io/metadata.name', name]]),
      members: [
        ['spec', new Map([['finalizers', [namespaceFinalizer]]])],
        ['status', new Map([['phase', 'Active']])],
      ],
    },
    services,
  );
  try {
    await store.create(key, object);
  } catch (cause) {
    // Another server created it in the meantime.
    if (!(cause instanceof StoreError) || cause.problem !== 'exists') throw cause;
  }
};
