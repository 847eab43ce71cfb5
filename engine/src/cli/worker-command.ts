/** The command that starts a worker: this program with the same arguments and a smaller heap. */
import { isSea } from 'node:sea';
import { readMemoryLimit } from '../node/memory-limit.ts';
import { heapFlags } from '../server/memory/memory-budget.ts';
import type { WorkerCommand } from '../server/workers/worker-pool.ts';
import { heapLimitFlags } from './restart-with-heap-limit.ts';

/** Flags that a restart of this process has set, and that a worker gets with other values. */
const restartFlags = /^--(?:max[-_](?:old|semi)[-_]space[-_]size|expose[-_]gc|disable-sigusr1)\b/;

/** Returns the flags of the heap; collections are forced only in a container, as in one process. */
const workerFlags = (memoryBytes: number): readonly string[] =>
  readMemoryLimit().from === 'machine'
    ? heapFlags(memoryBytes).filter((flag) => flag !== '--expose-gc')
    : heapFlags(memoryBytes);

/** Returns the command; a heap limit that the operator set in `NODE_OPTIONS` is not changed. */
export const workerCommand = (memoryBytes: number): WorkerCommand => {
  const { env, execPath: file } = process;
  const nodeOptions = env.NODE_OPTIONS ?? '';
  const flags = heapLimitFlags.test(nodeOptions) ? [] : workerFlags(memoryBytes);
  // A single executable passes all its arguments to the program, so Node's flags are in the environment.
  if (isSea()) {
    const options = [nodeOptions, ...flags].join(' ').trim();
    return { file, args: process.argv.slice(2), env: { ...env, NODE_OPTIONS: options } };
  }
  const ownFlags = process.execArgv.filter((flag) => !restartFlags.test(flag));
  return { file, args: [...ownFlags, ...flags, ...process.argv.slice(1)], env };
};
