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
  fix: 'See docs/differences.md for the rule; the issuer has to make an ordinary token.',
});

export const tokenMalformed = defineRejection({
  code: 'AG5003',
  name: 'token-malformed',
  text: (problem: string) => `oidc: malformed jwt: ${problem}`,
  meaning: 'The header or the signature of the token cannot be read.',
  fix: 'Look whether the token was cut, wrapped or quoted on its way.',
});

export const algorithmNotAllowed = defineRejection({
  code: 'AG5004',
  name: 'algorithm-not-allowed',
  text: (allowed: readonly string[], algorithm: string) =>
    `oidc: id token signed with unsupported algorithm, expected ${goQuoteList(allowed)} got ${goQuote(algorithm)}`,
  meaning: 'The token is signed with an algorithm that is not allowed.',
  fix: 'Let the issuer sign with one of the listed algorithms.',
});

export const standardClaimType = defineRejection({
  code: 'AG5007',
  name: 'standard-claim-type',
  text: (problem: string) => `oidc: failed to unmarshal claims: ${problem}`,
  meaning: 'A standard claim has a type that kube-apiserver does not accept.',
  fix: 'The issuer has to send iss, sub, nonce and at_hash as text, aud as text or list, times as numbers.',
});

export const claimSourceMissing = defineRejection({
  code: 'AG5008',
  name: 'claim-source-missing',
  text: (problem: string) => `oidc: ${problem}`,
  meaning: '_claim_names refers to a source that _claim_sources does not contain.',
  fix: 'The issuer has to list the source, or leave the name out.',
});

export const audienceMismatch = defineRejection({
  code: 'AG5009',
  name: 'audience-mismatch',
  text: (expected: readonly string[], audience: readonly string[]) =>
    expected.length === 1
      ? `oidc: expected audience ${goQuote(expected[0] ?? '')} got ${goQuoteList(audience)}`
      : `oidc: expected audience in ${goQuoteList(expected.toSorted(byCodePoint))} got ${goQuoteList(audience)}`,
  meaning: 'None of the audiences of the token is accepted.',
  fix: 'Add the audience to issuer.audiences, or ask the issuer for a token with a configured one.',
});

export const tokenExpired = defineRejection({
  code: 'AG5010',
  name: 'token-expired',
  text: (expiry: GoSeconds) => `oidc: token is expired (Token Expiry: ${formatGoTime(expiry)})`,
  meaning: 'The token has expired, or its exp claim is missing.',
  fix: 'Get a new token; if it is new, compare the clocks.',
});

export const tokenNotYetValid = defineRejection({
  code: 'AG5011',
  name: 'token-not-yet-valid',
  text: (now: number, notBefore: GoSeconds) =>
    `oidc: current time ${formatGoMilliseconds(now)} before the nbf (not before) time: ${formatGoTime(notBefore)}`,
  meaning: 'The nbf claim is more than a minute in the future.',
  fix: 'Compare the clocks of issuer and server.',
});

export const issuerMismatch = defineRejection({
  code: 'AG5021',
  name: 'claims-not-readable',
  text: (expected: string, issuer: string) =>
    `oidc: id token issued by a different provider, expected ${goQuote(expected)} got ${goQuote(issuer)}`,
  meaning: 'The token was rejected for another reason.',
  fix: 'Run authgraph whoami with --explain.',
});
