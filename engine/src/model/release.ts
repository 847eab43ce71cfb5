/** The releases of the real server that we know. */

/** A Kubernetes minor version, `37` for 1.37. */
export type Release = 30 | 31 | 32 | 33 | 34 | 35 | 36 | 37;

export const oldestRelease: Release = 30;
export const newestRelease: Release = 37;

export const releaseName = (release: Release): string => `1.${release}`;

/** `1.34`, `v1.34`, `1.34.2` -> 34; `undefined` for a release we do not know. */
export const parseRelease = (text: string): Release | undefined => {
  const match = /^v?1\.(\d+)(?:\.\d+)?$/.exec(text);
  const minor = Number(match?.[1]);
  return minor >= oldestRelease && minor <= newestRelease ? (minor as Release) : undefined;
};
