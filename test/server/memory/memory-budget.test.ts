/** The division of memory for any limit. */
import { expect, test } from 'vitest';
import { connectionLimits } from '../../../engine/src/server/limits.ts';
import {
  heapFlags,
  heapLimitFor,
  memoryBudget,
} from '../../../engine/src/server/memory/memory-budget.ts';

const mebibyte = 2 ** 20;
const sizes = [128, 192, 256, 384, 512, 1024, 2048, 4096, 16_384, 262_144];

test.each(sizes)('%i MiB: the holdings of clients fit into memory', (megabytes) => {
  const memory = megabytes * mebibyte;
  const budget = memoryBudget(memory);
  const onHeap =
    budget.headerBytes +
    3 * budget.cacheBytes +
    budget.pendingTokenBytes +
    budget.snapshotBytes +
    2 * budget.logCharacters;
  expect(onHeap).toBeLessThan(budget.heapBytes);
  const offHeap = budget.connectionBytes + budget.bodyBytes + budget.responseBytes;
  expect(offHeap).toBeLessThan(memory - budget.heapBytes);
  expect(budget.heapBytes).toBeLessThan(memory);
  expect(Object.values(budget).every((amount) => Number.isFinite(amount) && amount > 0)).toBe(true);
});

test('has no smaller limits for more memory, and constant limits on a large machine', () => {
  const budgets = sizes.map((megabytes) => memoryBudget(megabytes * mebibyte));
  for (const [index, budget] of budgets.entries()) {
    const before = budgets[index - 1];
    if (before === undefined) continue;
    expect(budget.connections).toBeGreaterThanOrEqual(before.connections);
    expect(budget.headerBytes).toBeGreaterThanOrEqual(before.headerBytes);
    expect(budget.bodyBytes).toBeGreaterThanOrEqual(before.bodyBytes);
    expect(budget.responseBytes).toBeGreaterThanOrEqual(before.responseBytes);
  }
  expect(budgets.at(-2)?.connections).toBe(connectionLimits.connections);
});

test.each([0, 1, 16 * mebibyte, 64 * mebibyte])('supports a memory limit of %i bytes', (memory) => {
  const budget = memoryBudget(memory, 64 * mebibyte);
  expect(Object.values(budget).every((amount) => Number.isFinite(amount) && amount >= 0)).toBe(
    true,
  );
  expect(budget.connections).toBeGreaterThan(0);
});

test("includes the young generation in V8's heap limit", () => {
  const heap = heapLimitFor(256 * mebibyte) / mebibyte;
  expect(heapFlags(256 * mebibyte)).toEqual([
    `--max-old-space-size=${heap - 12}`,
    '--max-semi-space-size=4',
    '--expose-gc',
    '--disable-sigusr1',
  ]);
});
