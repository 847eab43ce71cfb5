/**
 * Reading one file and watching it for change. The directory is watched, not the file: a ConfigMap
 * changes by a swap of links, editors by a rename, and a watch of the file itself goes deaf with the
 * first of them. A look each minute stands behind it, since some mounts tell nothing.
 */
import { hash } from 'node:crypto';
import { constants, type FSWatcher, realpathSync, watch } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';

/** What one look at a file saw. */
export type FileReading =
  | {
      readonly kind: 'read';
      readonly bytes: Uint8Array;
      /** SHA-256, lower-case hex; the same for the same content. */
      readonly hash: string;
    }
  /** In the words of the real server: `open /etc/x: no such file or directory`. */
  | { readonly kind: 'unreadable'; readonly reason: string };

export interface ReadOptions {
  /** A larger file is unreadable. */
  readonly maxBytes: number;
}

export interface WatchOptions extends ReadOptions {
  /** Quiet time after a sign of change before the file is read. */
  readonly debounceMs?: number;
  /** A look without any sign. */
  readonly pollMs?: number;
}

export interface FileWatch {
  /** Looks now; settles when what was seen has been dealt with. */
  checkNow(): Promise<void>;
  /** Settles when a look under way has come to its end; none follows. */
  close(): Promise<void>;
}

/** Time in which an editor or an unpacking is usually through with a file. */
const defaultDebounceMs = 100;
/** A file is looked at so long after the first sign, however many follow. */
const maxDebounceMs = 1_000;
const defaultPollMs = 60_000;
/** How often a file that changes while it is read is read again. */
const maxTornReads = 20;

/**
 * Reads one snapshot. Never waits for a pipe, never follows a growing file, and what was changed
 * while it was read is read again.
 */
export const readSnapshot = async (path: string, options: ReadOptions): Promise<FileReading> => {
  try {
    for (let attempt = 0; attempt < maxTornReads; attempt += 1) {
      const bytes = await readOnce(path, options.maxBytes);
      if (bytes !== undefined) return { kind: 'read', bytes, hash: hash('sha256', bytes, 'hex') };
    }
    return { kind: 'unreadable', reason: `read ${path}: the file does not stop changing` };
  } catch (cause) {
    return { kind: 'unreadable', reason: reasonOf(path, cause) };
  }
};

/**
 * Calls `onReading` at each sign of change and each minute, one call after the other; whether the
 * content differs from the last is for the caller to say, by the hash. It must not throw. Does not
 * keep the process alive.
 */
export const watchFile = (
  path: string,
  options: WatchOptions,
  onReading: (reading: FileReading) => void | Promise<void>,
): FileWatch => {
  const { debounceMs = defaultDebounceMs, pollMs = defaultPollMs } = options;
  const watchers = new Map<string, FSWatcher>();
  let debounce: NodeJS.Timeout | undefined;
  let firstEventAt: number | undefined;
  let tail: Promise<void> = Promise.resolve();
  let closed = false;

  const checkNow = (): Promise<void> => {
    tail = tail.then(async () => {
      if (closed) return;
      // Before the reading: what changes after it makes a sign of its own.
      watchDirectories();
      const reading = await readSnapshot(path, options);
      if (!closed) await onReading(reading);
    });
    return tail;
  };

  const scheduleCheck = (): void => {
    if (closed) return;
    const now = performance.now();
    firstEventAt ??= now;
    // Quiet may never come in a busy directory.
    const delayLimit = Math.max(firstEventAt + maxDebounceMs - now, 0);
    clearTimeout(debounce);
    debounce = setTimeout(
      () => {
        firstEventAt = undefined;
        void checkNow();
      },
      Math.min(debounceMs, delayLimit),
    );
    debounce.unref();
  };

  const watchDirectories = (): void => {
    const wanted = directoriesOf(path);
    for (const [directory, watcher] of watchers) {
      if (!wanted.has(directory)) forget(directory, watcher);
    }
    for (const directory of wanted) {
      if (watchers.has(directory)) continue;
      const watcher = openWatcher(directory, (event) => {
        // The directory itself may have been replaced: a watch of the old one reports nothing more.
        if (event === 'rename' && watcher !== undefined) forget(directory, watcher);
        scheduleCheck();
      });
      // Without a watch, the check each minute finds the file.
      if (watcher === undefined) continue;
      watcher.on('error', () => forget(directory, watcher));
      watchers.set(directory, watcher);
    }
  };

  const forget = (directory: string, watcher: FSWatcher): void => {
    watcher.close();
    if (watchers.get(directory) === watcher) watchers.delete(directory);
  };

  watchDirectories();
  const poll = setInterval(() => void checkNow(), pollMs);
  poll.unref();
  return {
    checkNow,
    async close() {
      closed = true;
      clearInterval(poll);
      clearTimeout(debounce);
      for (const [directory, watcher] of watchers) forget(directory, watcher);
      await tail;
    },
  };
};

/** Where a change can show: beside the name, and beside what the name's links lead to. */
const directoriesOf = (path: string): ReadonlySet<string> => {
  const real = realPathOf(path);
  return new Set([dirname(path), ...(real === undefined ? [] : [dirname(real)])]);
};

/** `undefined` where the file is not there. */
const realPathOf = (path: string): string | undefined => {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
};

/** `undefined` where there is no such directory yet, or the system has no more watches. */
const openWatcher = (
  directory: string,
  onEvent: (event: string) => void,
): FSWatcher | undefined => {
  try {
    return watch(directory, { persistent: false }, onEvent);
  } catch {
    return undefined;
  }
};

/** `undefined` when the file changed meanwhile. */
const readOnce = async (path: string, maxBytes: number): Promise<Uint8Array | undefined> => {
  // Without O_NONBLOCK the opening of a pipe waits for somebody who writes.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const before = await file.stat({ bigint: true });
    if (before.isDirectory()) throw new Error(`read ${path}: is a directory`);
    if (!before.isFile()) throw new Error(`read ${path}: not a regular file`);
    if (before.size > maxBytes) {
      throw new Error(`read ${path}: ${before.size} bytes are more than ${maxBytes}`);
    }
    const size = Number(before.size);
    const buffer = Buffer.alloc(size + 1);
    let length = 0;
    // Each read goes on where the last one ended.
    while (length <= size) {
      const { bytesRead } = await file.read(buffer, length, buffer.length - length, length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    const after = await file.stat({ bigint: true });
    const torn = length !== size || after.mtimeNs !== before.mtimeNs || after.size !== before.size;
    return torn ? undefined : new Uint8Array(buffer.subarray(0, length));
  } finally {
    await file.close();
  }
};

/** The real server's words for what the system says. */
const reasons: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'no such file or directory'],
  ['ENOTDIR', 'not a directory'],
  ['EACCES', 'permission denied'],
  ['EPERM', 'operation not permitted'],
  ['ELOOP', 'too many levels of symbolic links'],
  ['ENAMETOOLONG', 'file name too long'],
  ['ENXIO', 'no such device or address'],
  ['EMFILE', 'too many open files'],
  ['EIO', 'input/output error'],
]);

const reasonOf = (path: string, cause: unknown): string => {
  if (!(cause instanceof Error)) return `open ${path}: unknown error`;
  if (!('code' in cause) || typeof cause.code !== 'string') return cause.message;
  return `open ${path}: ${reasons.get(cause.code) ?? cause.code}`;
};
