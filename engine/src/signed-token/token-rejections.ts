/**
 * Reasons for which the token of an issuer is rejected when it is verified. Their messages are
 * go-oidc's, and follow `oidc: verify token: `.
 */
import { goQuote, goQuoteList } from '../formats/go-quote.ts';
import { formatGoMilliseconds, formatGoTime, type GoSeconds } from '../formats/go-time.ts';
import { byCodePoint } from '../formats/string-order.ts';
import { defineRejection } from '../model/rejection.ts';

export const tokenRefused = defineRejection({
  code: 'AG5002',
  name: 'token-refused-by-limit',
  text: (problem: string) => `refused: ${problem}`,
  meaning: 'The token violates a limit or a rule that is stricter than in kube-apiserver.',
});

export const tokenMalformed = defineRejection({
  code: 'AG5003',
  name: 'token-malformed',
  text: (problem: string) => `oidc: malformed jwt: ${problem}`,
  meaning: 'The header or the signature of the token cannot be read.',
});

export const algorithmNotAllowed = defineRejection({
  code: 'AG5004',
  name: 'algorithm-not-allowed',
  text: (allowed: readonly string[], algorithm: string) =>
    `oidc: id token signed with unsupported algorithm, expected ${goQuoteList(allowed)} got ${goQuote(algorithm)}`,
  meaning: 'The token is signed with an algorithm that is not allowed.',
});

export const standardClaimType = defineRejection({
  code: 'AG5007',
  name: 'standard-claim-type',
  text: (problem: string) => `oidc: failed to unmarshal claims: ${problem}`,
  meaning: 'A standard claim has a type that kube-apiserver does not accept.',
});

export const claimSourceMissing = defineRejection({
  code: 'AG5008',
  name: 'claim-source-missing',
  text: (problem: string) => `oidc: ${problem}`,
  meaning: '_claim_names refers to a source that _claim_sources does not contain.',
});

export const audienceMismatch = defineRejection({
  code: 'AG5009',
  name: 'audience-mismatch',
  text: (expected: readonly string[], audience: readonly string[]) =>
    expected.length === 1
      ? `oidc: expected audience ${goQuote(expected[0] ?? '')} got ${goQuoteList(audience)}`
      : `oidc: expected audience in ${goQuoteList(expected.toSorted(byCodePoint))} got ${goQuoteList(audience)}`,
  meaning: 'None of the audiences of the token is accepted.',
});

export const tokenExpired = defineRejection({
  code: 'AG5010',
  name: 'token-expired',
  text: (expiry: GoSeconds) => `oidc: token is expired (Token Expiry: ${formatGoTime(expiry)})`,
  meaning: 'The token has expired, or its exp claim is missing.',
});

export const tokenNotYetValid = defineRejection({
  code: 'AG5011',
  name: 'token-not-yet-valid',
  text: (now: number, notBefore: GoSeconds) =>
    `oidc: current time ${formatGoMilliseconds(now)} before the nbf (not before) time: ${formatGoTime(notBefore)}`,
  meaning: 'The nbf claim is more than a minute in the future.',
});

export const issuerMismatch = defineRejection({
  code: 'AG5021',
  name: 'other-token-rejection',
  text: (expected: string, issuer: string) =>
    `oidc: id token issued by a different provider, expected ${goQuote(expected)} got ${goQuote(issuer)}`,
  meaning: 'The token was rejected for a reason without a code of its own.',
});
