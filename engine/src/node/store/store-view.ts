/**
 * The local view of the store: requests read it and never wait for the store. Each resource has a
 * cache with an age, the time since the store last confirmed that the cache is complete. Past the
 * maximum age the cache is not used, and requests that depend on it are rejected.
 */
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { Metrics } from '../../ports/metrics.ts';
import type { Lookup, ObjectChange, ObjectView } from '../../ports/object-view.ts';
import type { Randomness } from '../../ports/randomness.ts';
import type { ObjectKey, Store, StoreEvent } from '../../ports/store.ts';
import { maxLiveLookups } from './limits.ts';
import { listAndWatch } from './list-and-watch.ts';
import { pathOf } from './object-path.ts';
import { newResourceCache, type ResourceCache } from './resource-cache.ts';

export interface StoreViewOptions {
  readonly store: Store;
  /** Resources that are cached: `secrets`. */
  readonly resources: readonly string[];
  readonly maxStalenessMs: number;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly log: Log;
  readonly metrics: Metrics;
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
/** Counter of the catalog: failed lists and watches. */
const viewFailuresMetric = 'authgraph_store_failures_total';

interface FollowedResource {
  readonly resource: string;
  readonly cache: ResourceCache;
  /** Monotonic time; `undefined` before the first list. */
  completeAt: number | undefined;
  /** Revision of the last list, event or bookmark; empty before the first. */
  revision: string;
  lastFailure: string;
  readonly listeners: Set<(change: ObjectChange) => void>;
}

/** Returns a view that is not ready until it has been started and all caches are filled. */
export const storeView = (options: StoreViewOptions): StoreView => {
  const { store, clock, log, metrics, maxStalenessMs } = options;
  const followed = new Map<string, FollowedResource>(
    options.resources.map((resource) => [resource, newFollowedResource(resource)]),
  );
  const stopping = new AbortController();
  const lookUpLive = liveLookups(store, clock);
  let generation = 0;
  let work: Promise<unknown> = Promise.resolve();
  let wasReady = false;

  const ageOf = ({ completeAt }: FollowedResource): number =>
    completeAt === undefined ? Number.POSITIVE_INFINITY : clock.monotonic() - completeAt;
  const isStale = (entry: FollowedResource): boolean => ageOf(entry) > maxStalenessMs;
  const reasonOf = (entry: FollowedResource): string => {
    const since = entry.lastFailure === '' ? '' : `: ${entry.lastFailure}`;
    if (entry.completeAt === undefined) return `${entry.resource} are not loaded yet${since}`;
    const seconds = Math.floor(ageOf(entry) / 1000);
    return `the cache of ${entry.resource} is ${seconds} s old, more than the maximum of ${maxStalenessMs / 1000} s${since}`;
  };
  const age = (): number => Math.max(0, ...[...followed.values()].map(ageOf));
  /** Every request calls this, so the clock is read only once. */
  const readiness = () => {
    const now = clock.monotonic();
    for (const entry of followed.values()) {
      if (entry.completeAt === undefined || now - entry.completeAt > maxStalenessMs) {
        return { ready: false, reason: reasonOf(entry) };
      }
    }
    return { ready: true, reason: '' };
  };

  const notifyListeners = (entry: FollowedResource, changes: readonly ObjectChange[]): void => {
    generation += changes.length;
    for (const change of changes) {
      for (const call of [...entry.listeners]) {
        try {
          call(change);
        } catch (cause) {
          const error = cause instanceof Error ? cause.message : 'unknown';
          log.event('error', 'listener of the store view failed', {
            resource: entry.resource,
            error,
          });
        }
      }
    }
  };
  const reportState = (): void => {
    const { ready, reason } = readiness();
    if (ready !== wasReady) {
      if (ready) log.event('info', 'store view is ready', { resources: followed.size });
      else log.event('error', 'store view is too old', { reason });
    }
    wasReady = ready;
    if (Number.isFinite(age())) metrics.set(viewAgeMetric, age() / 1000);
  };
  const reportPeriodically = (): void => {
    if (stopping.signal.aborted) return;
    reportState();
    clock.after(1_000, reportPeriodically);
  };

  const follow = (entry: FollowedResource): Promise<void> =>
    listAndWatch(
      {
        ...options,
        resource: entry.resource,
        onList(list, requestedAt) {
          const changes = entry.cache.replace(list);
          entry.completeAt = requestedAt;
          entry.revision = list.revision;
          entry.lastFailure = '';
          notifyListeners(entry, changes);
          reportState();
        },
        onEvent(event: StoreEvent) {
          entry.lastFailure = '';
          entry.revision = event.kind === 'bookmark' ? event.revision : event.stored.revision;
          // Events may be late; a bookmark confirms that none is missing.
          if (event.kind === 'bookmark') entry.completeAt = clock.monotonic();
          else notifyListeners(entry, [entry.cache.apply(event)]);
        },
        onFailure(reason) {
          entry.lastFailure = reason;
          metrics.increment(viewFailuresMetric);
          log.event('warn', 'store view disconnected from the store', {
            resource: entry.resource,
            reason,
          });
        },
      },
      stopping.signal,
    );

  return {
    find(key) {
      const entry = followed.get(key.resource);
      if (entry === undefined) {
        return { kind: 'unavailable', reason: `${key.resource} are not cached` };
      }
      if (isStale(entry)) return { kind: 'unavailable', reason: reasonOf(entry) };
      return entry.cache.find(key.namespace, key.name) ?? lookUpLive(key);
    },
    list(resource, namespace) {
      const entry = followed.get(resource);
      return entry === undefined || isStale(entry) ? undefined : entry.cache.list(namespace);
    },
    generation: () => generation,
    onChange(resource, call) {
      const listeners = followed.get(resource)?.listeners;
      // The same function may be registered twice.
      const listener = (change: ObjectChange): void => call(change);
      listeners?.add(listener);
      return () => listeners?.delete(listener);
    },
    readiness,
    age,
    position(key) {
      const entry = followed.get(key.resource);
      if (entry === undefined || entry.revision === '' || entry.lastFailure !== '')
        return undefined;
      return { cacheRevision: entry.revision, revision: entry.cache.revisionOf(key) ?? '' };
    },
    start() {
      work = Promise.all([...followed.values()].map(follow));
      reportPeriodically();
    },
    async stop() {
      stopping.abort();
      await work;
    },
  };
};

const newFollowedResource = (resource: string): FollowedResource => ({
  resource,
  cache: newResourceCache(),
  completeAt: undefined,
  revision: '',
  lastFailure: '',
  listeners: new Set(),
});

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
