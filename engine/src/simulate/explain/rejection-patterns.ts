/** Finds the code of a log message about a token of an issuer, which another server may have written. */
import {
  claimRule,
  distributedClaims,
  emailNotVerified,
  extraExpression,
  groupsExpression,
  issuerNotReady,
  keysNotAvailable,
  requiredClaimType,
  signatureInvalid,
  tooManyWaiting,
  uidExpression,
  usernameExpression,
  userRule,
} from '../../authenticators/jwt/rejections.ts';
import type { RejectionDescription } from '../../model/rejection.ts';
import {
  algorithmNotAllowed,
  audienceMismatch,
  claimSourceMissing,
  issuerMismatch,
  standardClaimType,
  tokenExpired,
  tokenMalformed,
  tokenNotYetValid,
  tokenRefused,
} from '../../signed-token/token-rejections.ts';

/** The beginnings of messages. The first row that matches is used. */
const patterns: readonly (readonly [pattern: RegExp, rejection: RejectionDescription])[] = [
  [/^oidc: authenticator not initialized/, issuerNotReady],
  [/^oidc: (?:verify token: )?refused: /, tokenRefused],
  [/^oidc: verify token: oidc: malformed jwt/, tokenMalformed],
  [/^oidc: verify token: oidc: id token signed with unsupported algorithm/, algorithmNotAllowed],
  [
    /^oidc: (?:verify token: failed to verify signature: fetching keys|could not expand distributed claims:) refused: more than /,
    tooManyWaiting,
  ],
  [/^oidc: verify token: failed to verify signature: fetching keys /, keysNotAvailable],
  [/^oidc: verify token: failed to verify signature: /, signatureInvalid],
  [/^oidc: verify token: oidc: failed to unmarshal claims: /, standardClaimType],
  [
    /^oidc: verify token: oidc: (?:source does not exist|failed to obtain source from claim name)/,
    claimSourceMissing,
  ],
  [/^oidc: verify token: oidc: expected audience /, audienceMismatch],
  [/^oidc: verify token: oidc: token is expired /, tokenExpired],
  [/^oidc: verify token: oidc: current time /, tokenNotYetValid],
  [/^oidc: could not expand distributed claims: /, distributedClaims],
  [
    /^oidc: (?:parse username claims|error evaluating username claim expression|empty username|username claim )/,
    usernameExpression,
  ],
  [/^oidc: (?:email not verified|parse 'email_verified' claim)/, emailNotVerified],
  [/^oidc: (?:parse groups claim|error evaluating group claim expression)/, groupsExpression],
  [/^oidc: (?:parse uid claim|error evaluating uid claim expression)/, uidExpression],
  [/^oidc: (?:required claim |parse claim )/, requiredClaimType],
  [/^oidc: error evaluating claim validation expression: /, claimRule],
  [/^oidc: error evaluating user info validation rule: /, userRule],
  [
    /^(?:oidc: error evaluating extra claim expression: |expression '.*' resulted in error: )/s,
    extraExpression,
  ],
  [/^oidc: /, issuerMismatch],
];

/** Returns the rejection with that message; `undefined` if it is not of the JWT authenticator. */
export const rejectionWithMessage = (message: string): RejectionDescription | undefined =>
  patterns.find(([pattern]) => pattern.test(message))?.[1];
