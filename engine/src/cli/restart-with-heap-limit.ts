/**
 * Restarts the program in the same process with a heap limit derived from the memory limit of its
 * container. V8's default exceeds small containers and cannot be changed once V8 runs.
 */
import { readMemoryLimit } from '../node/memory-limit.ts';
import { heapFlags } from '../server/memory/memory-budget.ts';
import { memoryOfProcess, workersInMemory } from '../server/workers/worker-memory.ts';

/** Node flags that set a heap limit; a limit set by the operator is not changed. */
export const heapLimitFlags = /--max[-_](?:old[-_]space|heap)[-_]size\b/;

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
  const memoryBytes = memoryOfProcess(workersIn(process.argv, limit.bytes), limit.bytes);
  const flags = [...process.execArgv, ...heapFlags(memoryBytes)];
  // A single executable passes all its arguments to the program, so Node's flags are in the environment.
  const isExecutable = process.getBuiltinModule('node:sea').isSea();
  const args = isExecutable ? process.argv.slice(2) : [...flags, ...process.argv.slice(1)];
  try {
    process.execve?.(process.execPath, [process.argv0, ...args], {
      ...allocatorSettings,
      ...process.env,
      ...(isExecutable ? { NODE_OPTIONS: [process.env.NODE_OPTIONS, ...flags].join(' ') } : {}),
    });
    return 'not supported';
  } catch {
    // The permission model of Node or of the system denies it; the memory budget is then derived
    // from the current heap limit.
    return 'not permitted';
  }
};

/** Reads `--workers` before the flags are parsed; an invalid value is reported later. */
const workersIn = (args: readonly string[], memoryBytes: number): number => {
  const name = '--workers';
  const value = args.reduce((last, arg, place) => {
    if (arg === name) return args[place + 1] ?? last;
    return arg.startsWith(`${name}=`) ? arg.slice(name.length + 1) : last;
  }, '1');
  if (value !== 'auto') return Math.max(1, Number(value) || 1);
  return Math.min(
    process.getBuiltinModule('node:os').availableParallelism(),
    workersInMemory(memoryBytes),
  );
};

/** The first major version in which a failed `execve` throws an error; earlier ones end the process. */
const firstMajorThatThrows = 26;

const execveThrows = (): boolean =>
  process.execve !== undefined &&
  Number.parseInt(process.versions.node, 10) >= firstMajorThatThrows;
