/** The domains whose names we speak: the one place where a domain suffix is spelled. */

/** Suffixes of API groups; the first is the default. */
export const apiDomains = ['platform.io', 'k8s.io'] as const;

export type ApiDomain = (typeof apiDomains)[number];

/** The domain that the real server knows. */
export const kubernetesDomain: ApiDomain = 'k8s.io';

/** The group of the configuration file's kinds: `apiserver.config.k8s.io`. */
export const configGroup = (domain: string): string => `apiserver.config.${domain}`;

/** The group in which some older configuration kinds live: `apiserver.k8s.io`. */
export const legacyConfigGroup = (domain: string): string => `apiserver.${domain}`;

/** Extra key that holds the id of the credential: `authentication.kubernetes.io/credential-id`. */
export const credentialIdKey = (domain: string): string =>
  `authentication.${domain === kubernetesDomain ? 'kubernetes.io' : domain}/credential-id`;
