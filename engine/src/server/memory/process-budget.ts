/** The memory budget of this process. */
import { getHeapStatistics } from 'node:v8';
import { readMemoryLimit } from '../../node/memory-limit.ts';
import { type MemoryBudget, memoryBudget } from './memory-budget.ts';

/** Reads the current limits of memory and heap. */
export const processBudget = (): MemoryBudget =>
  memoryBudget(readMemoryLimit().bytes, getHeapStatistics().heap_size_limit);
