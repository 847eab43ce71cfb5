/** Validates the number of worker processes. */
import type { FlagProblem } from '../../flags/flag.ts';
import { maxWorkers, mostWorkers } from '../workers/divide-limits.ts';
import { workersInMemory } from '../workers/worker-memory.ts';
import type { ServeOptions } from './serve-options.ts';

/** Returns why `--workers` cannot be used; limits and memory are divided among the workers. */
export const workerProblems = (text: string, options: ServeOptions): readonly FlagProblem[] => {
  const { workers } = options;
  if (workers < 1 || workers > maxWorkers)
    return [
      {
        message: `invalid argument ${JSON.stringify(text)} for "--workers" flag: must be auto, or a number from 1 to ${maxWorkers}`,
        help: 'auto starts one worker for each processor.',
      },
    ];
  if (workers === 1) return [];
  const limit = mostWorkers(options);
  const inMemory = workersInMemory();
  return [
    ...(workers > limit
      ? [
          {
            message: `--workers=${workers} exceeds --max-requests-inflight or --max-mutating-requests-inflight, which are divided among the workers`,
            help: `Use --workers=${Math.max(limit, 1)}, or raise these limits.`,
          },
        ]
      : []),
    ...(workers > inMemory
      ? [
          {
            message: `--workers=${workers} needs more memory than the memory limit of the process allows`,
            help:
              inMemory > 1
                ? `Use --workers=${inMemory}, or raise the memory limit.`
                : 'Use --workers=1, or raise the memory limit: each of the workers and the process that starts them needs 160 MiB.',
          },
        ]
      : []),
  ];
};
