/** Prevents that a command replaces a file that the user may have edited since it was written. */
import { escapeUnprintable } from '../source/unprintable.ts';
import { type CommandArguments, fail } from './command.ts';
import type { Io } from './io.ts';

/** Ends the command if one of the files exists, unless `forceFlag` is set; `flag` chooses another name. */
export const failIfExisting = async (
  paths: readonly string[],
  flag: string,
  { values }: CommandArguments,
  io: Io,
): Promise<void> => {
  for (const path of values.bool('force') ? [] : paths)
    if (path !== '-' && (await isExisting(path, io)))
      fail(
        io,
        `${escapeUnprintable(path)} already exists`,
        `Specify another file with --${flag}, or overwrite it with --force.`,
      );
};

/** Returns whether a regular file exists, of which nothing has to be read. */
const isExisting = async (path: string, io: Io): Promise<boolean> => {
  const read = await io.readText(path, 0);
  return read.kind === 'text' || read.isTooLarge === true;
};
