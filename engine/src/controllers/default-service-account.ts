/**
 * Creates the service account `default` in every namespace, and again after it is deleted. A change
 * costs the work for its own namespace only; all namespaces are compared at the start and
 * periodically.
 */
import type { JsonObject } from '../model/json.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { ObjectView } from '../ports/object-view.ts';
import type { Randomness } from '../ports/randomness.ts';
import { type ObjectKey, type Store, StoreError } from '../ports/store.ts';
import { liveObject } from '../resources/live-object.ts';
import type { Controller } from './controller.ts';
import { newObject } from './new-object.ts';
import { queueController } from './queue-controller.ts';

export interface DefaultServiceAccountServices {
  readonly store: Pick<Store, 'create'>;
  readonly view: Pick<ObjectView, 'find' | 'list' | 'onChange'>;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly log: Log;
}

/** Changes that arrive within this time are handled together. */
const settleMs = 20;
/** Delay after a failure, and while the view is not ready. */
const retryMs = 1_000;
/** Time between two comparisons of all namespaces. */
const resyncMs = 60_000;

const accountName = 'default';

/** Returns a controller that is inactive until `start` is called. */
export const defaultServiceAccount = (services: DefaultServiceAccountServices): Controller => {
  const { view, clock } = services;
  return queueController({
    name: 'serviceaccount-controller',
    ...{ clock, settleMs, resyncMs, retryMs },
    subscribe: (enqueue) => [
      view.onChange('namespaces', ({ kind, object }) => {
        if (kind === 'put') enqueue(liveObject(object).name);
      }),
      view.onChange('serviceaccounts', ({ kind, object }) => {
        const { name, namespace } = liveObject(object);
        if (kind === 'deleted' && name === accountName) enqueue(namespace);
      }),
    ],
    list: () => namespacesWithoutAccount(view),
    handle: (namespace) => ensureAccount(namespace, services),
  });
};

/** Returns `undefined` while the view cannot be used. */
const namespacesWithoutAccount = (
  view: Pick<ObjectView, 'list'>,
): readonly string[] | undefined => {
  const namespaces = view.list('namespaces');
  const accounts = view.list('serviceaccounts');
  if (namespaces === undefined || accounts === undefined) return undefined;
  const withAccount = new Set(
    accounts
      .map(liveObject)
      .filter(({ name }) => name === accountName)
      .map(({ namespace }) => namespace),
  );
  return namespaces
    .map((namespace) => liveObject(namespace).name)
    .filter((name) => !withAccount.has(name));
};

/** Returns whether the namespace has the account or needs none. Never rejects. */
const ensureAccount = async (
  namespace: string,
  services: DefaultServiceAccountServices,
): Promise<boolean> => {
  const { view, store, log } = services;
  const lookup = await view.find({ resource: 'namespaces', namespace: '', name: namespace });
  const accounts = view.list('serviceaccounts', namespace);
  if (lookup.kind === 'unavailable' || accounts === undefined) return false;
  if (lookup.kind === 'missing' || !isActive(lookup.object)) return true;
  if (accounts.some((account) => liveObject(account).name === accountName)) return true;
  const key: ObjectKey = { resource: 'serviceaccounts', namespace, name: accountName };
  try {
    await store.create(key, newObject({ key, kind: 'ServiceAccount' }, services));
    return true;
  } catch (cause) {
    if (cause instanceof StoreError && cause.problem === 'exists') return true;
    // The namespace may be terminating; the next pass finds out.
    const reason = cause instanceof Error ? cause.message : 'unknown failure';
    log.event('warn', 'default service account not created', { namespace, reason });
    return false;
  }
};

const isActive = (namespace: JsonObject): boolean => {
  if (liveObject(namespace).deletedAtMs !== undefined) return false;
  const status = namespace.get('status');
  return !(status instanceof Map) || status.get('phase') !== 'Terminating';
};
