/**
 * Reasons why a certificate is not trusted, and their messages, which are those of Go's
 * crypto/x509.
 */
import { goQuote } from '../formats/go-quote.ts';
import { formatRfc3339 } from '../formats/go-rfc3339.ts';
import { attributeTypes, type Certificate, commonName, subjectValues } from './certificate.ts';

export type ChainProblem =
  | { readonly kind: 'unhandled-critical-extension' }
  | { readonly kind: 'not-yet-valid'; readonly notBefore: number }
  | { readonly kind: 'expired'; readonly notAfter: number }
  | { readonly kind: 'no-authority' }
  | { readonly kind: 'path-too-long' }
  | { readonly kind: 'wrong-purpose' }
  | { readonly kind: 'name-not-permitted'; readonly detail: string }
  | { readonly kind: 'no-valid-chain'; readonly detail: string }
  /** The hint is the first problem of a candidate, if there was a candidate. */
  | { readonly kind: 'unknown-authority'; readonly hint?: CandidateProblem }
  | { readonly kind: 'too-many-checks' };

export interface CandidateProblem {
  readonly candidate: Certificate;
  /** A string if the signature was invalid or the candidate may not sign. */
  readonly problem: ChainProblem | string;
}

/** Messages of Go's crypto/x509, which also occur in TLS handshake errors. */
export const chainMessages = {
  outsideValidity: 'x509: certificate has expired or is not yet valid',
  unknownAuthority: 'x509: certificate signed by unknown authority',
  wrongPurpose: 'x509: certificate specifies an incompatible key usage',
  pathTooLong: 'x509: too many intermediates for path length constraint',
} as const;

/** Returns the message. `now` is in milliseconds since 1970. */
export const chainProblemMessage = (problem: ChainProblem, now: number): string => {
  switch (problem.kind) {
    case 'unhandled-critical-extension':
      return 'x509: unhandled critical extension';
    case 'not-yet-valid':
      return `${chainMessages.outsideValidity}: current time ${formatRfc3339(now)} is before ${formatRfc3339(problem.notBefore)}`;
    case 'expired':
      return `${chainMessages.outsideValidity}: current time ${formatRfc3339(now)} is after ${formatRfc3339(problem.notAfter)}`;
    case 'no-authority':
      return 'x509: certificate is not authorized to sign other certificates';
    case 'path-too-long':
      return chainMessages.pathTooLong;
    case 'wrong-purpose':
      return chainMessages.wrongPurpose;
    case 'name-not-permitted':
      return `x509: a root or intermediate certificate is not authorized to sign for this name: ${problem.detail}`;
    case 'no-valid-chain':
      return `x509: no valid chains built${problem.detail === '' ? '' : `: ${problem.detail}`}`;
    case 'unknown-authority':
      return `${chainMessages.unknownAuthority}${hintMessage(problem.hint, now)}`;
    case 'too-many-checks':
      return 'x509: signature check attempts limit reached while verifying certificate chain';
  }
};

const hintMessage = (hint: CandidateProblem | undefined, now: number): string => {
  if (hint === undefined) return '';
  const { candidate, problem } = hint;
  const why = typeof problem === 'string' ? problem : chainProblemMessage(problem, now);
  const name =
    commonName(candidate) ||
    (subjectValues(candidate, attributeTypes.organization)[0] ??
      `serial:${candidate.serialNumber}`);
  return ` (possibly because of ${goQuote(why)} while trying to verify candidate authority certificate ${goQuote(name)})`;
};
