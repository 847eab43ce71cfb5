/**
 * Writes the credential plugin of a user to a kubeconfig file, with the lock that kubectl uses. The
 * file is replaced atomically, and keeps its mode and owner; a new one is private.
 */
import { mkdir, open, realpath, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { readKubeconfig } from '../../documents/kubeconfig/kubeconfig.ts';
import {
  type ExecSection,
  setUserExec,
  type UserChange,
} from '../../documents/kubeconfig/set-user.ts';
import { type FileReading, readSnapshot } from '../../node/files.ts';
import { isMissing, replaceFile } from '../../node/private-files.ts';

export type UserWriting =
  | (Extract<UserChange, { kind: 'changed' }> & { readonly path: string })
  | { readonly kind: 'error'; readonly message: string };

const maxKubeconfigBytes = 1024 * 1024;

/**
 * Sets the user in the first of the files that has it, otherwise in the first one that exists,
 * otherwise in a new file.
 */
export const writeUserExec = async (
  paths: readonly string[],
  name: string,
  exec: ExecSection,
): Promise<UserWriting> => {
  const path = await fileOfUser(paths, name);
  if (path === undefined) return error('specify a file with --kubeconfig FILE');
  const file = await realpath(path).catch((cause: unknown) => {
    if (isMissing(cause)) return resolve(path);
    throw cause;
  });
  try {
    await mkdir(dirname(file), { recursive: true });
    const lock = await open(`${file}.lock`, 'wx', 0o600);
    try {
      return await replaceUser({ path, file }, name, exec);
    } finally {
      await lock.close();
      await rm(`${file}.lock`, { force: true });
    }
  } catch (cause) {
    return error(writeProblem(cause, file));
  }
};

const writeProblem = (cause: unknown, file: string): string => {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (code === 'EEXIST')
    return `${file}.lock exists: another program is changing the file, or was stopped while it did`;
  return cause instanceof Error ? cause.message : `cannot write ${file}`;
};

const error = (message: string): Extract<UserWriting, { kind: 'error' }> => ({
  kind: 'error',
  message,
});

const replaceUser = async (
  { path, file }: { readonly path: string; readonly file: string },
  name: string,
  exec: ExecSection,
): Promise<UserWriting> => {
  const contents = await read(file);
  const isNew = contents.kind === 'unreadable' && isMissingReason(contents.reason);
  if (contents.kind === 'unreadable' && !isNew) return error(contents.reason);
  const text = contents.kind === 'read' ? new TextDecoder().decode(contents.bytes) : '';
  const change = setUserExec(text, name, exec);
  if (change.kind === 'error') return error(`${path}: ${change.message}`);
  await replaceFile(file, change.text, isNew ? undefined : await stat(file));
  return { ...change, path };
};

const read = (path: string): Promise<FileReading> =>
  readSnapshot(path, { maxBytes: maxKubeconfigBytes });

const isMissingReason = (reason: string): boolean => reason.endsWith('no such file or directory');

const fileOfUser = async (paths: readonly string[], name: string): Promise<string | undefined> => {
  let existing: string | undefined;
  for (const path of paths) {
    const contents = await read(path);
    if (contents.kind === 'unreadable') continue;
    existing ??= path;
    const reading = readKubeconfig({ path, directory: dirname(resolve(path)), contents });
    if (reading.kind === 'kubeconfig' && reading.kubeconfig.users.has(name)) return path;
  }
  return existing ?? paths[0];
};
