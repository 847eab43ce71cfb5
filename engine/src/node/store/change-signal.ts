/** Tells those who wait that something happened; nobody misses a ring between looking and waiting. */
import type { Clock } from '../../ports/clock.ts';

export interface ChangeSignal {
  /** How often it rang. */
  count(): number;
  notify(): void;
  /** Settles when it rang more often than that, after the wait, or with the signal. */
  wait(seen: number, waitMs: number, signal: AbortSignal): Promise<void>;
}

/** A bell that has not rung. */
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
