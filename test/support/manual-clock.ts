/** A clock that the test advances. */
import type { Clock } from '../../engine/src/ports/clock.ts';

export interface ManualClock {
  readonly clock: Clock;
  /** Timers that are due on the way are called, in their order. */
  pass(milliseconds: number): void;
  /** Timers that wait. */
  waiting(): number;
}

export const manualClock = (): ManualClock => {
  let now = 1_000_000;
  const timers = new Map<object, { readonly at: number; readonly call: () => void }>();
  const nextDue = (end: number) =>
    [...timers].filter(([, { at }]) => at <= end).sort((a, b) => a[1].at - b[1].at)[0];
  return {
    clock: {
      now: () => now,
      monotonic: () => now,
      after(milliseconds, call) {
        const key = {};
        timers.set(key, { at: now + milliseconds, call });
        return () => timers.delete(key);
      },
    },
    pass(milliseconds) {
      const end = now + milliseconds;
      for (let due = nextDue(end); due !== undefined; due = nextDue(end)) {
        timers.delete(due[0]);
        now = due[1].at;
        due[1].call();
      }
      now = end;
    },
    waiting: () => timers.size,
  };
};
