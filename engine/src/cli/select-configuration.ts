/** Chooses one of several configurations in a file by `FILE#NAME`. */
import type { SourceFile } from '../source/source-file.ts';
import type { ConfigurationInFile } from './configurations-in-file.ts';
import type { FileFailure } from './io.ts';

/**
 * Returns the only configuration, or the one with a name: its whole name, the beginning or the end
 * of it between slashes, or its number in the order of the file.
 */
export const selectConfiguration = (
  file: SourceFile,
  configurations: readonly ConfigurationInFile[],
  wanted: string | undefined,
): ConfigurationInFile | FileFailure => {
  const fitting =
    wanted === undefined
      ? configurations
      : configurations.filter((one, index) => hasName(one, index, wanted));
  const [configuration] = fitting;
  if (configuration !== undefined && fitting.length === 1) return configuration;
  const which = wanted === undefined ? '' : ` with the name ${JSON.stringify(wanted)}`;
  const count = fitting.length === 0 ? 'no configuration' : `${fitting.length} configurations`;
  return {
    kind: 'failure',
    reason: `${file.uri} contains ${count}${which}`,
    help: `Choose one of:\n${choices(file, configurations)}`,
  };
};

const hasName = ({ name }: ConfigurationInFile, index: number, wanted: string): boolean =>
  wanted === String(index + 1) ||
  (wanted !== '' &&
    (name === wanted || name.startsWith(`${wanted}/`) || name.endsWith(`/${wanted}`)));

/** Returns a name for each configuration of a file that selects it: its own, or its number. */
export const selectorsOf = (
  configurations: readonly Pick<ConfigurationInFile, 'name'>[],
): readonly string[] => {
  const counts = new Map<string, number>();
  for (const { name } of configurations) counts.set(name, (counts.get(name) ?? 0) + 1);
  return configurations.map(({ name }, index) =>
    counts.get(name) === 1 && /^[\w./-]+$/.test(name) ? name : String(index + 1),
  );
};

const choices = (file: SourceFile, configurations: readonly ConfigurationInFile[]): string => {
  const selectors = selectorsOf(configurations);
  const shown = configurations.slice(0, maxChoices).map(({ start }, index) => {
    const line = file.positionAt(start).line + 1;
    return `    ${file.uri}#${selectors[index] ?? ''}  (line ${line})`;
  });
  const more = configurations.length - shown.length;
  return [...shown, ...(more > 0 ? [`    and ${more} more`] : [])].join('\n');
};

/** Configurations that a message lists. */
const maxChoices = 20;
