/** Limits and memory that hold for all workers together. */
import { expect, test } from 'vitest';
import { readServeOptions } from '../../../engine/src/server/flags/options.ts';
import { divideLimits, partOf } from '../../../engine/src/server/workers/divide-limits.ts';
import {
  memoryOfProcess,
  workersInMemory,
} from '../../../engine/src/server/workers/worker-memory.ts';

const mebibyte = 1024 * 1024;
const problemsOf = (...flags: readonly string[]) => {
  const reading = readServeOptions(['--anonymous-auth=true', ...flags]);
  return reading.kind === 'problems'
    ? reading.problems.map(({ message, help }) => `${message} ${help}`)
    : [];
};

test.each([
  [400, 3],
  [7, 7],
  [10, 4],
  [0, 2],
])('the parts of %i for %i workers add up to it', (limit, workers) => {
  const parts = Array.from({ length: workers }, (_, place) =>
    partOf(limit, { worker: place + 1, workers }),
  );
  expect(parts.reduce((sum, part) => sum + part, 0)).toBe(limit);
  expect(Math.max(...parts) - Math.min(...parts)).toBeLessThanOrEqual(1);
});

test('options are divided, and a server of one process is unchanged', () => {
  const reading = readServeOptions(['--anonymous-auth=true', '--workers=3']);
  if (reading.kind !== 'options') throw new Error('no options');
  const { options } = reading;
  expect(divideLimits(options, { worker: 1, workers: 1 })).toEqual(options);
  expect(divideLimits(options, { worker: 1, workers: 3 })).toMatchObject({
    maxRequestsInFlight: 134,
    maxMutatingRequestsInFlight: 67,
  });
});

test.each(['0', '65', '-1', 'many', '1.5', ''])('--workers=%s is refused', (value) => {
  expect(problemsOf(`--workers=${value}`)).toEqual([
    `invalid argument "${value}" for "--workers" flag: must be auto, or a number from 1 to 64 auto starts one worker for each processor.`,
  ]);
});

test('a limit that cannot be divided is refused, with the number of workers that works', () => {
  expect(
    problemsOf('--workers=4', '--max-requests-inflight=2', '--max-mutating-requests-inflight=1'),
  ).toEqual([expect.stringContaining('Use --workers=2, or raise these limits.')]);
  expect(
    problemsOf(
      ...['--workers=2', '--enable-priority-and-fairness=false'],
      ...['--max-requests-inflight=0', '--max-mutating-requests-inflight=0'],
    ),
  ).toEqual([]);
});

test('auto never exceeds a limit', () => {
  const reading = readServeOptions([
    ...['--anonymous-auth=true', '--workers=auto'],
    ...['--max-requests-inflight=1', '--max-mutating-requests-inflight=1'],
  ]);
  expect(reading).toMatchObject({ kind: 'options', options: { workers: 1 } });
});

test('memory is divided among the workers and the process that starts them', () => {
  expect(memoryOfProcess(1, 512 * mebibyte)).toBe(512 * mebibyte);
  expect(memoryOfProcess(3, 1024 * mebibyte)).toBe(256 * mebibyte);
  expect(workersInMemory(128 * mebibyte)).toBe(1);
  expect(workersInMemory(512 * mebibyte)).toBe(2);
  expect(workersInMemory(4096 * mebibyte)).toBe(24);
});
