/** /version: the release whose behaviour is followed, and who follows it. */

import { type OutputMap, outputMap } from '../../formats/output-value.ts';
import type { Release } from '../../model/release.ts';

export interface VersionFacts {
  readonly release: Release;
  /** Version of this product. */
  readonly productVersion: string;
  readonly nodeVersion: string;
  /** `linux/x64` */
  readonly platform: string;
}

/** The newest release whose server was recorded; configuration may be of a newer one. */
const newestServerRelease = 36;

/** The fields that clients read; `gitVersion` starts with the release, as they want it. */
export const versionObject = (facts: VersionFacts): OutputMap => {
  const release = Math.min(facts.release, newestServerRelease);
  return outputMap(
    ['major', '1'],
    ['minor', String(release)],
    ['emulationMajor', '1'],
    ['emulationMinor', String(release)],
    ['minCompatibilityMajor', '1'],
    ['minCompatibilityMinor', String(release - 1)],
    ['gitVersion', `v1.${release}.0+authgraph-${facts.productVersion}`],
    ['gitCommit', ''],
    ['gitTreeState', ''],
    ['buildDate', '1970-01-01T00:00:00Z'],
    ['goVersion', `node${facts.nodeVersion}`],
    ['compiler', 'authgraph'],
    ['platform', facts.platform],
  );
};
