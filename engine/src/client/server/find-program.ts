/** Finds the program of a command as Go's os/exec does: never in the current directory. */
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/**
 * Returns the path of the program, or the command itself if it is a path; `undefined` if no absolute
 * directory of the search path has the program.
 */
export const findProgram = (
  command: string,
  { PATH = '', PATHEXT = '' }: Readonly<Record<string, string | undefined>>,
): string | undefined => {
  if (/[\\/]/.test(command)) return command;
  const endings = process.platform === 'win32' ? ['', ...PATHEXT.split(';')] : [''];
  return PATH.split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .flatMap((folder) => endings.map((ending) => join(folder, `${command}${ending}`)))
    .find(isProgram);
};

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    // It does not exist, or others own it.
    return false;
  }
};
