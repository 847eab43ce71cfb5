/** Decides how many threads run the test files that are left; loaded by every run, unlike the threads themselves. */
import { availableParallelism } from 'node:os';
import type { RunProgress } from './run-tests.ts';

export interface ThreadLimits {
  /** The value of `--parallel`; 0 for one thread per processor where threads are faster. */
  readonly parallel: number;
  readonly maxThreads: number;
}

/** Returns the number of threads; 0 if this thread runs the next file. */
export const usefulThreads = (
  progress: RunProgress,
  { parallel, maxThreads }: ThreadLimits,
): number => {
  if (progress.left < 2 || (parallel === 0 && !areFaster(progress))) return 0;
  const wanted = parallel === 0 ? availableParallelism() : parallel;
  const threads = Math.min(wanted, maxThreads, progress.left);
  return threads < 2 ? 0 : threads;
};

/** Compares the time that the files left will take on this thread with the time that other threads take to start. */
const areFaster = ({ done, left, elapsedMs }: RunProgress): boolean =>
  elapsedMs > measuredMs && (elapsedMs / done) * left > startMs;

/** The first files show how long the others take. */
const measuredMs = 250;

/** A thread compiles code again that this one has compiled; two of them are faster only after that. */
const startMs = 5000;
