/**
 * Makes the account `default` in every namespace, and again when somebody deletes it. It keeps no list
 * of its own: after each change it compares what namespaces and accounts there are.
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

/** Changes that come together are looked at together. */
const settleMs = 20;
/** After a failure, and where the view is not ready; also a look without a sign of change. */
const retryMs = 1_000;
const resyncMs = 60_000;

const accountName = 'default';

/** Stands still until it is started. */
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
    // The first of many changes sets the time.
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

/** True where every namespace that stays has its account now. Never rejects. */
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
      // The namespace may be going just now; the next look will tell.
      complete = false;
      const reason = cause instanceof Error ? cause.message : 'unknown failure';
      log.event('warn', 'default service account is not made', { namespace: name, reason });
    }
  }
  return complete;
};

const isActive = (namespace: JsonObject): boolean => {
  if (liveObject(namespace).deletedAtMs !== undefined) return false;
  const status = namespace.get('status');
  return !(status instanceof Map) || status.get('phase') !== 'Terminating';
};
