/** The releases of the real server that we know, and what each brought to the configuration. */

/** A Kubernetes minor version, `37` for 1.37. */
export type Release = 30 | 31 | 32 | 33 | 34 | 35 | 36 | 37;

/** The oldest release that is followed. */
export const oldestRelease: Release = 30;
/** The newest release that is followed; the default everywhere. */
export const newestRelease: Release = 37;

/** `1.37`, as flags and pages write it. */
export const releaseName = (release: Release): string => `1.${release}`;

/** `1.30 to 1.37`, for flags and their errors. */
export const supportedReleases = `${releaseName(oldestRelease)} to ${releaseName(newestRelease)}`;

/** `1.34`, `v1.34`, `1.34.2` -> 34; `undefined` for a release we do not know. */
export const parseRelease = (text: string): Release | undefined => {
  const match = /^v?1\.(\d+)(?:\.\d+)?$/.exec(text);
  const minor = Number(match?.[1]);
  return minor >= oldestRelease && minor <= newestRelease ? (minor as Release) : undefined;
};

export type ConfigurationFeature = 'version v1' | 'field anonymous' | 'field egressSelectorType';

export interface FeatureHistory {
  readonly feature: ConfigurationFeature;
  /** The first release that reads it without a feature gate being set. */
  readonly since: Release;
  /** What an older release does, one sentence. */
  readonly before: string;
  /** `measured`: run on builds of that release; `documented`: from its documentation. */
  readonly evidence: 'measured' | 'documented';
}

/** Function libraries carry their own release, beside their declaration. */
export const configurationFeatures: readonly FeatureHistory[] = [
  {
    feature: 'version v1',
    since: 34,
    before: 'refuses the file: the version is not registered; write v1beta1',
    evidence: 'documented',
  },
  {
    feature: 'field anonymous',
    since: 32,
    before:
      'needs the feature gate AnonymousAuthConfigurableEndpoints (1.31) or does not know the field',
    evidence: 'documented',
  },
  {
    feature: 'field egressSelectorType',
    since: 34,
    before: 'refuses the file: the field is unknown',
    evidence: 'documented',
  },
];

/** First release in which `or()` and `orValue()` of a value that is not optional fail; earlier ones return the value. */
export const strictOptionalsSince: Release = 37;

export const historyOf = (feature: ConfigurationFeature): FeatureHistory => {
  const found = configurationFeatures.find((history) => history.feature === feature);
  if (found === undefined) throw new Error(`unreachable: no history of ${feature}`);
  return found;
};
