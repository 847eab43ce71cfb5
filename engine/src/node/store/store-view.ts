/**
 * The local view of the store: requests read it and never wait for the store. Each resource has a
 * cache with an age, the time since the store last confirmed that the cache is complete. Past the
 * maximum age the cache is not used, and requests that depend on it are rejected.
 */
import type { Clock } from '../../ports/clock.ts';
import type { Lookup, ObjectChange, ObjectView } from '../../ports/object-view.ts';
import type { ObjectKey, Store } from '../../ports/store.ts';
import { FollowedResource, type FollowOptions } from './followed-resource.ts';
import { maxLiveLookups } from './limits.ts';
import { pathOf } from './object-path.ts';

export interface StoreViewOptions extends FollowOptions {
  /** Resources that are cached: `secrets`. */
  readonly resources: readonly string[];
}

export interface StoreView extends ObjectView {
  start(): void;
  /** Stops the view; settles when none of its work is in progress any more. */
  stop(): Promise<void>;
  /**
   * Returns the age of the oldest cache in milliseconds; infinite before all caches are complete.
   */
  age(): number;
  /**
   * Returns the revision that the cache has reached and the revision of the object in it, `''` if
   * it has none; `undefined` while the view is disconnected from the store.
   */
  position(
    key: ObjectKey,
  ): { readonly cacheRevision: string; readonly revision: string } | undefined;
}

/** Gauge of the catalog, in seconds. */
const viewAgeMetric = 'authgraph_store_view_age_seconds';

/** Returns a view that is not ready until it has been started and all caches are filled. */
export const storeView = ({ resources, ...options }: StoreViewOptions): StoreView => {
  const { store, clock } = options;
  const byName = new Map(resources.map((name) => [name, new FollowedResource(name, options)]));
  const followed = [...byName.values()];
  const stopping = new AbortController();
  const lookUpLive = liveLookups(store, clock);
  let work: Promise<unknown> = Promise.resolve();

  const age = (): number => {
    const now = clock.monotonic();
    return Math.max(0, ...followed.map((entry) => entry.age(now)));
  };
  /** Every request calls this, so the clock is read only once. */
  const readiness = () => {
    const now = clock.monotonic();
    for (const entry of followed) {
      const reason = entry.problem(now);
      if (reason !== undefined) return { isReady: false, reason };
    }
    return { isReady: true, reason: '' };
  };

  return {
    find(key) {
      const entry = byName.get(key.resource);
      if (entry === undefined) {
        return { kind: 'unavailable', reason: `${key.resource} are not cached` };
      }
      const reason = entry.problem(clock.monotonic());
      if (reason !== undefined) return { kind: 'unavailable', reason };
      return entry.cache.find(key.namespace, key.name) ?? lookUpLive(key);
    },
    list(resource, namespace) {
      const entry = byName.get(resource);
      return entry === undefined || entry.problem(clock.monotonic()) !== undefined
        ? undefined
        : entry.cache.list(namespace);
    },
    onChange(resource, call) {
      const listeners = byName.get(resource)?.listeners;
      // The same function may be registered twice.
      const listener = (change: ObjectChange): void => call(change);
      listeners?.add(listener);
      return () => listeners?.delete(listener);
    },
    readiness,
    age,
    position: (key) => byName.get(key.resource)?.position(key),
    start() {
      const reportState = stateReports({ readiness, age }, options, followed.length);
      const { signal } = stopping;
      work = Promise.all(followed.map((entry) => entry.follow(signal, reportState)));
      const reportPeriodically = (): void => {
        if (signal.aborted) return;
        reportState();
        clock.after(1_000, reportPeriodically);
      };
      reportPeriodically();
    },
    async stop() {
      stopping.abort();
      await work;
    },
  };
};

/** Returns a function that logs when the readiness changes, and records the age. */
const stateReports = (
  { readiness, age }: Pick<StoreView, 'readiness' | 'age'>,
  { log, metrics }: Pick<StoreViewOptions, 'log' | 'metrics'>,
  resources: number,
): (() => void) => {
  let wasReady = false;
  return () => {
    const { isReady, reason } = readiness();
    if (isReady && !wasReady) log.event('info', 'store view is ready', { resources });
    if (!isReady && wasReady) log.event('error', 'store view is too old', { reason });
    wasReady = isReady;
    if (Number.isFinite(age())) metrics.set(viewAgeMetric, age() / 1000);
  };
};

/**
 * Looks up objects that the cache lacks in the store, since they may be newer than the cache. The
 * rate is limited, because clients can request names that do not exist; beyond the limit the cache
 * decides.
 */
const liveLookups = (
  store: Store,
  clock: Clock,
): ((key: ObjectKey) => Lookup | Promise<Lookup>) => {
  const pendingLookups = new Map<string, Promise<Lookup>>();
  let left = maxLiveLookups;
  let countedAt = clock.monotonic();
  const tryAcquire = (): boolean => {
    const now = clock.monotonic();
    left = Math.min(maxLiveLookups, left + ((now - countedAt) * maxLiveLookups) / 1000);
    countedAt = now;
    if (left < 1) return false;
    left -= 1;
    return true;
  };
  return (key) => {
    const path = `${key.resource}/${pathOf(key)}`;
    const waiting = pendingLookups.get(path);
    if (waiting !== undefined) return waiting;
    if (!tryAcquire()) return { kind: 'missing' };
    const answer = lookUp(store, key).finally(() => pendingLookups.delete(path));
    pendingLookups.set(path, answer);
    return answer;
  };
};

const lookUp = async (store: Store, key: ObjectKey): Promise<Lookup> => {
  try {
    const stored = await store.get(key);
    return stored === undefined ? { kind: 'missing' } : { kind: 'found', object: stored.object };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : 'unknown failure';
    return { kind: 'unavailable', reason };
  }
};
