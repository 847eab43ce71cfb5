/**
 * The local view: requests read it and never wait for the store. Each resource has a copy of its own
 * with an age: the time since the store last said that the copy is complete. Past the bound nobody
 * knows anything, and what depends on it is refused.
 */
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { Metrics } from '../../ports/metrics.ts';
import type { Lookup, ObjectChange, ObjectView } from '../../ports/object-view.ts';
import type { Randomness } from '../../ports/randomness.ts';
import type { ObjectKey, Store, StoreEvent } from '../../ports/store.ts';
import { followResource } from './follow-resource.ts';
import { maxLiveLookups } from './limits.ts';
import { pathOf } from './object-path.ts';
import { emptyCopy, type ResourceCopy } from './resource-copy.ts';

export interface StoreViewOptions {
  readonly store: Store;
  /** Only these are followed: `secrets`. */
  readonly resources: readonly string[];
  readonly maxStalenessMs: number;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly log: Log;
  readonly metrics: Metrics;
}

export interface StoreView extends ObjectView {
  start(): void;
  /** Settles when nothing of it is under way any more. */
  stop(): Promise<void>;
  /** Of the oldest copy, in milliseconds; infinite before all copies are complete. */
  age(): number;
  /**
   * How far the copy has come, and the revision of the object in it, `''` where it has none;
   * `undefined` where the view is cut off from the store just now.
   */
  standing(key: ObjectKey): { readonly upTo: string; readonly revision: string } | undefined;
}

/** Gauge of the catalogue, in seconds. */
const viewAgeMetric = 'authgraph_store_view_age_seconds';
/** Counter of the catalogue: failed lists and watches. */
const viewFailuresMetric = 'authgraph_store_failures_total';

interface Followed {
  readonly resource: string;
  readonly copy: ResourceCopy;
  /** By the monotonic clock; `undefined` before the first list. */
  completeAt: number | undefined;
  /** The revision of the last list, event or bookmark; empty before the first. */
  upTo: string;
  lastFailure: string;
  readonly listeners: Set<(change: ObjectChange) => void>;
}

/** Empty and not ready until it is started and has all copies. */
export const storeView = (options: StoreViewOptions): StoreView => {
  const { store, clock, log, metrics, maxStalenessMs } = options;
  const followed = new Map<string, Followed>(
    options.resources.map((resource) => [resource, newFollowed(resource)]),
  );
  const stopping = new AbortController();
  const askLive = liveLookups(store, clock);
  let generation = 0;
  let work: Promise<unknown> = Promise.resolve();
  let wasReady = false;

  const ageOf = ({ completeAt }: Followed): number =>
    completeAt === undefined ? Number.POSITIVE_INFINITY : clock.monotonic() - completeAt;
  const isStale = (one: Followed): boolean => ageOf(one) > maxStalenessMs;
  const reasonOf = (one: Followed): string => {
    const since = one.lastFailure === '' ? '' : `: ${one.lastFailure}`;
    if (one.completeAt === undefined) return `${one.resource} are not loaded yet${since}`;
    const seconds = Math.floor(ageOf(one) / 1000);
    return `what is known of ${one.resource} is ${seconds} s old, at most ${maxStalenessMs / 1000} s are allowed${since}`;
  };
  const age = (): number => Math.max(0, ...[...followed.values()].map(ageOf));
  /** Asked for each request, so all ages are taken from one look at the clock. */
  const readiness = () => {
    const now = clock.monotonic();
    for (const one of followed.values()) {
      if (one.completeAt === undefined || now - one.completeAt > maxStalenessMs) {
        return { ready: false, reason: reasonOf(one) };
      }
    }
    return { ready: true, reason: '' };
  };

  const tell = (one: Followed, changes: readonly ObjectChange[]): void => {
    generation += changes.length;
    for (const change of changes) {
      for (const call of [...one.listeners]) {
        try {
          call(change);
        } catch (cause) {
          const error = cause instanceof Error ? cause.message : 'unknown';
          log.event('error', 'listener of the store view failed', {
            resource: one.resource,
            error,
          });
        }
      }
    }
  };
  const tellState = (): void => {
    const { ready, reason } = readiness();
    if (ready !== wasReady) {
      if (ready) log.event('info', 'store view is ready', { resources: followed.size });
      else log.event('error', 'store view is too old', { reason });
    }
    wasReady = ready;
    if (Number.isFinite(age())) metrics.set(viewAgeMetric, age() / 1000);
  };
  const keepTelling = (): void => {
    if (stopping.signal.aborted) return;
    tellState();
    clock.after(1_000, keepTelling);
  };

  const follow = (one: Followed): Promise<void> =>
    followResource(
      {
        ...options,
        resource: one.resource,
        onList(list, askedAt) {
          const changes = one.copy.replace(list);
          one.completeAt = askedAt;
          one.upTo = list.revision;
          one.lastFailure = '';
          tell(one, changes);
          tellState();
        },
        onEvent(event: StoreEvent) {
          one.lastFailure = '';
          one.upTo = event.kind === 'bookmark' ? event.revision : event.stored.revision;
          // An event may be one of many that are late; a bookmark says that none is missing.
          if (event.kind === 'bookmark') one.completeAt = clock.monotonic();
          else tell(one, [one.copy.apply(event)]);
        },
        onFailure(reason) {
          one.lastFailure = reason;
          metrics.increment(viewFailuresMetric);
          log.event('warn', 'store view lost the store', { resource: one.resource, reason });
        },
      },
      stopping.signal,
    );

  return {
    find(key) {
      const one = followed.get(key.resource);
      if (one === undefined) {
        return { kind: 'unavailable', reason: `${key.resource} are not followed` };
      }
      if (isStale(one)) return { kind: 'unavailable', reason: reasonOf(one) };
      return one.copy.find(key.namespace, key.name) ?? askLive(key);
    },
    list(resource, namespace) {
      const one = followed.get(resource);
      return one === undefined || isStale(one) ? undefined : one.copy.list(namespace);
    },
    generation: () => generation,
    onChange(resource, call) {
      const listeners = followed.get(resource)?.listeners;
      // Two listeners may be one function.
      const listener = (change: ObjectChange): void => call(change);
      listeners?.add(listener);
      return () => listeners?.delete(listener);
    },
    readiness,
    age,
    standing(key) {
      const one = followed.get(key.resource);
      if (one === undefined || one.upTo === '' || one.lastFailure !== '') return undefined;
      return { upTo: one.upTo, revision: one.copy.revisionOf(key) ?? '' };
    },
    start() {
      work = Promise.all([...followed.values()].map(follow));
      keepTelling();
    },
    async stop() {
      stopping.abort();
      await work;
    },
  };
};

const newFollowed = (resource: string): Followed => ({
  resource,
  copy: emptyCopy(),
  completeAt: undefined,
  upTo: '',
  lastFailure: '',
  listeners: new Set(),
});

/**
 * The store's own word about an object that the copy lacks: it may be younger than the copy. So many
 * a second, since strangers can ask for names that do not exist; the copy's word counts beyond that.
 */
const liveLookups = (
  store: Store,
  clock: Clock,
): ((key: ObjectKey) => Lookup | Promise<Lookup>) => {
  const asked = new Map<string, Promise<Lookup>>();
  let left = maxLiveLookups;
  let countedAt = clock.monotonic();
  const mayAsk = (): boolean => {
    const now = clock.monotonic();
    left = Math.min(maxLiveLookups, left + ((now - countedAt) * maxLiveLookups) / 1000);
    countedAt = now;
    if (left < 1) return false;
    left -= 1;
    return true;
  };
  return (key) => {
    const path = `${key.resource}/${pathOf(key)}`;
    const waiting = asked.get(path);
    if (waiting !== undefined) return waiting;
    if (!mayAsk()) return { kind: 'missing' };
    const answer = lookUp(store, key).finally(() => asked.delete(path));
    asked.set(path, answer);
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
