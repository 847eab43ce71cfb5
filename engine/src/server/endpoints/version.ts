/** The `/version` endpoint: the emulated release and this product's version. */

import { type OutputMap, outputMap } from '../../formats/output-value.ts';
import type { Release } from '../../model/release.ts';

export interface VersionFacts {
  readonly release: Release;
  /** The version of this product. */
  readonly productVersion: string;
  readonly nodeVersion: string;
  /** Example: `linux/x64`. */
  readonly platform: string;
}

/** The newest recorded kube-apiserver release; the configuration may target a newer one. */
const newestServerRelease = 36;

/** Returns the fields that clients read; `gitVersion` starts with the release, as they expect. */
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
