/** What the token cache counts and times, under the real server's names; nothing where nobody looks. */
import type { Clock } from '../ports/clock.ts';
import type { Metrics } from '../ports/metrics.ts';

export interface CacheCounts {
  /** For `missed`; 0 where nothing is timed. */
  now(): number;
  hit(): void;
  /** A request that waits for a check, or had one made. */
  missed(answer: object, started: number): void;
  /** A check that has to be waited for begins; call the result when it ends. */
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
    // The real server cuts to whole milliseconds.
    metrics.observe(durations, Math.floor(clock.monotonic() - started) / 1000, miss);
  };
  return {
    now: () => clock.monotonic(),
    hit() {
      metrics.increment(requests, hit);
      // A look-up takes no whole millisecond: the clock need not be asked.
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

/** Told only when it changes, and once before. */
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
