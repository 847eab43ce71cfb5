/**
 * The `--oidc-*` flags as a configuration file for people: YAML, with comments for what a file
 * cannot express.
 */
import { newestVersion } from '../config/versions.ts';
import { readJsonMap } from '../formats/json-as-maps.ts';
import { writeYaml } from '../formats/write-yaml.ts';
import { configGroup, kubernetesDomain } from '../model/api-domain.ts';
import type { Release } from '../model/release.ts';
import { signingAlgorithms } from './settings.ts';

export interface FlagsFileFacts {
  readonly targetRelease: Release;
  /** The algorithms that `--oidc-signing-algs` allows. */
  readonly allowed: readonly string[];
}

/**
 * Returns the text of the file. `flagText` comes from `oidcConfigurationText`; the file has the
 * newest version that the release reads.
 */
export const flagsFileText = (
  flagText: string,
  { targetRelease, allowed }: FlagsFileFacts,
): string => {
  const jwt = readJsonMap(flagText)?.get('jwt');
  const comment = narrowsAlgorithms(allowed)
    ? `# --oidc-signing-algs=${allowed.join(',')} has no equivalent in this file: all nine algorithms are allowed,\n# for the keys that the issuer publishes.\n`
    : '';
  return `${comment}apiVersion: ${configGroup(kubernetesDomain)}/${newestVersion(targetRelease)}\nkind: AuthenticationConfiguration\n${writeYaml(new Map([['jwt', jwt ?? []]]))}`;
};

/** Returns true if the flag excludes an algorithm that a file allows. */
export const narrowsAlgorithms = (allowed: readonly string[]): boolean =>
  signingAlgorithms.some((algorithm) => !allowed.includes(algorithm));
