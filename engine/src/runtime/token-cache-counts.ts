/** The metrics of the token cache, with kube-apiserver's names. */
import type { Clock } from '../ports/clock.ts';
import type { Metrics } from '../ports/metrics.ts';

export interface CacheCounts {
  /** Returns the start time for `missed`; 0 if metrics are disabled. */
  now(): number;
  hit(): void;
  /** Records a request that was not in the cache. */
  missed(answer: object, started: number): void;
  /** Records that a check has to wait; call the result when the check ends. */
  fetching(): () => void;
  fetched(status: 'ok' | 'error'): void;
}

export const cacheCounts = (metrics: Metrics, clock: Clock): CacheCounts =>
  metrics.disabled ? noCounts : counting(metrics, clock);

const ignore = (): void => {};

const noCounts: CacheCounts = {
  now: () => 0,
  hit: ignore,
  missed: ignore,
  fetching: () => ignore,
  fetched: ignore,
};

const counting = (metrics: Metrics, clock: Clock): CacheCounts => {
  const inFlight = gauge(metrics, { status: 'in_flight' });
  const blocked = gauge(metrics, { status: 'blocked' });
  const countMiss = (started: number): void => {
    metrics.increment(requests, miss);
    // kube-apiserver truncates to milliseconds.
    metrics.observe(durations, Math.floor(clock.monotonic() - started) / 1000, miss);
  };
  return {
    now: () => clock.monotonic(),
    hit() {
      metrics.increment(requests, hit);
      // A lookup takes less than a millisecond, so the clock is not read.
      metrics.observe(durations, 0, hit);
    },
    missed(answer, started) {
      if (!(answer instanceof Promise)) {
        blocked.tell();
        inFlight.tell();
        countMiss(started);
        return;
      }
      blocked.add(1);
      answer.then(() => {
        blocked.add(-1);
        countMiss(started);
      }, ignore);
    },
    fetching() {
      inFlight.add(1);
      return () => inFlight.add(-1);
    },
    fetched: (status) => metrics.increment(fetches, status === 'ok' ? succeeded : failed),
  };
};

/** Creates a gauge that is set when its value changes, and once initially. */
const gauge = (metrics: Metrics, labels: { readonly status: string }) => {
  let value = 0;
  let reported = -1;
  const report = (): void => {
    if (reported === value) return;
    reported = value;
    metrics.set(active, value, labels);
  };
  return {
    tell: report,
    add(change: number): void {
      value += change;
      report();
    },
  };
};

const requests = 'authentication_token_cache_request_total';
const durations = 'authentication_token_cache_request_duration_seconds';
const fetches = 'authentication_token_cache_fetch_total';
const active = 'authentication_token_cache_active_fetch_count';
const succeeded = { status: 'ok' };
const failed = { status: 'error' };
const hit = { status: 'hit' };
const miss = { status: 'miss' };
