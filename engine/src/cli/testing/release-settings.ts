/** Returns the compiler settings of the configuration of a test file. */
import type { CompileSettings } from '../../compile/settings.ts';
import type { Release } from '../../model/release.ts';
import type { CommandArguments } from '../command.ts';
import type { Io } from '../io.ts';
import { createSettingsFiles } from '../settings-files.ts';
import { targetSettings } from '../target-settings.ts';

/** The flag takes precedence over the test file, which takes precedence over the settings file. */
export const releaseSettings = async (
  read: CommandArguments,
  path: string,
  { release, io }: { readonly release: Release | undefined; readonly io: Io },
): Promise<CompileSettings> => {
  const project = (await createSettingsFiles(io).nearest(path))?.settings;
  return targetSettings(read, {
    targetRelease: release ?? project?.targetRelease,
    apiDomain: project?.apiDomain,
  });
};
