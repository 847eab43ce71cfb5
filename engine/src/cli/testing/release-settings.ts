/** Returns the compiler settings of the configuration of a test file. */
import { type CompileSettings, settingsFor } from '../../compile/settings.ts';
import { newestRelease, type Release } from '../../model/release.ts';
import type { CommandArguments } from '../command.ts';
import type { Io } from '../io.ts';
import { createSettingsFiles } from '../settings-files.ts';
import { targetSettings } from '../target-settings.ts';

/** Returns the release of `--target-version`; `undefined` if the flag is not set. */
export const chosenRelease = (read: CommandArguments): Release | undefined =>
  read.values.isSet('target-version') ? targetSettings(read).targetRelease : undefined;

interface ReleaseSources {
  /** The release of the flag, which takes precedence. */
  readonly chosen: Release | undefined;
  /** The release of the test file, which takes precedence over the settings file. */
  readonly release: Release | undefined;
}

export const releaseSettings = async (
  path: string,
  { chosen, release }: ReleaseSources,
  io: Io,
): Promise<CompileSettings> => {
  const project = (await createSettingsFiles(io).nearest(path))?.settings;
  return {
    ...settingsFor(chosen ?? release ?? project?.targetRelease ?? newestRelease),
    fileDomain: project?.apiDomain,
  };
};
