import type { Clock } from '../ports/clock.ts';
import type { Controller } from './controller.ts';

export interface SyncOptions {
  readonly name: string;
  readonly clock: Clock;
  /** Subscribes to the changes that start a pass; returns the functions that end it. */
  readonly subscribe?: (onChange: () => void) => readonly (() => void)[];
  /** Changes that arrive within this time are handled together; if absent, a pass starts at once. */
  readonly settleMs?: number;
  /**
   * Runs one pass; returns the milliseconds until the next one, unless a change comes first.
   * Never rejects.
   */
  sync(isStopped: () => boolean): Promise<number>;
}

/**
 * Returns a controller that runs its passes one at a time: at the start, after changes, and when
 * the wait that the last pass returned is over. It is inactive until `start` is called.
 */
export const syncController = (options: SyncOptions): Controller => {
  const { name, clock, subscribe = () => [], settleMs, sync } = options;
  let stopped = false;
  let changed = false;
  let running: Promise<void> | undefined;
  let cancel = (): void => {};
  let subscriptions: readonly (() => void)[] = [];

  const syncAfter = (waitMs: number): void => {
    cancel();
    if (!stopped && waitMs < Number.POSITIVE_INFINITY) cancel = clock.after(waitMs, startSync);
  };
  const syncSoon = (): void => (settleMs === undefined ? startSync() : syncAfter(settleMs));
  const startSync = (): void => {
    if (stopped || running !== undefined) return;
    cancel();
    running = syncOnce().then((waitMs) => {
      running = undefined;
      if (changed) syncSoon();
      else syncAfter(waitMs);
    });
  };
  const syncOnce = async (): Promise<number> => {
    // Changes that arrive together are handled together.
    await Promise.resolve();
    changed = false;
    return stopped ? Number.POSITIVE_INFINITY : sync(() => stopped);
  };
  return {
    name,
    start() {
      subscriptions = subscribe(() => {
        // The first of several changes determines when the pass starts.
        const isFirst = !changed;
        changed = true;
        if (isFirst && running === undefined) syncSoon();
      });
      startSync();
    },
    async stop() {
      stopped = true;
      cancel();
      for (const end of subscriptions) end();
      await running;
    },
  };
};

/** Returns delays that double with each attempt, until `reset` is called. */
export const growingDelay = (minMs: number, maxMs: number) => {
  let delayMs = minMs;
  return {
    next(): number {
      const current = delayMs;
      delayMs = Math.min(delayMs * 2, maxMs);
      return current;
    },
    reset(): void {
      delayMs = minMs;
    },
  };
};
