/** Decides how many threads run the test files that are left; loaded by every run, unlike the threads themselves. */
import { availableParallelism } from 'node:os';
import type { RunProgress } from './run-tests.ts';

export interface ThreadLimits {
  /** The value of `--parallel`; 0 for one thread per processor where threads are faster. */
  readonly parallel: number;
  readonly maxThreads: number;
  /** The processors of the machine if absent. */
  readonly processors?: number;
}

/** Returns the number of threads; 0 if this thread runs the next file. */
export const usefulThreads = (
  progress: RunProgress,
  { parallel, maxThreads, processors = availableParallelism() }: ThreadLimits,
): number => {
  const wanted = parallel === 0 ? processors : parallel;
  const threads = Math.min(wanted, maxThreads, progress.left);
  return threads < 2 || (parallel === 0 && !areFaster(threads, progress)) ? 0 : threads;
};

/** Compares the time that threads save for the files left with the time that they take to start. */
const areFaster = (threads: number, { done, left, elapsedMs }: RunProgress): boolean =>
  elapsedMs > measuredMs && (elapsedMs / done) * left * (1 - 1 / threads) > startMs;

/** The first files show how long the others take. */
const measuredMs = 250;

/** A thread compiles code again that this one has compiled: two threads are faster if 5 s are left. */
const startMs = 2500;
