/**
 * Limits of what clients and issuers may send. A limit that is stricter than kube-apiserver has a
 * row in `differences.ts` and does not apply in `exact` mode.
 */

const kibibyte = 1024;

/** Characters of a bearer token; longer ones are not parsed. */
export const maxTokenLength = 256 * kibibyte;

/** Bytes of the decoded header of a token. */
export const maxTokenHeaderBytes = 8 * kibibyte;

/** Bytes of the decoded claims of a token. */
export const maxTokenPayloadBytes = 192 * kibibyte;

/** Nesting depth of the header or the claims. */
export const maxTokenDepth = 64;

/** Members of one object in the claims. */
export const maxTokenMembers = 4096;

/** Items of one list in the claims. */
export const maxTokenItems = 16_384;

/** Bytes of a discovery document, a key set or the response with a distributed claim. */
export const maxIssuerBodyBytes = 1024 * kibibyte;

export const maxKeysInSet = 256;

/** The number of groups of one identity, and the length of one group. */
export const maxGroups = 10_000;
export const maxGroupLength = 4 * kibibyte;

/** Cost of all expressions of one token together; each expression also has its own limit. */
export const maxTokenCost = 10_000_000;

/** Timeout of discovery, key sets and distributed claims. */
export const issuerTimeoutMs = 30_000;

/** Delay between two attempts of discovery. */
export const discoveryRetryMs = 10_000;

/** Minimum time until the next fetch of keys after one that returned no matching key. */
export const keyRefetchIntervalMs = 10_000;

/**
 * Tokens that wait for one fetch of an issuer's keys. If the limit is exceeded, the client with the
 * most loses one.
 */
export const maxKeyWaiters = 64;

/**
 * Distributed claims that one authenticator fetches concurrently. If the limit is exceeded, the
 * client with the most loses one.
 */
export const maxClaimFetches = 64;

/** Concurrent requests to one peer, such as a webhook. */
export const maxPeerRequests = 128;

/** Issuers of distributed claims that one authenticator caches. */
export const maxClaimIssuers = 64;

/** How long and how many accepted decisions are cached. */
export const defaultSuccessTtlMs = 10_000;
export const maxCachedDecisions = 32_768;

/** Memory of cached decisions, and of tokens that wait, for a program without a memory budget. */
export const defaultCacheBytes = 64 * 1024 * 1024;
export const defaultPendingTokenBytes = 64 * 1024 * 1024;

/**
 * Timeout of validating a token that callers wait for: one second more than a module has for its
 * own requests, so that the module's timeout message comes first.
 */
export const tokenCheckTimeoutMs = 31_000;

/** How long allowed impersonations are cached, and how many per constrained mode. */
export const impersonationTtlMs = 10_000;
export const maxCachedImpersonations = 10_000;

/** Callers whose last successful impersonation mode is cached. */
export const maxImpersonatorModes = 10_000;

/** The number of certificates that a client may send, and their total size. */
export const maxPeerCertificates = 10;
export const maxPeerChainBytes = 64 * kibibyte;

/** Bytes of a CA bundle. */
export const maxCertificateBundleBytes = 1024 * kibibyte;

/** Candidates that are tried as authorities of one certificate. */
export const maxSignatureChecks = 100;

/** Signatures that are verified only for the hint in an error message. */
export const maxHintChecks = 12;

/** Permissions (verb, group, resource, name) that one role or binding may grant. */
export const maxComparedPermissions = 100_000;
