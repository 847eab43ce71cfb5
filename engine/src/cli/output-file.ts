/** Prevents that the output of a command replaces a file that the command reads. */
import { type BigIntStats, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { FlagRow, FlagValues } from '../flags/flag.ts';
import { escapeUnprintable } from '../source/unprintable.ts';
import { isFoundBelow } from './walk-folder.ts';

/**
 * Returns the error about a flag for an output file that names an input; `undefined` if there is none. `readsBelow`
 * returns whether the command reads a file in one of its folders.
 */
export const outputMisuse = (
  flags: readonly FlagRow[],
  { values, operands }: { readonly values: FlagValues; readonly operands: readonly string[] },
  readsBelow: (path: string) => boolean,
): string | undefined => {
  const valuesOf = ({ name, type }: FlagRow): readonly string[] =>
    type === 'stringArray' ? values.list(name) : [values.string(name)];
  const files = flags.filter(({ placeholder = '' }) => placeholder.includes('FILE'));
  const inputs = [...operands, ...files.filter((flag) => !isOutput(flag)).flatMap(valuesOf)];
  const ofFlags = flags.filter(({ placeholder = '' }) => placeholder.includes('FOLDER'));
  const folders = [...(operands.length === 0 ? ['.'] : operands), ...ofFlags.flatMap(valuesOf)];
  // `FILE#NAME` is a configuration of a file.
  const paths = inputs.flatMap((input) => [input, input.replace(/#[^#]*$/, '')]);
  for (const flag of files.filter(isOutput))
    for (const output of valuesOf(flag)) {
      if (output === '' || output === '-') continue;
      const shown = escapeUnprintable(output);
      if (paths.some((path) => isSameFile(path, output)))
        return `--${flag.name} would replace the input ${shown}`;
      const folder = folders.find((one) => {
        const below = pathBelow(one, output);
        return below !== undefined && isFoundBelow(below) && readsBelow(below);
      });
      if (folder !== undefined)
        return `--${flag.name} would write ${shown} among the input files of the folder ${escapeUnprintable(folder)}; choose another folder, or a name that does not end in .yaml, .yml or .json`;
    }
  return undefined;
};

/** Returns the path of an output file in a folder; `undefined` if it is elsewhere. */
const pathBelow = (folder: string, output: string): string | undefined => {
  if (statsOf(folder)?.isDirectory() !== true) return undefined;
  const [top, file] = [realPath(folder), realPath(output)];
  if (top === undefined || file === undefined) return undefined;
  const below = relative(top, file);
  const isOutside = below === '' || isAbsolute(below) || below.split(sep)[0] === '..';
  return isOutside ? undefined : below.split(sep).join('/');
};

/** Returns the path without symbolic links of a file that may not exist yet. */
const realPath = (path: string): string | undefined => {
  const folder = existingPath(dirname(path));
  return existingPath(path) ?? (folder && join(folder, basename(path)));
};

const existingPath = (path: string): string | undefined => {
  try {
    return realpathSync(path);
  } catch {
    // It does not exist, or its folder cannot be searched.
    return undefined;
  }
};

const isOutput = ({ name }: FlagRow): boolean => /(?:^|-)out$/.test(name);

const isSameFile = (one: string, other: string): boolean => {
  const [first, second] = [statsOf(one), statsOf(other)];
  if (first === undefined || second === undefined) return resolve(one) === resolve(other);
  return first.isFile() && first.dev === second.dev && first.ino === second.ino;
};

const statsOf = (path: string): BigIntStats | undefined => {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    // A name that no file can have, or a folder that cannot be searched.
    return undefined;
  }
};
