/**
 * Divides the memory limit among the workers and the primary process, which holds the stored objects
 * as they do.
 */
import { readMemoryLimit } from '../../node/memory-limit.ts';

const mebibyte = 1024 * 1024;

/** Memory of a process below which nothing is left for clients. */
const minProcessBytes = 160 * mebibyte;

/** Returns the memory of each process. */
export const memoryOfProcess = (
  workers: number,
  bytes: number = readMemoryLimit().bytes,
): number => (workers === 1 ? bytes : Math.floor(bytes / (workers + 1)));

/** Returns how many workers the memory limit allows. */
export const workersInMemory = (bytes: number = readMemoryLimit().bytes): number =>
  Math.max(1, Math.floor(bytes / minProcessBytes) - 1);
