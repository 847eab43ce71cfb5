/**
 * Creates the service account `default` in every namespace, and again after it is deleted. The
 * controller has no state of its own: after each change it compares the namespaces with the service
 * accounts.
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

export interface DefaultServiceAccountServices {
  readonly store: Pick<Store, 'create'>;
  readonly view: Pick<ObjectView, 'list' | 'onChange'>;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly log: Log;
}

/** Changes that arrive within this time are handled together. */
const settleMs = 20;
/** Delay after a failure, and while the view is not ready. */
const retryMs = 1_000;
/** Time between two comparisons without a change. */
const resyncMs = 60_000;

const accountName = 'default';

/** Returns a controller that is inactive until `start` is called. */
export const defaultServiceAccount = (services: DefaultServiceAccountServices): Controller => {
  const { view, clock } = services;
  let stopped = false;
  let running: Promise<void> | undefined;
  let changed = false;
  let cancel = (): void => {};
  const unsubscribe: (() => void)[] = [];

  const syncAfter = (waitMs: number): void => {
    cancel();
    if (!stopped) cancel = clock.after(waitMs, startSync);
  };
  const startSync = (): void => {
    if (stopped || running !== undefined) return;
    changed = false;
    running = createMissing(services).then((complete) => {
      running = undefined;
      if (changed) syncAfter(settleMs);
      else syncAfter(complete ? resyncMs : retryMs);
    });
  };
  const onChange = (): void => {
    // The first of several changes determines when the pass starts.
    if (!changed && running === undefined) syncAfter(settleMs);
    changed = true;
  };

  return {
    name: 'serviceaccount-controller',
    start() {
      unsubscribe.push(view.onChange('namespaces', onChange));
      unsubscribe.push(
        view.onChange('serviceaccounts', ({ kind, object }) => {
          if (kind === 'deleted' && liveObject(object).name === accountName) onChange();
        }),
      );
      startSync();
    },
    async stop() {
      stopped = true;
      cancel();
      for (const end of unsubscribe.splice(0)) end();
      await running;
    },
  };
};

/** Returns whether every active namespace has its service account now. Never rejects. */
const createMissing = async (services: DefaultServiceAccountServices): Promise<boolean> => {
  const { view, store, log } = services;
  const namespaces = view.list('namespaces');
  const accounts = view.list('serviceaccounts');
  if (namespaces === undefined || accounts === undefined) return false;
  const namespacesWithAccount = new Set(
    accounts
      .map(liveObject)
      .filter(({ name }) => name === accountName)
      .map(({ namespace }) => namespace),
  );
  let complete = true;
  for (const name of namespaces.filter(isActive).map((namespace) => liveObject(namespace).name)) {
    if (namespacesWithAccount.has(name)) continue;
    const key: ObjectKey = { resource: 'serviceaccounts', namespace: name, name: accountName };
    try {
      await store.create(key, newObject({ key, kind: 'ServiceAccount' }, services));
    } catch (cause) {
      if (cause instanceof StoreError && cause.problem === 'exists') continue;
      // The namespace may be terminating; the next pass finds out.
      complete = false;
      const reason = cause instanceof Error ? cause.message : 'unknown failure';
      log.event('warn', 'default service account not created', { namespace: name, reason });
    }
  }
  return complete;
};

const isActive = (namespace: JsonObject): boolean => {
  if (liveObject(namespace).deletedAtMs !== undefined) return false;
  const status = namespace.get('status');
  return !(status instanceof Map) || status.get('phase') !== 'Terminating';
};
