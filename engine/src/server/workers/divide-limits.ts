/**
 * Divides the limits of a server among its workers, so that they hold for all of them together.
 * Each worker gets a fixed part; the parts add up to the limit.
 */
import type { ServeOptions } from '../flags/serve-options.ts';

export interface WorkerPlace {
  /** The number of the worker, from 1. */
  readonly worker: number;
  readonly workers: number;
}

/** The place of a server of one process. */
export const onlyProcess: WorkerPlace = { worker: 1, workers: 1 };

/** Returns the part of a limit; 0 means that there is no limit. */
export const partOf = (limit: number, { worker, workers }: WorkerPlace): number =>
  Math.floor(limit / workers) + (worker <= limit % workers ? 1 : 0);

/** Returns the options of one worker. */
export const divideLimits = (options: ServeOptions, place: WorkerPlace): ServeOptions => ({
  ...options,
  maxRequestsInFlight: partOf(options.maxRequestsInFlight, place),
  maxMutatingRequestsInFlight: partOf(options.maxMutatingRequestsInFlight, place),
});

/** Returns the smallest limit, which has to be at least the number of workers. */
export const mostWorkers = ({
  maxRequestsInFlight: readOnly,
  maxMutatingRequestsInFlight: mutating,
  priorityAndFairness,
}: Pick<
  ServeOptions,
  'maxRequestsInFlight' | 'maxMutatingRequestsInFlight' | 'priorityAndFairness'
>): number => {
  // With priority and fairness both limits are added; the sum of two parts is at least 1 if one is.
  const limits = priorityAndFairness
    ? [Math.max(readOnly, mutating)]
    : [readOnly, mutating].filter((limit) => limit > 0);
  return Math.min(...limits, maxWorkers);
};

/** The most workers of a server. */
export const maxWorkers = 64;
