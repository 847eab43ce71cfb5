/**
 * Processor time of a piece of work. That of the thread, where Node tells it: other test files run in
 * other threads of the process. The least of three runs, since a busy machine slows single ones.
 */

const usage = (): NodeJS.CpuUsage => process.threadCpuUsage?.() ?? process.cpuUsage();

const millisecondsOf = (work: () => void): number => {
  const before = usage();
  work();
  const after = usage();
  return (after.user + after.system - before.user - before.system) / 1000;
};

/** Milliseconds; a run below `enough` is not repeated. */
export const processorMs = (work: () => void, enough: number): number => {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 3 && least >= enough; run += 1) {
    least = Math.min(least, millisecondsOf(work));
  }
  return least;
};
