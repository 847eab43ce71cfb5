/**
 * Limits of what strangers may send, in one place. Where a limit is stricter than the real server it
 * belongs to a row of `differences.ts`, and `exact` mode does without it.
 */

const kibibyte = 1024;

/** A bearer token as text; a longer one is never parsed. */
export const maxTokenLength = 256 * kibibyte;

/** The header of a token, decoded. */
export const maxTokenHeaderBytes = 8 * kibibyte;

/** The claims of a token, decoded. */
export const maxTokenPayloadBytes = 192 * kibibyte;

/** Levels of nesting in header or claims. */
export const maxTokenDepth = 64;

/** Members of one object in the claims. */
export const maxTokenMembers = 4096;

/** Items of one list in the claims. */
export const maxTokenItems = 16_384;

/** A discovery document, a key set, an answer of a distributed claim's endpoint. */
export const maxIssuerBodyBytes = 1024 * kibibyte;

export const maxKeysInSet = 256;

/** Groups of one identity, and characters of one group. */
export const maxGroups = 10_000;
export const maxGroupLength = 4 * kibibyte;

/** Cost units of all expressions of one token together; each alone has its own limit. */
export const maxTokenCost = 10_000_000;

/** Discovery, key sets and distributed claims. */
export const issuerTimeoutMs = 30_000;

/** Between two tries of discovery. */
export const discoveryRetryMs = 10_000;

/** Least time between two fetches of keys of which the first did not help. */
export const keyRefetchIntervalMs = 10_000;

/** Tokens that wait for one fetch of an issuer's keys; over it the client with the most loses one. */
export const maxKeyWaiters = 64;

/** Distributed claims that one authenticator fetches at the same time; over it the client with the most loses one. */
export const maxClaimFetches = 64;

/** Requests to one peer, such as a webhook, at the same time. */
export const maxPeerRequests = 128;

/** Issuers of distributed claims that one authenticator remembers. */
export const maxClaimIssuers = 64;

/** Accepted decisions are kept so long and so many. */
export const defaultSuccessTtlMs = 10_000;
export const maxCachedDecisions = 32_768;

/**
 * A check of a token that callers wait for: a second more than a module has for its own requests, so that
 * the module's message about the timeout comes first.
 */
export const tokenCheckTimeoutMs = 31_000;

/** Allowed impersonations are kept so long, and so many for each of the constrained modes. */
export const impersonationTtlMs = 10_000;
export const maxCachedImpersonations = 10_000;

/** Callers whose last good mode of impersonation is remembered. */
export const maxImpersonatorModes = 10_000;

/** Certificates that a client sends, and their bytes together; more are not looked at. */
export const maxPeerCertificates = 10;
export const maxPeerChainBytes = 64 * kibibyte;

/** A file of certificate authorities. */
export const maxCertificateBundleBytes = 1024 * kibibyte;

/** Candidates that are tried for the authorities of one certificate. */
export const maxSignatureChecks = 100;

/** Signatures that are checked for the words of a refusal alone. */
export const maxHintChecks = 12;

/** Single permissions (verb, group, resource, name) that one role or binding may grant. */
export const maxComparedPermissions = 100_000;
