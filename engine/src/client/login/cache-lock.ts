/**
 * Lets one process at a time log in for a cache file. kubectl commands that run at the same time would
 * otherwise all open a browser, and use a refresh token twice, which issuers take for a theft.
 */
import { randomUUID } from 'node:crypto';
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
  const own = `${owner(process.pid)}${randomUUID()}\n`;
  await acquire(path, own, options);
  try {
    return await work();
  } finally {
    await release(path, own);
  }
};

const acquire = async (
  path: string,
  own: string,
  { timeoutMs, signal }: LockOptions,
): Promise<void> => {
  const deadline = performance.now() + timeoutMs;
  while (!(await create(path, own))) {
    const isRemovable = (): Promise<boolean> => isAbandoned(path, timeoutMs);
    if ((await isRemovable()) && (await removeIf(path, isRemovable))) continue;
    if (signal.aborted) throw new LoginError('the login was canceled');
    if (performance.now() > deadline)
      throw new LoginError(`another process has been logging in for ${timeoutMs / 1000} seconds`, {
        help: `If none is running, remove ${path} and ${guardOf(path)}.`,
      });
    await pause(pollMs);
  }
};

/** Removes the lock, unless another process has taken it over because the login took too long. */
const release = async (path: string, own: string): Promise<void> => {
  const isOwn = async (): Promise<boolean> => (await readOwner(path)) === own;
  const deadline = performance.now() + releaseMs;
  // A lock that cannot be removed is abandoned once this process has ended.
  while (!(await removeIf(path, isOwn)) && performance.now() < deadline) await pause(pollMs);
};

const releaseMs = 1_000;

/**
 * Removes the lock if it is still removable once no other process can remove it. Otherwise two
 * processes that find the same abandoned lock would both get one: the second would remove the lock
 * that the first has just created. Returns `false` if another process is removing it.
 */
const removeIf = async (path: string, isRemovable: () => Promise<boolean>): Promise<boolean> => {
  const guard = guardOf(path);
  if (!(await create(guard, owner(process.pid)))) return false;
  try {
    if (await isRemovable()) await rm(path, { force: true });
  } finally {
    await rm(guard, { force: true });
  }
  return true;
};

/**
 * Exists for a few milliseconds. A process that is killed in that time leaves it: the next ones then
 * fail, since nothing shows reliably that no process is removing the lock.
 */
const guardOf = (path: string): string => `${path}.removal`;

/** Returns whether the file was created; `false` if it exists. */
const create = async (path: string, content: string): Promise<boolean> => {
  try {
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(content);
    } finally {
      await file.close();
    }
    return true;
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'EEXIST') return false;
    throw cause;
  }
};

/** The first line of a lock. */
const owner = (pid: number): string => `${pid} ${hostname()}\n`;

/** Returns `undefined` if the lock does not exist. */
const readOwner = async (path: string): Promise<string | undefined> => {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    if (isMissing(cause)) return undefined;
    throw cause;
  }
};

/** Returns whether the process that created the file has ended, or must have. */
const isAbandoned = async (path: string, timeoutMs: number): Promise<boolean> => {
  try {
    const { mtimeMs } = await stat(path);
    if (Date.now() - mtimeMs > timeoutMs + graceMs) return true;
    const text = await readFile(path, 'utf8');
    const pid = Number(text.split(' ', 1)[0]);
    // A home directory can be shared by machines. The file is empty until its owner is written.
    return Number.isInteger(pid) && pid > 0 && text.startsWith(owner(pid)) && !isRunning(pid);
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
