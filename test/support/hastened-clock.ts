/** A clock that runs `times` as fast, so that periodic work happens soon. */
import { nodeClock } from '../../engine/src/node/clock.ts';
import type { Clock } from '../../engine/src/ports/clock.ts';

export const hastenedClock = (times = 20): Clock => {
  const clock = nodeClock();
  const start = { now: clock.now(), monotonic: clock.monotonic() };
  return {
    now: () => start.now + (clock.now() - start.now) * times,
    monotonic: () => start.monotonic + (clock.monotonic() - start.monotonic) * times,
    after: (milliseconds, call) => clock.after(milliseconds / times, call),
  };
};
