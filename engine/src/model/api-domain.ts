/** The domains whose names we speak: the one place where a domain suffix is spelled. */

/** Suffixes of API groups; the first is the default. */
export const apiDomains = ['platform.io', 'k8s.io'] as const;

export type ApiDomain = (typeof apiDomains)[number];
