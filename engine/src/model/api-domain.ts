/** The domains whose names we speak: the one place where a domain suffix is spelled. */
import type { Release } from './release.ts';

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

/** The same for tokens of issuers, which have none before that release. */
export const tokenCredentialIdKey = (domain: string, release: Release): string | undefined =>
  release < tokenCredentialIdSince ? undefined : credentialIdKey(domain);

const tokenCredentialIdSince: Release = 32;

/** What stands for the domain in the names of labels, types and annotations: `kubernetes.io`. */
const nameDomain = (domain: string): string =>
  domain === kubernetesDomain ? 'kubernetes.io' : domain;

/** Types of secrets that are bootstrap tokens: those of the domain, and the real server's. */
export const bootstrapSecretTypes = (domain: string): readonly string[] => [
  ...new Set([domain, kubernetesDomain].map((name) => `bootstrap.${nameDomain(name)}/token`)),
];

/** Beginnings of WebSocket sub-protocols that carry a bearer token, the domain's and the real server's. */
export const bearerProtocolPrefixes = (domain: string): readonly string[] => [
  ...new Set([domain, kubernetesDomain].map((name) => `base64url.bearer.authorization.${name}.`)),
];

/** Extra key that holds the node of a bound token's pod: `authentication.kubernetes.io/node-name`. */
export const nodeNameKey = (domain: string): string =>
  `authentication.${nameDomain(domain)}/node-name`;

/** Annotation of bootstrap roles: `false` keeps the server's hands off. */
export const autoUpdateKey = (domain: string): string =>
  `rbac.authorization.${nameDomain(domain)}/autoupdate`;

/** Label of bootstrap roles and bindings: `kubernetes.io/bootstrapping`. */
export const bootstrappingKey = (domain: string): string => `${nameDomain(domain)}/bootstrapping`;

/** The group of roles and bindings. */
export const rbacGroup = (domain: string): string => `rbac.authorization.${domain}`;

/** The group of reviews, and of what impersonation asks about. */
export const authenticationGroup = (domain: string): string => `authentication.${domain}`;

/** A name of the real server as the domain writes it: `x.k8s.io` -> `x.platform.io`. */
export const inDomain = (name: string, domain: string): string =>
  domain === kubernetesDomain
    ? name
    : name.replaceAll(kubernetesDomain, domain).replaceAll('kubernetes.io', nameDomain(domain));

/** Extra keys of service account tokens, and of what is noted when one is made. */
export type IdentityKeyName =
  | 'credential-id'
  | 'pod-name'
  | 'pod-uid'
  | 'node-name'
  | 'node-uid'
  | 'issued-credential-id';

/** `authentication.kubernetes.io/pod-name` */
export const identityKey = (domain: string, name: IdentityKeyName): string =>
  `authentication.${domain === kubernetesDomain ? 'kubernetes.io' : domain}/${name}`;

/** Key of a note in the audit log: `authentication.k8s.io/stale-token`. */
export const auditKey = (domain: string, name: string): string =>
  `authentication.${domain}/${name}`;

/**
 * The names under which tokens of service accounts hold claims of their own, and secrets labels about
 * such tokens: the domain's, and the real server's, which other tools and older tokens know.
 */
export const accountNameDomains = (domain: string): readonly string[] => [
  ...new Set(
    [domain, kubernetesDomain].map((name) => (name === kubernetesDomain ? 'kubernetes.io' : name)),
  ),
];
