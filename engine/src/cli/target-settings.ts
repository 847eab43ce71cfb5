/** Returns the compiler settings of a file, from the flags and from its settings file. */
import { type CompileSettings, settingsFor } from '../compile/settings.ts';
import { newestRelease, parseRelease, supportedReleases } from '../model/release.ts';
import type { Settings } from '../settings/settings.ts';
import { type CommandArguments, fail } from './command.ts';
import type { Io } from './io.ts';
import type { SettingsFile } from './settings-files.ts';

/** Returns the settings of the flags; those of a settings file apply where no flag is set. */
export const targetSettings = (
  { values, misuse }: CommandArguments,
  project?: Pick<Settings, 'targetRelease' | 'apiDomain'>,
): CompileSettings => {
  const text = values.string('target-version');
  const release = parseRelease(text);
  if (release === undefined)
    return misuse(
      `invalid argument ${JSON.stringify(text)} for "--target-version" flag: must be ${supportedReleases}`,
    );
  const isSet = values.isSet('target-version');
  return {
    ...settingsFor(isSet ? release : (project?.targetRelease ?? newestRelease)),
    fileDomain: project?.apiDomain,
  };
};

/**
 * Returns the settings for a command that reads a single configuration. Ends the command if the
 * settings file has mistakes: `check` reports all of them.
 */
export const settingsForFile = async (
  read: CommandArguments,
  path: string,
  io: Io,
): Promise<CompileSettings> => (await settingsReader(read, io))(path);

/** Returns a function like `settingsForFile` that reads each settings file once. */
export const settingsReader = async (
  read: CommandArguments,
  io: Io,
): Promise<(path: string) => Promise<CompileSettings>> => {
  const { createSettingsFiles } = await import('./settings-files.ts');
  const files = createSettingsFiles(io);
  return async (path) => appliedSettings(read, await files.ofConfiguration(path), io);
};

const appliedSettings = async (
  read: CommandArguments,
  file: SettingsFile | undefined,
  io: Io,
): Promise<CompileSettings> => {
  const mistake = file?.diagnostics.find(({ severity }) => severity === 'error');
  if (file === undefined || mistake === undefined) return targetSettings(read, file?.settings);
  const { formatLocation } = await import('../diagnostics/render.ts');
  return fail(
    io,
    `${formatLocation(file.source, mistake.span.start)}: ${mistake.message}`,
    `Fix the settings file; authgraph check ${file.path} reports all mistakes.`,
  );
};
