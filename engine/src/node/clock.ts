/** The clock port, implemented with Node. */
import type { Clock } from '../ports/clock.ts';

/** Longest delay that a Node timer supports; a longer one would fire at once. */
const maxWaitMs = 2 ** 31 - 1;

/** Returns a wall clock, a monotonic clock and timers that do not keep the process alive. */
export const nodeClock = (): Clock => ({
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(milliseconds, call) {
    const timer = setTimeout(call, Math.min(Math.max(milliseconds, 0), maxWaitMs));
    timer.unref();
    return () => clearTimeout(timer);
  },
});
