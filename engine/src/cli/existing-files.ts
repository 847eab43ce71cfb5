/** Prevents a command from replacing a file that the user may have edited since it was written. */
import { resolve } from 'node:path';
import { escapeUnprintable } from '../source/unprintable.ts';
import { type CommandArguments, fail } from './command.ts';
import type { Io } from './io.ts';

/** Ends the command if one of the files exists, unless `forceFlag` is set; `flag` chooses another name. */
export const failIfExisting = (
  paths: readonly string[],
  flag: string,
  { values }: CommandArguments,
  io: Io,
): void => {
  for (const path of values.bool('force') ? [] : paths)
    if (path !== '-' && isExisting(path, io))
      fail(
        io,
        `${escapeUnprintable(path)} already exists`,
        `Specify another file with --${flag}, or overwrite it with --force.`,
      );
};

/** Returns whether the path is the name of a file, and not of an open stream of the process. */
const isExisting = (path: string, io: Io): boolean =>
  io.isFile(path) && !streamName.test(resolve(path));

const streamName = /^\/(?:dev\/(?:stdout|stderr|fd\/\d+)|proc\/self\/fd\/\d+)$/;
