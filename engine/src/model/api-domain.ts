/** API domains (`k8s.io`, `platform.io`) and all names that contain one. */
import type { Release } from './release.ts';

/** Suffixes of API groups; the first one is the default. */
export const apiDomains = ['platform.io', 'k8s.io'] as const;

export type ApiDomain = (typeof apiDomains)[number];

/** The domain of Kubernetes. */
export const kubernetesDomain: ApiDomain = 'k8s.io';

/** Returns the API group of the configuration file: `apiserver.config.k8s.io`. */
export const configGroup = (domain: string): string => `apiserver.config.${domain}`;

/** Returns the API group of some older configuration kinds: `apiserver.k8s.io`. */
export const legacyConfigGroup = (domain: string): string => `apiserver.${domain}`;

/**
 * Returns the extra key for the ID of the credential: `authentication.kubernetes.io/credential-id`.
 */
export const credentialIdKey = (domain: string): string =>
  `authentication.${domain === kubernetesDomain ? 'kubernetes.io' : domain}/credential-id`;

/**
 * Returns the extra key for the ID of an issuer's token; `undefined` for releases that do not have
 * it.
 */
export const tokenCredentialIdKey = (domain: string, release: Release): string | undefined =>
  release < tokenCredentialIdSince ? undefined : credentialIdKey(domain);

const tokenCredentialIdSince: Release = 32;

/** Returns the domain in names of labels, types and annotations: `kubernetes.io`. */
const nameDomain = (domain: string): string =>
  domain === kubernetesDomain ? 'kubernetes.io' : domain;

/** Returns the types of Secrets that are bootstrap tokens, of this domain and of Kubernetes. */
export const bootstrapSecretTypes = (domain: string): readonly string[] => [
  ...new Set([domain, kubernetesDomain].map((name) => `bootstrap.${nameDomain(name)}/token`)),
];

/**
 * Returns the prefixes of WebSocket subprotocols that contain a bearer token, of this domain and of
 * Kubernetes.
 */
export const bearerProtocolPrefixes = (domain: string): readonly string[] => [
  ...new Set([domain, kubernetesDomain].map((name) => `base64url.bearer.authorization.${name}.`)),
];

/**
 * Returns the extra key for the node of a bound token's pod:
 * `authentication.kubernetes.io/node-name`.
 */
export const nodeNameKey = (domain: string): string =>
  `authentication.${nameDomain(domain)}/node-name`;

/** Returns the annotation of bootstrap roles that disables their reconciliation if `false`. */
export const autoUpdateKey = (domain: string): string =>
  `rbac.authorization.${nameDomain(domain)}/autoupdate`;

/** Returns the label of bootstrap roles and bindings: `kubernetes.io/bootstrapping`. */
export const bootstrappingKey = (domain: string): string => `${nameDomain(domain)}/bootstrapping`;

/** Returns the API group of roles and bindings. */
export const rbacGroup = (domain: string): string => `rbac.authorization.${domain}`;

/** Returns the API group of reviews and of the permissions for impersonation. */
export const authenticationGroup = (domain: string): string => `authentication.${domain}`;

/** Translates a Kubernetes name to the domain: `x.k8s.io` becomes `x.platform.io`. */
export const inDomain = (name: string, domain: string): string =>
  domain === kubernetesDomain
    ? name
    : name.replaceAll(kubernetesDomain, domain).replaceAll('kubernetes.io', nameDomain(domain));

/** Names of extra keys and audit annotations of service account tokens. */
export type IdentityKeyName =
  | 'credential-id'
  | 'pod-name'
  | 'pod-uid'
  | 'node-name'
  | 'node-uid'
  | 'issued-credential-id';

/** Returns the full name of a key: `authentication.kubernetes.io/pod-name`. */
export const identityKey = (domain: string, name: IdentityKeyName): string =>
  `authentication.${domain === kubernetesDomain ? 'kubernetes.io' : domain}/${name}`;

/** Returns the key of an audit annotation: `authentication.k8s.io/stale-token`. */
export const auditKey = (domain: string, name: string): string =>
  `authentication.${domain}/${name}`;

/**
 * Returns the domains in the private claims of service account tokens and the labels of their
 * Secrets: the configured one and that of Kubernetes, which other tools and older tokens use.
 */
export const accountNameDomains = (domain: string): readonly string[] => [
  ...new Set(
    [domain, kubernetesDomain].map((name) => (name === kubernetesDomain ? 'kubernetes.io' : name)),
  ),
];
