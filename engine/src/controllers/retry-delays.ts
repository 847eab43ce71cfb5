/**
 * Delays between the attempts to handle objects that a controller failed to handle. The delay of an
 * object doubles with each failure, and after the last attempt the object waits until it changes.
 * This corresponds to the rate-limited queue of client-go with a maximum number of retries.
 */
import type { Clock } from '../ports/clock.ts';

export interface RetryDelays {
  /** Returns the monotonic time of the next attempt; `undefined` if this version has not failed. */
  dueAt(key: string, version: string): number | undefined;
  /**
   * Records a failure and returns the delay before the next attempt, `Infinity` after the last one.
   */
  fail(key: string, version: string): number;
  /** Records a failure that another attempt with this version would repeat. */
  giveUp(key: string, version: string): void;
  succeed(key: string): void;
  /** Forgets the objects that no longer exist. */
  retainOnly(keys: ReadonlySet<string>): void;
  /**
   * Returns the monotonic time at which the next attempt for any object is due, `Infinity` if none
   * is.
   */
  nextAt(): number;
}

export interface RetryDelaysOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly firstDelayMs: number;
  readonly maxTries: number;
}

interface Failure {
  readonly version: string;
  readonly tries: number;
  readonly dueAt: number;
}

export const retryDelays = ({ clock, firstDelayMs, maxTries }: RetryDelaysOptions): RetryDelays => {
  const failures = new Map<string, Failure>();
  return {
    dueAt(key, version) {
      const failure = failures.get(key);
      return failure?.version === version ? failure.dueAt : undefined;
    },
    fail(key, version) {
      const last = failures.get(key);
      const tries = last?.version === version ? last.tries + 1 : 1;
      const delayMs =
        tries >= maxTries ? Number.POSITIVE_INFINITY : firstDelayMs * 2 ** (tries - 1);
      failures.set(key, { version, tries, dueAt: clock.monotonic() + delayMs });
      return delayMs;
    },
    giveUp(key, version) {
      failures.set(key, { version, tries: maxTries, dueAt: Number.POSITIVE_INFINITY });
    },
    succeed(key) {
      failures.delete(key);
    },
    retainOnly(keys) {
      for (const key of failures.keys()) if (!keys.has(key)) failures.delete(key);
    },
    nextAt() {
      let next = Number.POSITIVE_INFINITY;
      for (const { dueAt } of failures.values()) next = Math.min(next, dueAt);
      return next;
    },
  };
};
