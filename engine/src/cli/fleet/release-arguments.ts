/** The arguments of `fleet` as the functions of `check` and `test` read them: with one target release. */
import {
  newestRelease,
  parseRelease,
  type Release,
  releaseName,
  supportedReleases,
} from '../../model/release.ts';
import type { CommandArguments } from '../command.ts';

/** Returns the releases of `--target-version`; none if each configuration has its own. */
export const targetReleases = ({ values, misuse }: CommandArguments): readonly Release[] => {
  if (!values.isSet('target-version')) return [];
  const releases = values
    .string('target-version')
    .split(',')
    .map((text) => {
      const release = parseRelease(text);
      if (release !== undefined) return release;
      return misuse(
        `invalid argument ${JSON.stringify(text)} for "--target-version" flag: must be ${supportedReleases}`,
      );
    });
  return [...new Set(releases)];
};

/** Returns the arguments with one release; `undefined` stands for that of each settings file. */
export const argumentsFor = (
  read: CommandArguments,
  release: Release | undefined,
): CommandArguments => {
  const { values } = read;
  const own = 'target-version';
  return {
    ...read,
    values: {
      ...values,
      isSet: (name) => (name === own ? release !== undefined : values.isSet(name)),
      string: (name) =>
        name === own ? releaseName(release ?? newestRelease) : values.string(name),
    },
  };
};
