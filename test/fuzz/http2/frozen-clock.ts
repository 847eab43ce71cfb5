/**
 * Runs with stopped clocks and timers that never fire, so that the result depends only on the
 * input, however busy the machine is.
 */
export const withFrozenClock = async <T>(run: () => Promise<T>): Promise<T> => {
  const { setTimeout: startTimer } = globalThis;
  const { now: wallClock } = Date;
  const steadyClock = performance.now;
  const moment = performance.now();
  Date.now = () => 1_700_000_000_000;
  performance.now = () => moment;
  Object.assign(globalThis, { setTimeout: () => stoppedTimer });
  try {
    return await run();
  } finally {
    Date.now = wallClock;
    performance.now = steadyClock;
    Object.assign(globalThis, { setTimeout: startTimer });
  }
};

const stoppedTimer = { unref: () => stoppedTimer };
