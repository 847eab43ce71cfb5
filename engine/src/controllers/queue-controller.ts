/**
 * A controller that handles objects by name: those that changed, and periodically all of them. A
 * change costs the work for its own object only, like in the work queues of client-go.
 */
import type { Clock } from '../ports/clock.ts';
import type { Controller } from './controller.ts';
import { syncController } from './sync-controller.ts';

export interface QueueOptions {
  readonly name: string;
  readonly clock: Clock;
  /** Changes that arrive within this time are handled together. */
  readonly settleMs?: number;
  /** Time between two passes over all objects. */
  readonly resyncMs: number;
  /** Delay after a failure, and while the objects cannot be listed. */
  readonly retryMs: number;
  /** Subscribes to changes; returns the functions that end it. */
  subscribe(enqueue: (name: string) => void): readonly (() => void)[];
  /** Returns the names of all objects that may need work; `undefined` while they are unknown. */
  list(): readonly string[] | undefined;
  /** Returns `false` if the object must be handled again after the delay. Never rejects. */
  handle(name: string): Promise<boolean>;
}

/** Returns a controller that is inactive until `start` is called. */
export const queueController = (options: QueueOptions): Controller => {
  const { clock, resyncMs, retryMs, list, handle } = options;
  const waiting = new Set<string>();
  /** Monotonic time of the next pass over all objects. */
  let allDueAt = Number.NEGATIVE_INFINITY;
  return syncController({
    ...options,
    subscribe: (onChange) =>
      options.subscribe((name) => {
        waiting.add(name);
        onChange();
      }),
    async sync(isStopped) {
      const startedAt = clock.monotonic();
      if (startedAt >= allDueAt) {
        const all = list();
        if (all === undefined) return retryMs;
        for (const name of all) waiting.add(name);
        allDueAt = startedAt + resyncMs;
      }
      const names = [...waiting];
      waiting.clear();
      for (const name of names) {
        if (isStopped()) break;
        if (!(await handle(name))) waiting.add(name);
      }
      return waiting.size === 0 ? resyncMs : retryMs;
    },
  });
};
