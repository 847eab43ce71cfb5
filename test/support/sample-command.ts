/** Extracts the flags of the command in a sample, so that tests run what users would run. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Folder of the samples. */
export const samples = join(import.meta.dirname, '../../samples');

/** Returns the command behind `# First: `, which prepares the folder of a sample; `undefined` if there is none. */
export const preparationOf = (sample: string): string | undefined =>
  /^# First: (?<command>.*)$/m.exec(readFileSync(join(samples, sample), 'utf8'))?.groups?.command;

/** Flags behind `# Try it: authgraph serve`, over as many lines as end in a backslash. */
export const serveFlagsOf = (sample: string): readonly string[] => {
  const text = readFileSync(join(samples, sample), 'utf8');
  const command = /^# Try it: authgraph serve (?<flags>(?:.*\\\n)*.*)$/m.exec(text)?.groups?.flags;
  if (command === undefined) throw new Error(`${sample} tells no command`);
  return command
    .replaceAll(/\\\n#/g, ' ')
    .split(/\s+/)
    .filter((word) => word !== '');
};
