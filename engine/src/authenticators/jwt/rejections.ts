/**
 * Reasons for which the JWT authenticator rejects a token, apart from those of
 * `signed-token/token-rejections.ts`. Kinds with the same code follow their description.
 */
import { goQuote } from '../../formats/go-quote.ts';
import { maxClaimFetches, maxKeyWaiters, maxTokenLength } from '../../model/limits.ts';
import { defineRejection } from '../../model/rejection.ts';
import {
  audienceMismatch,
  issuerMismatch,
  tokenRefused,
} from '../../signed-token/token-rejections.ts';

/** The prefix of the message if a token is not valid. */
export const verifyPrefix = 'oidc: verify token: ';

/** The prefix of the message if a distributed claim cannot be used. */
export const distributedPrefix = 'oidc: could not expand distributed claims: ';

export const issuerNotReady = defineRejection({
  code: 'AG5001',
  name: 'issuer-not-ready',
  text: () => 'oidc: authenticator not initialized',
  meaning: "The issuer's discovery document could not be read yet.",
});

export const tokenTooLong = defineRejection({
  ...tokenRefused,
  text: () => `${verifyPrefix}refused: a token of more than ${maxTokenLength} characters`,
});

/** Rejects a user that exceeds a limit; tokens are rejected by `tokenRefused`. */
export const userRefused = defineRejection({
  ...tokenRefused,
  text: (problem: string) => `oidc: refused: ${problem}`,
});

export const costExceeded = defineRejection({
  ...userRefused,
  text: () => userRefused.text('the expressions exceed the cost limit of a token'),
});

/** Follows `oidc: verify token: `. */
export const keysNotAvailable = defineRejection({
  code: 'AG5005',
  name: 'keys-not-available',
  text: (problem: string) => `failed to verify signature: fetching keys ${problem}`,
  meaning:
    'No cached key matches the token, and the key set of the issuer could not be fetched or read.',
});

/** Follows `oidc: verify token: `. */
export const signatureInvalid = defineRejection({
  code: 'AG5006',
  name: 'signature-invalid',
  text: () => 'failed to verify signature: failed to verify id token signature',
  meaning: 'No key in the key set of the issuer verifies the signature of the token.',
});

/** Follows `oidc: verify token: `. */
export const tooManyWaiting = defineRejection({
  code: 'AG5025',
  name: 'too-many-waiting',
  text: () =>
    `failed to verify signature: fetching keys refused: more than ${maxKeyWaiters} tokens are waiting for the keys of the issuer`,
  meaning: 'Too many tokens are waiting for the keys of the issuer or for distributed claims.',
});

/** Follows `oidc: could not expand distributed claims: `. */
export const tooManyFetches = defineRejection({
  ...tooManyWaiting,
  text: () => `refused: more than ${maxClaimFetches} distributed claims are being fetched`,
});

/** Follows `oidc: could not expand distributed claims: `. */
export const distributedClaims = defineRejection({
  code: 'AG5012',
  name: 'distributed-claims',
  text: (problem: string) => problem,
  meaning: 'The groups are in a distributed claim that could not be fetched or verified.',
});

/** The error of releases that convert all claims before an expression reads one. */
export const claimsNotConverted = defineRejection({
  ...issuerMismatch,
  text: (problem: string) => `oidc: could not convert claims to unstructured: ${problem}`,
});

export const usernameExpression = defineRejection({
  code: 'AG5013',
  name: 'username-mapping',
  text: (problem: string) => `oidc: error evaluating username claim expression: ${problem}`,
  meaning: 'The username could not be mapped from the claims.',
});

export const usernameClaim = defineRejection({
  ...usernameExpression,
  text: (problem: string, claim: string) =>
    `oidc: parse username claims ${goQuote(claim)}: ${problem}`,
});

export const emptyUsernameExpression = defineRejection({
  ...usernameExpression,
  text: () => 'oidc: empty username via CEL expression is not allowed',
});

export const emptyUsernameClaim = defineRejection({
  ...usernameExpression,
  text: (claim: string) => `oidc: username claim ${goQuote(claim)} is empty`,
});

export const emailNotVerified = defineRejection({
  code: 'AG5014',
  name: 'email-not-verified',
  text: () => 'oidc: email not verified',
  meaning: 'The username is the email claim, and email_verified is present but not true.',
});

export const emailVerifiedType = defineRejection({
  ...emailNotVerified,
  text: (problem: string) => `oidc: parse 'email_verified' claim: ${problem}`,
});

export const groupsExpression = defineRejection({
  code: 'AG5015',
  name: 'groups-mapping',
  text: (problem: string) => `oidc: error evaluating group claim expression: ${problem}`,
  meaning: 'The groups could not be mapped from the claims.',
});

export const groupsClaim = defineRejection({
  ...groupsExpression,
  text: (problem: string, claim: string) =>
    `oidc: parse groups claim ${goQuote(claim)}: ${problem}`,
});

export const uidExpression = defineRejection({
  code: 'AG5016',
  name: 'uid-mapping',
  text: (problem: string) => `oidc: error evaluating uid claim expression: ${problem}`,
  meaning: 'The UID could not be mapped from the claims.',
});

export const uidClaim = defineRejection({
  ...uidExpression,
  text: (problem: string, claim: string) => `oidc: parse uid claim ${goQuote(claim)}: ${problem}`,
});

/** Rejects a token if an expression for an extra value fails; the message has no prefix. */
export const extraExpression = defineRejection({
  code: 'AG5017',
  name: 'extra-mapping',
  text: (problem: string) => problem,
  meaning: 'An extra value could not be mapped from the claims.',
});

export const extraType = defineRejection({
  ...extraExpression,
  text: (expression: string, problem: string) =>
    `oidc: error evaluating extra claim expression: ${expression}: ${problem}`,
});

export const requiredClaimType = defineRejection({
  code: 'AG5018',
  name: 'required-claim',
  text: (problem: string, claim: string) => `oidc: parse claim ${claim}: ${problem}`,
  meaning: 'A claim does not have the value that a claim validation rule requires.',
});

export const requiredClaimMissing = defineRejection({
  ...requiredClaimType,
  text: (claim: string) => `oidc: required claim ${claim} not present in ID token`,
});

export const requiredClaimValue = defineRejection({
  ...requiredClaimType,
  text: (claim: string, value: string, required: string) =>
    `oidc: required claim ${claim} value does not match. Got = ${value}, want = ${required}`,
});

export const claimRule = defineRejection({
  code: 'AG5019',
  name: 'claim-rule',
  text: (problem: string) => `oidc: error evaluating claim validation expression: ${problem}`,
  meaning: 'A claim validation rule is false or could not be evaluated.',
});

export const userRule = defineRejection({
  code: 'AG5020',
  name: 'user-rule',
  text: (problem: string) => `oidc: error evaluating user info validation rule: ${problem}`,
  meaning: 'A user validation rule is false or could not be evaluated.',
});

/** Rejects a user that is accepted for audiences other than those of the request. */
export const otherAudiences = defineRejection({
  ...audienceMismatch,
  text: (accepted: readonly string[], requested: readonly string[]) =>
    `unable to match the audience: [${accepted.join(' ')}] , accepted: [${requested.join(' ')}]`,
});
