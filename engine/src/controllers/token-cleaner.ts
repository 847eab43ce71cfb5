/**
 * Deletes bootstrap tokens when they expire, and those of which nobody can tell when they do. It looks
 * at all of them when one changes and when the next one expires, and keeps no list of its own: after a
 * restart it sees what is there.
 */
import { bootstrapSecretTypes } from '../model/api-domain.ts';
import type { JsonObject } from '../model/json.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Metrics } from '../ports/metrics.ts';
import type { ObjectView } from '../ports/object-view.ts';
import { type Store, StoreError } from '../ports/store.ts';
import {
  type BootstrapSecret,
  bootstrapNamespace,
  bootstrapTokenExpiration,
  readBootstrapSecret,
} from '../resources/bootstrap-secret.ts';
import type { Controller } from './controller.ts';

export interface TokenCleanerServices {
  readonly store: Pick<Store, 'delete'>;
  readonly view: Pick<ObjectView, 'list' | 'onChange'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly apiDomain: string;
}

/** The wall clock may be set meanwhile: nothing is slept through for longer. */
const maxSleepMs = 60_000;

/** Between two tries where the store is away: doubled from one to the other. */
const minRetryMs = 1000;
const maxRetryMs = 60_000;

/** Stands still until it is started. */
export const tokenCleaner = (services: TokenCleanerServices): Controller => {
  const { view, clock } = services;
  const types = bootstrapSecretTypes(services.apiDomain);
  /** The view may show for a while what is gone. */
  const removed = new WeakSet<JsonObject>();
  let stopped = false;
  let cleanAgain = false;
  let running: Promise<void> | undefined;
  let retryMs = minRetryMs;
  let cancelSleep = (): void => {};
  let unsubscribe = (): void => {};

  const requestCleanup = (): void => {
    cleanAgain = true;
    if (stopped || running !== undefined) return;
    cancelSleep();
    running = cleanUntilIdle()
      .catch((fault: unknown) => {
        services.log.event('error', 'the token cleaner failed', { error: fault });
        return backOff();
      })
      .then(sleep)
      .finally(() => {
        running = undefined;
        // What changed after the last look.
        if (cleanAgain) requestCleanup();
      });
  };

  /** Gives the milliseconds after which to look again. */
  const cleanUntilIdle = async (): Promise<number> => {
    let next = maxSleepMs;
    while (cleanAgain && !stopped) {
      // Changes that come together are looked at together.
      await Promise.resolve();
      cleanAgain = false;
      next = await cleanOnce();
    }
    return next;
  };

  const cleanOnce = async (): Promise<number> => {
    const secrets = view.list('secrets', bootstrapNamespace);
    if (secrets === undefined) return backOff();
    const now = clock.now();
    let next = maxSleepMs;
    let failures = 0;
    for (const object of secrets) {
      const secret = readBootstrapSecret(object, types);
      const leftMs = secret === undefined ? Number.POSITIVE_INFINITY : timeLeft(secret, now);
      if (secret === undefined || leftMs > 0) {
        next = Math.min(next, Math.ceil(leftMs));
        continue;
      }
      if (stopped || removed.has(object)) continue;
      // One at a time: the store has others to serve.
      if (await remove(secret, services)) removed.add(object);
      else failures += 1;
    }
    if (failures > 0) return Math.min(next, backOff());
    retryMs = minRetryMs;
    return next;
  };

  const backOff = (): number => {
    const wait = retryMs;
    retryMs = Math.min(retryMs * 2, maxRetryMs);
    return wait;
  };

  const sleep = (milliseconds: number): void => {
    if (!stopped) cancelSleep = clock.after(milliseconds, requestCleanup);
  };

  return {
    name: 'token-cleaner-controller',
    start() {
      unsubscribe = view.onChange('secrets', ({ kind, object }) => {
        if (kind === 'put' && readBootstrapSecret(object, types) !== undefined) requestCleanup();
      });
      requestCleanup();
    },
    async stop() {
      stopped = true;
      unsubscribe();
      cancelSleep();
      await running;
    },
  };
};

/** Milliseconds until the token expires; none for one whose end cannot be read. */
const timeLeft = (secret: BootstrapSecret, nowMs: number): number => {
  const end = bootstrapTokenExpiration(secret);
  switch (end.kind) {
    case 'never':
      return Number.POSITIVE_INFINITY;
    case 'unreadable':
      return 0;
    case 'at':
      return end.ms - nowMs;
  }
};

/** The very object that was looked at; `false` where it has to be tried again. */
const remove = async (
  { namespace, name, uid }: BootstrapSecret,
  { store, log, metrics }: TokenCleanerServices,
): Promise<boolean> => {
  const object = `${namespace}/${name}`;
  try {
    const key = { resource: 'secrets', namespace, name };
    await (uid === '' ? store.delete(key) : store.delete(key, { uid }));
    log.event('info', 'expired bootstrap token deleted', { object });
    metrics.increment(counter, { result: 'deleted' });
    return true;
  } catch (error) {
    const problem = error instanceof StoreError ? error.problem : undefined;
    if (problem === 'missing' || problem === 'conflict') {
      metrics.increment(counter, { result: 'gone' });
      return true;
    }
    log.event('warn', 'expired bootstrap token not deleted', { object, error: String(error) });
    metrics.increment(counter, { result: 'failed' });
    return false;
  }
};

const counter = 'authgraph_expired_bootstrap_tokens_total';
