/** Converts `--target-version` to compiler settings. */
import { type CompileSettings, settingsFor } from '../compile/settings.ts';
import { parseRelease, supportedReleases } from '../model/release.ts';
import type { CommandArguments } from './command.ts';

export const targetSettings = ({ values, misuse }: CommandArguments): CompileSettings => {
  const text = values.string('target-version');
  const release = parseRelease(text);
  return release === undefined
    ? misuse(
        `invalid argument ${JSON.stringify(text)} for "--target-version" flag: must be ${supportedReleases}`,
      )
    : settingsFor(release);
};
