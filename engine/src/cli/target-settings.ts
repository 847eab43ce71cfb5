/** Converts `--target-version` to compiler settings. */
import { type CompileSettings, settingsFor } from '../compile/settings.ts';
import type { FlagProblem, FlagValues } from '../flags/flag.ts';
import { parseRelease, supportedReleases } from '../model/release.ts';

export type TargetReading =
  | { readonly kind: 'settings'; readonly settings: CompileSettings }
  | { readonly kind: 'problem'; readonly problem: FlagProblem };

export const targetSettings = (values: FlagValues): TargetReading => {
  const text = values.string('target-version');
  const release = parseRelease(text);
  return release === undefined
    ? {
        kind: 'problem',
        problem: {
          message: `invalid argument ${JSON.stringify(text)} for "--target-version" flag: must be ${supportedReleases}`,
          help: '',
        },
      }
    : { kind: 'settings', settings: settingsFor(release) };
};
