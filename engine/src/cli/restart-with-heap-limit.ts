/**
 * Restarts the program in the same process with a heap limit derived from the memory limit of its
 * container. V8's default exceeds small containers and cannot be changed once V8 runs.
 */
import { readMemoryLimit } from '../node/memory-limit.ts';
import { heapFlags } from '../server/memory/memory-budget.ts';

/** Node flags that set a heap limit; a limit set by the operator is not changed. */
const heapLimitFlags = /--max[-_](?:old[-_]space|heap)[-_]size\b/;

/**
 * glibc settings: few arenas and fixed thresholds, so that freed memory is returned to the system.
 */
const allocatorSettings = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
} as const;

/** Why the heap limit was not changed. */
type HeapLimitUnchanged =
  | 'set by the operator'
  | 'no container'
  | 'not supported'
  | 'not permitted';

/** Restarts the program; returns only if it does not. */
export const restartWithHeapLimit = (): HeapLimitUnchanged => {
  const options = `${process.execArgv.join(' ')} ${process.env.NODE_OPTIONS ?? ''}`;
  // A parent process with an IPC channel would lose it.
  const canRestart = execveThrows() && process.channel === undefined;
  if (heapLimitFlags.test(options)) return 'set by the operator';
  if (!canRestart) return 'not supported';
  const limit = readMemoryLimit();
  if (limit.from === 'machine') return 'no container';
  const flags = [...process.execArgv, ...heapFlags(limit.bytes)];
  try {
    process.execve?.(process.execPath, [process.argv0, ...flags, ...process.argv.slice(1)], {
      ...allocatorSettings,
      ...process.env,
    });
    return 'not supported';
  } catch {
    // The permission model of Node or of the system denies it; the memory budget is then derived
    // from the current heap limit.
    return 'not permitted';
  }
};

/** The first major version in which a failed `execve` throws an error; earlier ones end the process. */
const firstMajorThatThrows = 26;

const execveThrows = (): boolean =>
  process.execve !== undefined &&
  Number.parseInt(process.versions.node, 10) >= firstMajorThatThrows;
