/**
 * Processor time of a piece of work. It is that of the thread where Linux or Node reports it, since other test files
 * run in other threads of the process; elsewhere it is at most the elapsed time. The least of several runs counts,
 * because a busy machine slows single ones.
 */
import { existsSync, readFileSync } from 'node:fs';

/** Nanoseconds that this thread ran come first. Node 22 does not report them. */
const threadTimes = '/proc/thread-self/schedstat';
const hasThreadTimes = existsSync(threadTimes);

/** Milliseconds of processor time until now. */
const usage = (): number => {
  if (hasThreadTimes) return Number.parseInt(readFileSync(threadTimes, 'latin1'), 10) / 1e6;
  const { user, system } = process.threadCpuUsage?.() ?? process.cpuUsage();
  return (user + system) / 1000;
};

const start = (): (() => number) => {
  const started = performance.now();
  const before = usage();
  return () => Math.min(usage() - before, performance.now() - started);
};

/** Milliseconds; a run below `enough` is not repeated. */
export const processorMs = (work: () => void, enough: number): number => {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 10 && least >= enough; run += 1) {
    const milliseconds = start();
    work();
    least = Math.min(least, milliseconds());
  }
  return least;
};

interface Repetition {
  readonly runs: number;
  /** A run below this time is not repeated. */
  readonly enough: number;
  /** A run above this time is not repeated either. */
  readonly longest?: number;
}

/** Milliseconds of work that may return a promise. */
export const processorMsOf = async (
  work: () => unknown,
  { runs, enough, longest = Number.POSITIVE_INFINITY }: Repetition,
): Promise<number> => {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs && least >= enough; run += 1) {
    const milliseconds = start();
    const result = work();
    if (result instanceof Promise) await result;
    const took = milliseconds();
    least = Math.min(least, took);
    if (took > longest) break;
  }
  return least;
};
