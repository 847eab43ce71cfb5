/**
 * Deletes expired bootstrap tokens, and those whose expiration cannot be parsed. The controller
 * checks all of them when one changes and when the next one expires. It has no state of its own, so
 * a restart loses nothing.
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
import { growingDelay, syncController } from './sync-controller.ts';

export interface TokenCleanerServices {
  readonly store: Pick<Store, 'delete'>;
  readonly view: Pick<ObjectView, 'list' | 'onChange'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly apiDomain: string;
}

/** Upper limit for a wait, because the wall clock may be set in the meantime. */
const maxSleepMs = 60_000;

/** Delay between two attempts while the store is unavailable; it doubles with each attempt. */
const minRetryMs = 1000;
const maxRetryMs = 60_000;

/** Returns a controller that is inactive until `start` is called. */
export const tokenCleaner = (services: TokenCleanerServices): Controller => {
  const { view, clock, log } = services;
  const types = bootstrapSecretTypes(services.apiDomain);
  /** Secrets that were deleted but that the view may still contain. */
  const removed = new WeakSet<JsonObject>();
  const retryDelay = growingDelay(minRetryMs, maxRetryMs);

  const clean = async (isStopped: () => boolean): Promise<number> => {
    const secrets = view.list('secrets', bootstrapNamespace);
    if (secrets === undefined) return retryDelay.next();
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
      if (isStopped() || removed.has(object)) continue;
      // The deletions are sequential, because the store has other callers.
      if (await remove(secret, services)) removed.add(object);
      else failures += 1;
    }
    if (failures > 0) return Math.min(next, retryDelay.next());
    retryDelay.reset();
    return next;
  };

  return syncController({
    name: 'token-cleaner-controller',
    clock,
    subscribe: (onChange) => [
      view.onChange('secrets', ({ kind, object }) => {
        if (kind === 'put' && readBootstrapSecret(object, types) !== undefined) onChange();
      }),
    ],
    sync: (isStopped) =>
      clean(isStopped).catch((error: unknown) => {
        log.event('error', 'token cleaner failed', { error });
        return retryDelay.next();
      }),
  });
};

/** Returns the milliseconds until the token expires; 0 if its expiration cannot be parsed. */
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

/**
 * Deletes the Secret if it is still the same object. Returns `false` if the deletion has to be
 * retried.
 */
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
