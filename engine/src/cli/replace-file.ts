/**
 * Replaces the content of a file atomically: readers see the old or the new content, and after a
 * failure the file has the old one. Permissions and owner do not change, and a symbolic link still
 * leads to the file.
 */
import { randomUUID } from 'node:crypto';
import { type FileHandle, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { escapeUnprintable } from '../source/unprintable.ts';
import type { FileFailure } from './io.ts';

/**
 * Returns the failure if the file is not the one that was read; other failures are thrown. `before`
 * is the content that was read.
 */
export const replaceFile = async (
  path: string,
  before: string,
  after: string,
): Promise<FileFailure | undefined> => {
  const target = await realpath(path);
  const status = await stat(target);
  if (!status.isFile()) return failure(path, 'not a regular file');
  const temporaryPath = `${target}.${randomUUID()}`;
  try {
    const file = await open(temporaryPath, 'wx', 0o600);
    try {
      await file.writeFile(after);
      await copyAttributes(file, status);
      await file.sync();
    } finally {
      await file.close();
    }
    if ((await readFile(target, 'utf8')) !== before)
      return failure(path, 'the file has changed since it was read; run the command again');
    await rename(temporaryPath, target);
    return undefined;
  } finally {
    // There is nothing to remove after the rename.
    await rm(temporaryPath, { force: true });
  }
};

/** Copies the owner first, because changing it clears bits of the mode. */
const copyAttributes = async (
  file: FileHandle,
  { uid, gid, mode }: { readonly uid: number; readonly gid: number; readonly mode: number },
): Promise<void> => {
  const own = await file.stat();
  if (own.uid !== uid || own.gid !== gid) await file.chown(uid, gid);
  await file.chmod(mode & permissionBits);
};

const permissionBits = 0o7777;

const failure = (path: string, reason: string): FileFailure => ({
  kind: 'failure',
  reason: `write ${escapeUnprintable(path)}: ${reason}`,
});
