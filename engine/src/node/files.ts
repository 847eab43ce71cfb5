/**
 * Reads a file and watches it for changes. The watch is on the directory: a ConfigMap is updated by
 * swapping symbolic links and editors replace the file by a rename, and a watch of the file itself
 * would report nothing after that. In addition, the file is read once a minute, since some file
 * systems report no changes.
 */
import { hash } from 'node:crypto';
import { constants, type FSWatcher, realpathSync, watch } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Result of reading a file once. */
export type FileReading =
  | {
      readonly kind: 'read';
      readonly bytes: Uint8Array;
      /** SHA-256 of the content in lower-case hex. */
      readonly hash: string;
    }
  /** The reason as kube-apiserver words it: `open /etc/x: no such file or directory`. */
  | { readonly kind: 'unreadable'; readonly reason: string };

export interface ReadOptions {
  /** Maximum size; a larger file is unreadable. */
  readonly maxBytes: number;
}

export interface WatchOptions extends ReadOptions {
  /** Time without further events after which a changed file is read. */
  readonly debounceMs?: number | undefined;
  /** Interval at which the file is read without an event. */
  readonly pollMs?: number | undefined;
}

export interface FileWatch {
  /** Reads the file now; settles once the content has been handled. */
  checkNow(): Promise<void>;
  /** Stops the watch; settles once a read in progress has been handled. */
  close(): Promise<void>;
}

/** Time within which an editor or an extracted archive usually finishes writing a file. */
const defaultDebounceMs = 100;
/** Longest time from the first event until the file is read, however many events follow. */
const maxDebounceMs = 1_000;
const defaultPollMs = 60_000;
/** Attempts to read a file that changes while it is read. */
const maxTornReads = 20;

/**
 * Reads one consistent snapshot of a file. It never blocks on a pipe and never follows a growing
 * file; a file that changes during the read is read again.
 */
export const readSnapshot = async (path: string, options: ReadOptions): Promise<FileReading> => {
  try {
    for (let attempt = 0; attempt < maxTornReads; attempt += 1) {
      const bytes = await readOnce(path, options.maxBytes);
      if (bytes !== undefined) return { kind: 'read', bytes, hash: hash('sha256', bytes, 'hex') };
    }
    return { kind: 'unreadable', reason: `read ${path}: the file keeps changing` };
  } catch (cause) {
    return { kind: 'unreadable', reason: reasonOf(path, cause) };
  }
};

/**
 * Calls `onReading` after each change and once a minute, one call at a time. The caller compares
 * the hash to see whether the content changed, and must not throw. The watch does not keep the
 * process alive.
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
  let isClosed = false;

  const checkNow = (): Promise<void> => {
    tail = tail.then(async () => {
      if (isClosed) return;
      // The watches are updated before the read, so that a later change causes an event of its own.
      watchDirectories();
      const reading = await readSnapshot(path, options);
      if (!isClosed) await onReading(reading);
    });
    return tail;
  };

  const scheduleCheck = (): void => {
    if (isClosed) return;
    const now = performance.now();
    firstEventAt ??= now;
    // A busy directory may never be without events.
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
      // Without a watch, the periodic read finds the file.
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
      isClosed = true;
      clearInterval(poll);
      clearTimeout(debounce);
      for (const [directory, watcher] of watchers) forget(directory, watcher);
      await tail;
    },
  };
};

/**
 * Returns the directories in which a change can appear: those of the path and of the file that its
 * links resolve to.
 */
const directoriesOf = (path: string): ReadonlySet<string> => {
  const real = realPathOf(path);
  return new Set([dirname(path), ...(real === undefined ? [] : [dirname(real)])]);
};

/** Returns `undefined` if the file does not exist. */
const realPathOf = (path: string): string | undefined => {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
};

/**
 * Returns `undefined` if the directory does not exist yet, or if the system has no watches left.
 */
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

/** Returns `undefined` if the file changed during the read. */
const readOnce = async (path: string, maxBytes: number): Promise<Uint8Array | undefined> => {
  // Without O_NONBLOCK, opening a pipe would wait for a writer.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const before = await file.stat({ bigint: true });
    if (before.isDirectory()) throw new Error(`read ${path}: is a directory`);
    if (!before.isFile()) throw new Error(`read ${path}: not a regular file`);
    if (before.size > maxBytes) {
      throw new Error(`read ${path}: ${before.size} bytes exceed the limit of ${maxBytes}`);
    }
    const size = Number(before.size);
    const buffer = Buffer.alloc(size + 1);
    let length = 0;
    // Each read continues where the last one ended.
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

/** Go's messages for system errors. */
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
