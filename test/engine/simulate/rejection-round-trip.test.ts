/** The message of every rejection, made with sample values, is explained as its own code. */
import { expect, test } from 'vitest';
import * as proxyRejections from '../../../engine/src/authenticators/authenticating-proxy/rejections.ts';
import * as clientRejections from '../../../engine/src/authenticators/client-certificate/rejections.ts';
import * as jwt from '../../../engine/src/authenticators/jwt/rejections.ts';
import * as shared from '../../../engine/src/authenticators/rejections.ts';
import * as webhook from '../../../engine/src/authenticators/webhook-token/rejections.ts';
import * as certificates from '../../../engine/src/certificates/rejections.ts';
import { type RejectionKind, rejectionOf } from '../../../engine/src/model/rejection.ts';
import * as runtime from '../../../engine/src/runtime/rejections.ts';
import * as account from '../../../engine/src/signed-token/account-rejections.ts';
import * as token from '../../../engine/src/signed-token/token-rejections.ts';
import { explainMessage } from '../../../engine/src/simulate/explain/explain-message.ts';

interface Sample {
  readonly kind: object;
  readonly code: string;
  readonly message: string;
}

const sample = <Args extends readonly unknown[]>(
  kind: RejectionKind<Args>,
  ...args: Args
): Sample => ({ kind, ...rejectionOf(kind, ...args) });

const after = (prefix: string, { message, ...rest }: Sample): Sample => ({
  ...rest,
  message: prefix + message,
});

const mistyped = 'json: cannot unmarshal number into Go value of type string';
const failed = "expression 'claims.hd' resulted in error: no such key: hd";
const unmet = 'validation expression \'claims.hd == "a"\' failed: another domain';
const expired = 'x509: certificate has expired or is not yet valid: current time is after';

const samples: readonly Sample[] = [
  ...[
    sample(token.tokenRefused, 'the header has crit or b64'),
    sample(token.tokenMalformed, 'go-jose/go-jose: compact JWS format must have three parts'),
    sample(token.algorithmNotAllowed, ['RS256'], 'HS256'),
    sample(token.standardClaimType, mistyped),
    sample(token.claimSourceMissing, 'source does not exist'),
    sample(token.claimSourceMissing, 'failed to obtain source from claim name'),
    sample(token.audienceMismatch, ['a'], ['b', 'c']),
    sample(token.audienceMismatch, ['a', 'd'], []),
    sample(token.tokenExpired, 1_700_000_000),
    sample(token.tokenNotYetValid, 1_700_000_000_000, 1_800_000_000),
    sample(token.issuerMismatch, 'https://a.example', 'https://b.example'),
    sample(jwt.keysNotAvailable, 'oidc: get keys failed: 500 Internal Server Error '),
    sample(jwt.keysNotAvailable, 'oidc: failed to decode keys: unexpected end of JSON input '),
    sample(jwt.keysNotAvailable, 'context canceled'),
    sample(jwt.signatureInvalid),
    sample(jwt.tooManyWaiting),
  ].map((one) => after(jwt.verifyPrefix, one)),
  ...[
    sample(jwt.distributedClaims, 'oidc: no claim sources'),
    sample(jwt.distributedClaims, 'while getting distributed claim "groups": EOF'),
    sample(
      jwt.distributedClaims,
      'verify distributed claim token: failed to verify signature: fetching keys refused: more than 9 tokens',
    ),
    sample(jwt.distributedClaims, 'context canceled'),
    sample(jwt.tooManyFetches),
  ].map((one) => after(jwt.distributedPrefix, one)),
  sample(jwt.issuerNotReady),
  sample(jwt.tokenTooLong),
  sample(
    jwt.claimsNotConverted,
    'json: cannot unmarshal number 1e400 into Go value of type float64',
  ),
  sample(jwt.userRefused, 'more than 10000 groups'),
  sample(jwt.costExceeded),
  sample(jwt.usernameExpression, failed),
  sample(jwt.usernameExpression, 'username claim expression must return a string'),
  sample(jwt.usernameClaim, mistyped, 'hd'),
  sample(jwt.usernameClaim, 'claim not present', 'email not verified'),
  sample(jwt.emptyUsernameExpression),
  sample(jwt.emptyUsernameClaim, 'sub'),
  sample(jwt.emailNotVerified),
  sample(jwt.emailVerifiedType, mistyped),
  sample(jwt.groupsExpression, failed),
  sample(jwt.groupsClaim, mistyped, 'groups'),
  sample(jwt.uidExpression, failed),
  sample(jwt.uidClaim, 'claim not present', 'oid'),
  sample(jwt.extraExpression, failed),
  sample(jwt.extraType, 'claims.hd', 'expression must return a string or a list of strings'),
  sample(jwt.requiredClaimType, mistyped, 'hd'),
  sample(jwt.requiredClaimMissing, 'hd'),
  sample(jwt.requiredClaimValue, 'hd', 'b.example', 'a.example'),
  sample(jwt.claimRule, unmet),
  sample(jwt.claimRule, failed),
  sample(jwt.userRule, unmet),
  sample(jwt.otherAudiences, ['a'], ['b']),
  sample(account.accountTokenRefused, 'the header has crit or b64'),
  sample(account.accountKeyMissing),
  sample(account.accountSignatureInvalid, ['go-jose/go-jose: error in cryptographic primitive']),
  sample(account.accountAudienceMismatch, ['a'], ['b']),
  sample(account.accountTokenTimes, 'has expired'),
  sample(account.accountTokenTimes, 'is not valid yet'),
  sample(account.accountTokenTimes, 'is issued in the future'),
  sample(account.accountNotFound, 'builder'),
  sample(account.accountDeleted, 'ci/builder'),
  sample(account.accountReplaced, '1', '2'),
  sample(account.boundObjectReplaced, 'pod', '1', '2'),
  sample(account.accountTokenInvalidated),
  sample(account.legacyAccountDeleted, 'ci/builder'),
  sample(account.legacyAccountReplaced, '1', '2'),
  sample(account.legacyTokenInvalidated),
  sample(account.legacyTokenReplaced),
  sample(
    account.legacyTokenMarkedInvalid,
    'ci/token',
    'ci/builder',
    'kubernetes.io/legacy-token-invalid-since',
  ),
  sample(account.accountClaimsUnreadable, [
    'go-jose/go-jose/jwt: expected number value to unmarshal NumericDate',
  ]),
  sample(account.accountIssuerInvalid, 'https://a.example'),
  sample(account.nodeBindingDisabled),
  ...['sub', 'namespace', 'secretName', 'serviceAccountName', 'serviceAccountUID'].map((claim) =>
    sample(account.legacyClaimMissing, claim),
  ),
  sample(account.legacySubjectInvalid),
  sample(certificates.certificateNotTrusted, 'x509: certificate signed by unknown authority'),
  sample(certificates.certificateUnreadable, 'refused: more than 10 certificates'),
  sample(clientRejections.clientNotTrusted, 'SN=1, SKID=, AKID=', expired),
  sample(clientRejections.severalUids, ['1', '2']),
  sample(clientRejections.emptyUid),
  sample(proxyRejections.proxyNameNotAllowed, 'front'),
  sample(runtime.internalError),
  sample(runtime.unexpectedAudiences, ['a']),
  sample(runtime.noAuthenticator),
  sample(runtime.tooManyChecks),
  sample(runtime.websocketProtocols, 'missing additional subprotocol'),
  sample(runtime.websocketProtocols, 'multiple base64.bearer.authorization tokens specified'),
  sample(runtime.websocketProtocols, 'invalid base64.bearer.authorization token'),
  sample(shared.requestCanceled, 'context canceled'),
  sample(shared.requestCanceled, 'context deadline exceeded'),
  sample(shared.requestCanceled, 'authentication timed out'),
  sample(webhook.webhookFailed, 'Post "https://w.example": EOF'),
  sample(webhook.webhookUserRefused, 'the review names no user'),
  sample(webhook.webhookOverloaded),
  sample(webhook.tooManyRequests, 100),
];

test.each(samples)('$message is $code', ({ code, message }) => {
  expect(explainMessage(message)?.rejection?.code).toBe(code);
});

/** Kinds whose whole message is written by an object store or by a webhook. */
const messagesOfOthers: readonly object[] = [shared.objectsUnavailable, webhook.webhookError];

test('every rejection has a sample', () => {
  const modules = [
    account,
    certificates,
    clientRejections,
    jwt,
    proxyRejections,
    runtime,
    shared,
    token,
    webhook,
  ];
  const kinds = modules.flatMap((exported) =>
    Object.entries<unknown>(exported).filter(
      ([, value]) => typeof value === 'object' && value !== null && 'text' in value,
    ),
  );
  const shown = new Set<unknown>([...samples.map(({ kind }) => kind), ...messagesOfOthers]);
  expect(kinds.length).toBeGreaterThan(50);
  expect(kinds.filter(([, kind]) => !shown.has(kind)).map(([name]) => name)).toEqual([]);
});
