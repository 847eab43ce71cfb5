/**
 * Files that only the user of the program may access. They are replaced atomically, and are not read
 * if another user could have written them, or read them if they contain secrets.
 */
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';

/** Bits of a file mode that let other users write. */
export const writableByOthers = 0o022;

/** Bits of a file mode that let other users read, write or execute. */
export const accessibleToOthers = 0o077;

export interface PrivateFileOptions {
  /** Bits that the mode must not have. */
  readonly forbiddenMode: number;
  readonly maxBytes: number;
}

/** Rejects a directory that belongs to another user or has one of the forbidden mode bits. */
export const rejectUntrustedDirectory = async (
  directory: string,
  forbiddenMode: number,
): Promise<void> => {
  const { mode, uid } = await stat(directory);
  rejectUntrustedMode(mode, uid, forbiddenMode);
};

const rejectUntrustedMode = (mode: number, uid: number, forbiddenMode: number): void => {
  // Windows has no such modes or owners; its access control lists are up to the administrator.
  const currentUid = process.getuid?.();
  if (currentUid === undefined) return;
  if (uid !== currentUid && uid !== 0) throw new Error('owned by another user');
  if ((mode & writableByOthers & forbiddenMode) !== 0) throw new Error('writable by other users');
  if ((mode & forbiddenMode) !== 0) throw new Error('accessible to other users');
};

/** Reads a file; rejects with a system error, or with a reason that does not quote its content. */
export const readPrivateFile = async (
  path: string,
  { forbiddenMode, maxBytes }: PrivateFileOptions,
): Promise<string> => {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  try {
    const { mode, uid, size } = await file.stat();
    rejectUntrustedMode(mode, uid, forbiddenMode);
    if (size > maxBytes) throw new Error('the file is too large');
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
};

/** Mode and owner of a file. */
export interface FileOwnership {
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

/**
 * Writes a file so that a reader sees either the old or the new content. Without the ownership of a
 * file that is replaced, only this user can access it.
 */
export const replaceFile = async (
  path: string,
  text: string,
  ownership?: FileOwnership,
): Promise<void> => {
  const temporaryPath = `${path}.${randomUUID()}`;
  try {
    const file = await open(temporaryPath, 'wx', 0o600);
    try {
      await file.writeFile(text);
      if (ownership !== undefined) {
        const { uid, gid } = await file.stat();
        if (uid !== ownership.uid || gid !== ownership.gid)
          await file.chown(ownership.uid, ownership.gid);
        await file.chmod(ownership.mode & 0o777);
      }
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporaryPath, path);
  } catch (cause) {
    await rm(temporaryPath, { force: true });
    throw cause;
  }
};

/** Returns whether the error means that the file or directory does not exist. */
export const isMissing = (cause: unknown): boolean =>
  cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
