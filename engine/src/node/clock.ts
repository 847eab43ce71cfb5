/** The machine's clocks. */
import type { Clock } from '../ports/clock.ts';

/** Longest wait that a timer of Node takes; a longer one would fire at once. */
const maxWaitMs = 2 ** 31 - 1;

/** Wall clock, monotonic clock and timers that do not keep the process alive. */
export const nodeClock = (): Clock => ({
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(milliseconds, call) {
    const timer = setTimeout(call, Math.min(Math.max(milliseconds, 0), maxWaitMs));
    timer.unref();
    return () => clearTimeout(timer);
  },
});
