/** One resource of the store view: its cache, the age of the cache, and the listeners. */
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { Metrics } from '../../ports/metrics.ts';
import type { ObjectChange } from '../../ports/object-view.ts';
import type { Randomness } from '../../ports/randomness.ts';
import type { ObjectKey, ObjectList, Store, StoreEvent } from '../../ports/store.ts';
import { listAndWatch } from './list-and-watch.ts';
import { newResourceCache } from './resource-cache.ts';

export interface FollowOptions {
  readonly store: Store;
  readonly maxStalenessMs: number;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly log: Log;
  readonly metrics: Metrics;
}

export type ChangeListener = (change: ObjectChange) => void;

/** Counter of the catalog: failed lists and watches. */
const viewFailuresMetric = 'authgraph_store_failures_total';

export class FollowedResource {
  readonly cache = newResourceCache();
  readonly listeners = new Set<ChangeListener>();
  readonly #resource: string;
  readonly #options: FollowOptions;
  /** Monotonic time; `undefined` before the first list. */
  #completeAt: number | undefined;
  /** Revision of the last list, event or bookmark; empty before the first. */
  #revision = '';
  #lastFailure = '';

  constructor(resource: string, options: FollowOptions) {
    this.#resource = resource;
    this.#options = options;
  }

  /** Returns the age of the cache in milliseconds; infinite before the first list. */
  age(now: number): number {
    return now - (this.#completeAt ?? Number.NEGATIVE_INFINITY);
  }

  /** Returns why the cache must not be used; `undefined` if it may be used. */
  problem(now: number): string | undefined {
    const { maxStalenessMs } = this.#options;
    const age = this.age(now);
    if (age <= maxStalenessMs) return undefined;
    const since = this.#lastFailure === '' ? '' : `: ${this.#lastFailure}`;
    return this.#completeAt === undefined
      ? `${this.#resource} are not loaded yet${since}`
      : `the cache of ${this.#resource} is ${Math.floor(age / 1000)} s old, more than the maximum of ${maxStalenessMs / 1000} s${since}`;
  }

  /** Returns what the cache has reached; `undefined` while it is disconnected from the store. */
  position(key: ObjectKey): { cacheRevision: string; revision: string } | undefined {
    if (this.#revision === '' || this.#lastFailure !== '') return undefined;
    return { cacheRevision: this.#revision, revision: this.cache.revisionOf(key) ?? '' };
  }

  /** Fills the cache and updates it until the signal is aborted. */
  follow(signal: AbortSignal, onListed: () => void): Promise<void> {
    const { metrics, log } = this.#options;
    const resource = this.#resource;
    return listAndWatch(
      {
        ...this.#options,
        resource,
        onList: (list, requestedAt) => {
          this.#replace(list, requestedAt);
          onListed();
        },
        onEvent: (event) => this.#apply(event),
        onFailure: (reason) => {
          this.#lastFailure = reason;
          metrics.increment(viewFailuresMetric);
          log.event('warn', 'store view disconnected from the store', { resource, reason });
        },
      },
      signal,
    );
  }

  #replace(list: ObjectList, requestedAt: number): void {
    const changes = this.cache.replace(list);
    this.#completeAt = requestedAt;
    this.#revision = list.revision;
    this.#lastFailure = '';
    this.#notify(changes);
  }

  #apply(event: StoreEvent): void {
    this.#lastFailure = '';
    this.#revision = event.kind === 'bookmark' ? event.revision : event.stored.revision;
    // Events may be late; a bookmark confirms that none is missing.
    if (event.kind === 'bookmark') this.#completeAt = this.#options.clock.monotonic();
    else this.#notify([this.cache.apply(event)]);
  }

  #notify(changes: readonly ObjectChange[]): void {
    for (const change of changes) {
      for (const call of [...this.listeners]) {
        try {
          call(change);
        } catch (cause) {
          const error = cause instanceof Error ? cause.message : 'unknown';
          this.#options.log.event('error', 'listener of the store view failed', {
            resource: this.#resource,
            error,
          });
        }
      }
    }
  }
}
