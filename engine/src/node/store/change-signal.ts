/** Tells those who wait that something happened; nobody misses a ring between looking and waiting. */
import type { Clock } from '../../ports/clock.ts';

export interface Bell {
  /** How often it rang. */
  rings(): number;
  ring(): void;
  /** Settles when it rang more often than that, after the wait, or with the signal. */
  next(heard: number, waitMs: number, signal: AbortSignal): Promise<void>;
}

/** A bell that has not rung. */
export const newBell = (clock: Clock): Bell => {
  let rings = 0;
  const waiting = new Set<() => void>();
  return {
    rings: () => rings,
    ring() {
      rings += 1;
      for (const wake of [...waiting]) wake();
    },
    next: (heard, waitMs, signal) =>
      new Promise((resolve) => {
        if (rings > heard || signal.aborted) return resolve();
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
