/** A control group with a memory limit, version 1 or 2, for one process of a test. Needs root. */
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface MemoryGroup {
  /** Programs that start another one inside the group: `['sh', '-c', …]`, before its command. */
  readonly under: readonly string[];
  /** The most that the group ever used, in bytes. */
  peakBytes(): number;
  /** How often the kernel ended a process of the group. */
  kills(): number;
  /** How often the limit was reached, so that pages had to be reclaimed. */
  limitReached(): number;
  /** Removes the group; its last process must have ended. */
  remove(): void;
}

interface Files {
  readonly folder: string;
  readonly limit: string;
  readonly swapLimit: string;
  readonly peak: string;
}

const mount = '/sys/fs/cgroup';

/** Throws where no control group can be made: a test that cannot limit memory must not pass. */
export const memoryGroup = (bytes: number): MemoryGroup => {
  const name = `authgraph-test-${process.pid}-${Math.random().toString(36).slice(2)}`;
  const files = filesOf(name);
  mkdirSync(files.folder);
  writeFileSync(join(files.folder, files.limit), String(bytes));
  const swap = join(files.folder, files.swapLimit);
  // Version 1 counts memory and swap together, version 2 swap alone.
  if (existsSync(swap)) writeFileSync(swap, files.limit === 'memory.max' ? '0' : String(bytes));
  const read = (file: string): string => readFileSync(join(files.folder, file), 'utf8');
  const counted = (file: string, key: string): number =>
    Number(new RegExp(`^${key} (\\d+)$`, 'm').exec(read(file))?.[1] ?? Number.NaN);
  const isSecond = files.limit === 'memory.max';
  return {
    under: ['sh', '-c', `echo $$ > ${files.folder}/cgroup.procs && exec "$@"`, 'sh'],
    peakBytes: () => Number(read(files.peak)),
    kills: () =>
      isSecond ? counted('memory.events', 'oom_kill') : counted('memory.oom_control', 'oom_kill'),
    limitReached: () =>
      isSecond ? counted('memory.events', 'max') : Number(read('memory.failcnt')),
    remove: () => rmdirSync(files.folder),
  };
};

const filesOf = (name: string): Files => {
  if (existsSync(join(mount, 'memory/memory.limit_in_bytes'))) {
    return {
      folder: join(mount, 'memory', name),
      limit: 'memory.limit_in_bytes',
      swapLimit: 'memory.memsw.limit_in_bytes',
      peak: 'memory.max_usage_in_bytes',
    };
  }
  const enabled = join(mount, 'cgroup.subtree_control');
  if (!readFileSync(enabled, 'utf8').includes('memory')) writeFileSync(enabled, '+memory');
  return {
    folder: join(mount, name),
    limit: 'memory.max',
    swapLimit: 'memory.swap.max',
    peak: 'memory.peak',
  };
};
