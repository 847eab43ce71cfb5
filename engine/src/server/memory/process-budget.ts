/** The memory budget of this process. */
import { getHeapStatistics } from 'node:v8';
import { readMemoryLimit } from '../../node/memory-limit.ts';
import { type MemoryBudget, memoryBudget } from './memory-budget.ts';

/** Reads the current limits of memory and heap; a worker has a part of the memory. */
export const processBudget = (memoryBytes: number = readMemoryLimit().bytes): MemoryBudget =>
  memoryBudget(memoryBytes, getHeapStatistics().heap_size_limit);
