/**
 * Starts the program again in the same process with a heap limit that follows the memory limit of its
 * container. V8's own default is larger than a small container, and cannot be changed once V8 runs.
 */
import { readMemoryLimit } from '../node/memory-limit.ts';
import { heapFlags } from '../server/memory/memory-budget.ts';

/** Flags of Node that set a heap limit; a limit that the operator sets is left as it is. */
const heapLimitFlags = /--max[-_](?:old[-_]space|heap)[-_]size\b/;

/** glibc: few arenas, and fixed thresholds, so that it returns freed memory to the system. */
const allocatorSettings = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
} as const;

/** Why the program goes on with the heap limit that it has. */
type HeapLimitUnchanged =
  | 'set by the operator'
  | 'no container'
  | 'not supported'
  | 'not permitted';

/** Does not return where the program starts again. */
export const restartWithHeapLimit = (): HeapLimitUnchanged => {
  const options = `${process.execArgv.join(' ')} ${process.env.NODE_OPTIONS ?? ''}`;
  // A parent that talks to the process over a channel would lose it.
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
    // The permission model of Node, or of the system: the budget then derives from the heap limit that there is.
    return 'not permitted';
  }
};

/** Before this release a failed `execve` ends the process instead of throwing an error. */
const firstMajorThatThrows = 26;

const execveThrows = (): boolean =>
  process.execve !== undefined &&
  Number.parseInt(process.versions.node, 10) >= firstMajorThatThrows;
