/**
 * Lets one process at a time log in for a cache file. kubectl commands that run at the same time would
 * otherwise all open a browser, and use a refresh token twice, which issuers take for a theft.
 */
import { open, readFile, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { isMissing } from '../../node/private-files.ts';
import { LoginError } from './login-settings.ts';

export interface LockOptions {
  /** Time to wait for another process; a lock that is older is removed. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

const pollMs = 100;

/** Runs the work while no other process has the lock; rejects with a `LoginError` if one keeps it. */
export const withCacheLock = async <Value>(
  path: string,
  options: LockOptions,
  work: () => Promise<Value>,
): Promise<Value> => {
  await acquire(path, options);
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
};

const acquire = async (path: string, { timeoutMs, signal }: LockOptions): Promise<void> => {
  const deadline = performance.now() + timeoutMs;
  while (!(await create(path))) {
    if (await isAbandoned(path, timeoutMs)) await rm(path, { force: true });
    else if (signal.aborted) throw new LoginError('the login was canceled');
    else if (performance.now() > deadline)
      throw new LoginError(`another process has been logging in for ${timeoutMs / 1000} seconds`, {
        help: `If none is running, remove ${path}.`,
      });
    else await pause(pollMs);
  }
};

/** Returns whether the file was created; `false` if it exists. */
const create = async (path: string): Promise<boolean> => {
  try {
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(owner(process.pid));
    } finally {
      await file.close();
    }
    return true;
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'EEXIST') return false;
    throw cause;
  }
};

const owner = (pid: number): string => `${pid} ${hostname()}\n`;

/** Returns whether the process that created the file has ended, or must have. */
const isAbandoned = async (path: string, timeoutMs: number): Promise<boolean> => {
  try {
    const { mtimeMs } = await stat(path);
    if (Date.now() - mtimeMs > timeoutMs + graceMs) return true;
    const text = await readFile(path, 'utf8');
    const pid = Number(text.split(' ', 1)[0]);
    // A home directory can be shared by machines. The file is empty until its owner is written.
    return Number.isInteger(pid) && pid > 0 && text === owner(pid) && !isRunning(pid);
  } catch (cause) {
    if (isMissing(cause)) return false;
    throw cause;
  }
};

/** A login takes a little longer than a user may. */
const graceMs = 60_000;

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return cause instanceof Error && 'code' in cause && cause.code === 'EPERM';
  }
};
