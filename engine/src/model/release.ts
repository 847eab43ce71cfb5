/** The supported Kubernetes releases and what each added to the configuration. */

/**
 * A Kubernetes minor version: `37` for 1.37.
 *
 * @example
 * ```ts
 * const release: Release = 34;
 * ```
 */
export type Release = 30 | 31 | 32 | 33 | 34 | 35 | 36 | 37;

/** The supported releases, oldest first. */
export const releases: readonly Release[] = [30, 31, 32, 33, 34, 35, 36, 37];

/**
 * The oldest supported release.
 *
 * @example
 * ```ts
 * const settings = settingsFor(oldestRelease);
 * ```
 */
export const oldestRelease: Release = 30;
/**
 * The newest supported release; the default everywhere.
 *
 * @example
 * ```ts
 * const settings = settingsFor(newestRelease);
 * ```
 */
export const newestRelease: Release = 37;

/** Formats a release for flags and pages: `1.37`. */
export const releaseName = (release: Release): string => `1.${release}`;

/** The supported releases for flags and their errors: `1.30 to 1.37`. */
export const supportedReleases = `${releaseName(oldestRelease)} to ${releaseName(newestRelease)}`;

/**
 * Parses `1.34`, `v1.34`, `1.34.2` or `newest`; returns `undefined` for an unsupported release.
 *
 * @example
 * ```ts
 * const release = parseRelease('1.34');
 * if (release !== undefined) compile({ source, settings: settingsFor(release) });
 * ```
 */
export const parseRelease = (text: string): Release | undefined => {
  if (text === 'newest' || text === 'latest') return newestRelease;
  const match = /^v?1\.(\d+)(?:\.\d+)?$/.exec(text);
  const minor = Number(match?.[1]);
  return minor >= oldestRelease && minor <= newestRelease ? (minor as Release) : undefined;
};

export type ConfigurationFeature = 'version v1' | 'field anonymous' | 'field egressSelectorType';

export interface FeatureHistory {
  readonly feature: ConfigurationFeature;
  /** The first release that supports the feature without a feature gate. */
  readonly since: Release;
  /** What an older release does, in one sentence. */
  readonly before: string;
}

/** Configuration features by release. Function libraries declare their releases themselves. */
export const configurationFeatures: readonly FeatureHistory[] = [
  {
    feature: 'version v1',
    since: 34,
    before: 'rejects the file because the version is not registered; use v1beta1',
  },
  {
    feature: 'field anonymous',
    since: 32,
    before:
      'requires the feature gate AnonymousAuthConfigurableEndpoints (1.31) or does not have the field',
  },
  {
    feature: 'field egressSelectorType',
    since: 34,
    before: 'rejects the file because the field is unknown',
  },
];

/**
 * The first release in which `or()` and `orValue()` fail on a value that is not optional; earlier
 * ones return the value.
 */
export const strictOptionalsSince: Release = 37;

export const historyOf = (feature: ConfigurationFeature): FeatureHistory => {
  const found = configurationFeatures.find((history) => history.feature === feature);
  if (found === undefined) throw new Error(`unreachable: no history of ${feature}`);
  return found;
};
