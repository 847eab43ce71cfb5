/** Prevents that the output of a command replaces a file that the command reads. */
import { type BigIntStats, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { FlagRow, FlagValues } from '../flags/flag.ts';
import { escapeUnprintable } from '../source/unprintable.ts';

/** Returns the error about a flag for an output file that names an input; `undefined` if there is none. */
export const outputMisuse = (
  flags: readonly FlagRow[],
  { values, operands }: { readonly values: FlagValues; readonly operands: readonly string[] },
): string | undefined => {
  const valuesOf = ({ name, type }: FlagRow): readonly string[] =>
    type === 'stringArray' ? values.list(name) : [values.string(name)];
  const files = flags.filter(({ placeholder = '' }) => placeholder.includes('FILE'));
  const inputs = [...operands, ...files.filter((flag) => !isOutput(flag)).flatMap(valuesOf)];
  // `FILE#NAME` is a configuration of a file.
  const paths = inputs.flatMap((input) => [input, input.replace(/#[^#]*$/, '')]);
  for (const flag of files.filter(isOutput))
    for (const output of valuesOf(flag))
      if (output !== '' && output !== '-' && paths.some((path) => isSameFile(path, output)))
        return `--${flag.name} would replace the input ${escapeUnprintable(output)}`;
  return undefined;
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
