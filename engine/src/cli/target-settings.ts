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

export interface CompileTarget {
  readonly settings: CompileSettings;
  /** Whether a flag or a settings file names the target release. */
  readonly isChosen: boolean;
}

/**
 * Returns the settings for a command that reads a single configuration, and whether they name the
 * release. Ends the command if the settings file has mistakes: `check` reports all of them.
 */
export const targetForFile = async (
  read: CommandArguments,
  path: string,
  io: Io,
): Promise<CompileTarget> => (await targetReader(read, io))(path);

/** Returns the settings alone. */
export const settingsForFile = async (
  read: CommandArguments,
  path: string,
  io: Io,
): Promise<CompileSettings> => (await targetForFile(read, path, io)).settings;

/** Returns a function like `settingsForFile` that reads each settings file once. */
export const settingsReader = async (
  read: CommandArguments,
  io: Io,
): Promise<(path: string) => Promise<CompileSettings>> => {
  const targetOf = await targetReader(read, io);
  return async (path) => (await targetOf(path)).settings;
};

const targetReader = async (
  read: CommandArguments,
  io: Io,
): Promise<(path: string) => Promise<CompileTarget>> => {
  const { createSettingsFiles } = await import('./settings-files.ts');
  const files = createSettingsFiles(io);
  return async (path) => appliedTarget(read, await files.ofConfiguration(path), io);
};

const appliedTarget = async (
  read: CommandArguments,
  file: SettingsFile | undefined,
  io: Io,
): Promise<CompileTarget> => {
  const mistake = file?.diagnostics.find(({ severity }) => severity === 'error');
  if (mistake === undefined || file === undefined)
    return {
      settings: targetSettings(read, file?.settings),
      isChosen: read.values.isSet('target-version') || file?.settings.targetRelease !== undefined,
    };
  const { formatLocation } = await import('../diagnostics/render.ts');
  return fail(
    io,
    `${formatLocation(file.source, mistake.span.start)}: ${mistake.message}`,
    `Fix the settings file; authgraph check ${file.path} reports all mistakes.`,
  );
};
