/**
 * Notifies waiters of changes. A change between reading and waiting is not missed, because a waiter
 * passes the count that it has seen.
 */
import type { Clock } from '../../ports/clock.ts';

export interface ChangeSignal {
  /** Returns how often `notify` was called. */
  count(): number;
  notify(): void;
  /** Settles when the count exceeds `seen`, after the wait, or when the signal aborts. */
  wait(seen: number, waitMs: number, signal: AbortSignal): Promise<void>;
}

/** Returns a signal with a count of zero. */
export const newChangeSignal = (clock: Clock): ChangeSignal => {
  let count = 0;
  const waiting = new Set<() => void>();
  return {
    count: () => count,
    notify() {
      count += 1;
      for (const wake of [...waiting]) wake();
    },
    wait: (seen, waitMs, signal) =>
      new Promise((resolve) => {
        if (count > seen || signal.aborted) return resolve();
        const wake = (): void => {
          waiting.delete(wake);
          cancel();
          signal.removeEventListener('abort', wake);
          resolve();
        };
        const cancel = clock.after(waitMs, wake);
        waiting.add(wake);
        signal.addEventListener('abort', wake);
      }),
  };
};
