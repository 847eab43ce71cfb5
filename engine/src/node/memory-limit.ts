/**
 * Determines how much memory this process may use: the smallest limit of its control groups
 * (version 2 or 1, its own group and every group above it), or the machine's memory.
 */
import { readFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join, posix } from 'node:path';

export interface MemoryLimit {
  readonly bytes: number;
  /** Whether a control group sets the limit, or only the machine's memory. */
  readonly from: 'cgroup' | 'machine';
}

export interface MemoryLimitSources {
  /** Folder that is used as `/`; tests put files there. */
  readonly root?: string;
  /** Memory of the machine in bytes. */
  readonly machineBytes?: number;
  /** Limit that Node reports; 0 or a number above the machine's memory if there is none. */
  readonly constrainedBytes?: number;
}

/** Reads the limit on each call. Files that are missing or unreadable set no limit. */
export const readMemoryLimit = ({
  root = '/',
  machineBytes = totalmem(),
  constrainedBytes = process.constrainedMemory(),
}: MemoryLimitSources = {}): MemoryLimit => {
  const limits = [constrainedBytes, ...cgroupLimits(root)].filter(
    (bytes) => Number.isFinite(bytes) && bytes > 0 && bytes < machineBytes,
  );
  return limits.length === 0
    ? { bytes: machineBytes, from: 'machine' }
    : { bytes: Math.min(...limits), from: 'cgroup' };
};

/** Returns the limits of the groups that `/proc/self/cgroup` names, in any order. */
const cgroupLimits = (root: string): readonly number[] =>
  contentOf(join(root, 'proc/self/cgroup'))
    .split('\n')
    .flatMap((line) => {
      // "4:memory:/path" for version 1, "0::/path" for version 2.
      const [, controllers, path] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
      if (controllers === undefined || path === undefined) return [];
      const groups = withParents(path);
      if (controllers === '') {
        return hierarchies.version2.flatMap((mount) =>
          groups.map((group) => limitIn(join(root, mount, group, 'memory.max'))),
        );
      }
      if (!controllers.split(',').includes('memory')) return [];
      return hierarchies.version1.flatMap((mount) =>
        groups.map((group) => limitIn(join(root, mount, group, 'memory.limit_in_bytes'))),
      );
    });

/** Mount points of the hierarchies: version 2 alone, or next to version 1. */
const hierarchies = {
  version2: ['sys/fs/cgroup', 'sys/fs/cgroup/unified'],
  version1: ['sys/fs/cgroup/memory'],
} as const;

/**
 * Returns a group and all groups above it, up to the root of the mount. Inside a container the
 * named group may not be visible, and the root of the mount is the container's own group.
 */
const withParents = (path: string): readonly string[] => {
  const groups = [posix.normalize(path)];
  for (let group = groups[0] ?? '/'; group !== '/'; ) {
    group = posix.dirname(group);
    groups.push(group);
  }
  return groups;
};

/** Returns the limit in a file, or `NaN` for `max` and for anything that is not an integer. */
const limitIn = (file: string): number => {
  const text = contentOf(file).trim();
  return /^\d+$/.test(text) ? Number(text) : Number.NaN;
};

const contentOf = (file: string): string => {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    // A hierarchy that is not mounted, or a group that is not visible, sets no limit.
    return '';
  }
};
