/**
 * Verifies the signature, issuer, audience and times of a token, in kube-apiserver's order and with
 * its messages. The configuration determines the allowed algorithms; the token only selects one of
 * them, which must match the type of the key.
 */
import type { Waiter } from '../fairness/waiter.ts';
import { goQuote, goQuoteList } from '../formats/go-quote.ts';
import { formatGoMilliseconds, formatGoTime, isAfter, isBefore } from '../formats/go-time.ts';
import { byCodePoint } from '../formats/string-order.ts';
import type { TraceSink } from '../model/trace.ts';
import type { HeaderReading, TokenHeader } from './header.ts';
import type { VerificationKey } from './key-set.ts';
import { type ParsedToken, type PeekedToken, parseToken, signatureBytes } from './parse.ts';
import type { StandardClaims } from './standard-claims.ts';

/** `true`, or the error message. */
export type SignatureCheckResult = true | string;

export interface Verifier {
  readonly issuer: string;
  /** Allowed `alg` values, in the order in which messages list them. */
  readonly algorithms: readonly string[];
  readonly audiences: readonly string[];
  /** Verifies the signature with the keys of the issuer. */
  readonly checkSignature: (
    token: ParsedToken,
    waiter: Waiter,
  ) => SignatureCheckResult | Promise<SignatureCheckResult>;
  readonly readHeader: (text: string) => HeaderReading | undefined;
  /**
   * Checks the rules about the format that are stricter than kube-apiserver; returns the error
   * message.
   */
  readonly formatProblem: (token: PeekedToken, opened: ParsedToken) => string | undefined;
  /**
   * Returns true to check audience and times before the signature as well, see `early-rejection` in
   * `model/differences.ts`. These checks can only reject the token.
   */
  readonly rejectsEarly: () => boolean;
  /**
   * True up to 1.35: claims are checked before algorithm and signature, several audiences after
   * them.
   */
  readonly checksClaimsFirst: boolean;
}

export interface VerifyContext {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly waiter: Waiter;
  readonly trace: TokenTrace | undefined;
}

/** The trace in which the checks of one token are recorded. */
export interface TokenTrace {
  readonly at: string;
  readonly sink: TraceSink;
}

/**
 * Verifies a token; returns `undefined` if it is valid, otherwise an error worded to follow `oidc:
 * verify token: `.
 */
export const verifyToken = (
  token: PeekedToken,
  verifier: Verifier,
  context: VerifyContext,
): string | undefined | Promise<string | undefined> => {
  const opened = parseToken(token, verifier.readHeader);
  if (opened.kind === 'error') {
    return reportProblem(context, 'header', `oidc: malformed jwt: ${opened.error}`);
  }
  if (verifier.checksClaimsFirst) {
    const problem = claimsProblem(token, verifier, context);
    if (problem !== undefined) return problem;
  }
  const headerProblem =
    algorithmProblem(opened.header, verifier) ?? verifier.formatProblem(token, opened);
  if (headerProblem !== undefined) return reportProblem(context, 'header', headerProblem);
  if (context.trace !== undefined) {
    tracePassed(
      context,
      'header',
      `${opened.header.algorithm}, key ${goQuote(opened.header.keyId)}`,
    );
  }
  const early = verifier.rejectsEarly() && isOrdinary(token);
  if (early) {
    const problem = unverifiedClaimsProblem(token, verifier, context);
    if (problem !== undefined) return problem;
  }
  const answer = verifier.checkSignature(opened, context.waiter);
  return answer instanceof Promise
    ? answer.then((settled) => afterSignature(token, verifier, { context, answer: settled, early }))
    : afterSignature(token, verifier, { context, answer, early });
};

/**
 * Verifies the signature with the keys that the header may mean: those with its `kid`, or all if it
 * has none. The algorithm must match the key's type and curve.
 */
export const isSignedByAnyKey = (
  keys: readonly VerificationKey[],
  token: ParsedToken,
  from = 0,
): boolean | Promise<boolean> => {
  const { keyId, algorithm, isCritSupported } = token.header;
  if (!isCritSupported) return false;
  for (let index = from; index < keys.length; index += 1) {
    const key = keys[index];
    if (key?.prepared === undefined || (keyId !== '' && key.keyId !== keyId)) continue;
    if (!matchesKeyType(algorithm, key.prepared)) continue;
    const fits = key.prepared.verify(algorithm, token.signingInput, signatureBytes(token));
    if (fits instanceof Promise) {
      return fits.then((settled) => settled || isSignedByAnyKey(keys, token, index + 1));
    }
    if (fits) return true;
  }
  return false;
};

const curveOf: ReadonlyMap<string, string> = new Map([
  ['ES256', 'P-256'],
  ['ES384', 'P-384'],
  ['ES512', 'P-521'],
]);

const rsaAlgorithms = new Set(['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512']);

const matchesKeyType = (
  algorithm: string,
  key: { readonly keyType: string; readonly curve?: string },
): boolean =>
  key.keyType === 'RSA'
    ? rsaAlgorithms.has(algorithm)
    : key.keyType === 'EC' && key.curve !== undefined && curveOf.get(algorithm) === key.curve;

const algorithmProblem = (header: TokenHeader, { algorithms }: Verifier): string | undefined =>
  algorithms.includes(header.algorithm)
    ? undefined
    : `oidc: id token signed with unsupported algorithm, expected ${goQuoteList(algorithms)} got ${goQuote(header.algorithm)}`;

interface SignatureOutcome {
  readonly context: VerifyContext;
  readonly answer: SignatureCheckResult;
  /** The claims were already checked, with the same current time. */
  readonly early: boolean;
}

const afterSignature = (
  token: PeekedToken,
  verifier: Verifier,
  { context, answer, early }: SignatureOutcome,
): string | undefined => {
  if (answer !== true)
    return reportProblem(context, 'signature', `failed to verify signature: ${answer}`);
  tracePassed(context, 'signature');
  const problem =
    (verifier.checksClaimsFirst ? undefined : claimsProblem(token, verifier, context, early)) ??
    multipleAudiencesProblem(token, verifier, context);
  if (problem === undefined) traceClaims(context, token);
  return problem;
};

/** Returns why the claims are rejected; unreadable claims come first. */
const claimsProblem = (
  { payload: { standard } }: PeekedToken,
  verifier: Verifier,
  context: VerifyContext,
  early = false,
): string | undefined => {
  if (standard.kind === 'error') {
    return reportProblem(
      context,
      'standard claims',
      `oidc: failed to unmarshal claims: ${standard.error}`,
    );
  }
  const { claims } = standard;
  if (claims.sourceError !== undefined) {
    return reportProblem(context, 'distributed claims', claims.sourceError);
  }
  return early ? undefined : claimValuesProblem(claims, verifier, context);
};

/** Returns true if the claims can be checked before the signature. */
const isOrdinary = ({ payload: { standard } }: PeekedToken): boolean =>
  standard.kind === 'claims' && standard.claims.sourceError === undefined;

/** Returns the problem of claims whose signature is not yet verified. */
const unverifiedClaimsProblem = (
  token: PeekedToken,
  verifier: Verifier,
  context: VerifyContext,
): string | undefined => {
  const { standard } = token.payload;
  if (standard.kind !== 'claims') return undefined;
  return (
    claimValuesProblem(standard.claims, verifier, context) ??
    multipleAudiencesProblem(token, verifier, context)
  );
};

/**
 * Returns the problem if none of several audiences matches. They are checked last; a single
 * audience is checked before the times.
 */
const multipleAudiencesProblem = (
  { payload: { standard } }: PeekedToken,
  verifier: Verifier,
  context: VerifyContext,
): string | undefined => {
  if (verifier.audiences.length === 1 || standard.kind !== 'claims') return undefined;
  const none = anyAudienceProblem(standard.claims, verifier);
  return none === undefined ? undefined : reportProblem(context, 'audience', none);
};

/** Returns the problem of the issuer, the only audience, or the times. */
const claimValuesProblem = (
  claims: StandardClaims,
  verifier: Verifier,
  context: VerifyContext,
): string | undefined => {
  const { now } = context;
  const issuer = issuerProblem(claims, verifier);
  if (issuer !== undefined) return reportProblem(context, 'issuer', issuer);
  const only =
    verifier.audiences.length === 1 ? singleAudienceProblem(claims, verifier) : undefined;
  if (only !== undefined) return reportProblem(context, 'audience', only);
  const expired = expiryProblem(claims, now);
  if (expired !== undefined) return reportProblem(context, 'expiry', expired);
  const early = notBeforeProblem(claims, now);
  return early === undefined ? undefined : reportProblem(context, 'not before', early);
};

/** Returns the problem if the token has none of the verifier's audiences. */
export const audienceProblem = (
  claims: Pick<StandardClaims, 'audience'>,
  verifier: Pick<Verifier, 'audiences'>,
): string | undefined =>
  verifier.audiences.length === 1
    ? singleAudienceProblem(claims, verifier)
    : anyAudienceProblem(claims, verifier);

const googleIssuer = 'https://accounts.google.com';

const issuerProblem = ({ issuer }: StandardClaims, verifier: Verifier): string | undefined => {
  if (issuer === verifier.issuer) return undefined;
  if (verifier.issuer === googleIssuer && issuer === 'accounts.google.com') return undefined;
  return `oidc: id token issued by a different provider, expected ${goQuote(verifier.issuer)} got ${goQuote(issuer)}`;
};

const singleAudienceProblem = (
  { audience }: Pick<StandardClaims, 'audience'>,
  { audiences }: Pick<Verifier, 'audiences'>,
): string | undefined => {
  const expected = audiences[0] ?? '';
  return audience.includes(expected)
    ? undefined
    : `oidc: expected audience ${goQuote(expected)} got ${goQuoteList(audience)}`;
};

const anyAudienceProblem = (
  { audience }: Pick<StandardClaims, 'audience'>,
  { audiences }: Pick<Verifier, 'audiences'>,
): string | undefined =>
  audiences.some((expected) => audience.includes(expected))
    ? undefined
    : `oidc: expected audience in ${goQuoteList(audiences.toSorted(byCodePoint))} got ${goQuoteList(audience)}`;

const expiryProblem = ({ expiry }: StandardClaims, now: number): string | undefined =>
  isBefore(expiry, now)
    ? `oidc: token is expired (Token Expiry: ${formatGoTime(expiry)})`
    : undefined;

/** How far the issuer's clock may be ahead. */
const notBeforeLeewayMs = 60_000;

const notBeforeProblem = ({ notBefore }: StandardClaims, now: number): string | undefined =>
  notBefore !== undefined && isAfter(notBefore, now + notBeforeLeewayMs)
    ? `oidc: current time ${formatGoMilliseconds(now)} before the nbf (not before) time: ${formatGoTime(notBefore)}`
    : undefined;

const reportProblem = ({ trace }: VerifyContext, what: string, problem: string): string => {
  trace?.sink.step({ at: trace.at, what, outcome: 'failed', detail: problem });
  return problem;
};

const tracePassed = ({ trace }: VerifyContext, what: string, detail?: string): void => {
  if (trace === undefined) return;
  const step = { at: trace.at, what, outcome: 'passed' } as const;
  trace.sink.step(detail === undefined ? step : { ...step, detail });
};

const traceClaims = (context: VerifyContext, { payload: { standard } }: PeekedToken): void => {
  if (context.trace === undefined || standard.kind !== 'claims') return;
  const { claims } = standard;
  tracePassed(context, 'audience', goQuoteList(claims.audience));
  tracePassed(context, 'expiry', formatGoTime(claims.expiry));
  if (claims.notBefore !== undefined) {
    tracePassed(context, 'not before', formatGoTime(claims.notBefore));
  }
};
