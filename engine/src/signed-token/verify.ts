/**
 * Verifies the signature, issuer, audience and times of a token, in kube-apiserver's order and with
 * its messages. The configuration determines the allowed algorithms; the token only selects one of
 * them, which must match the type of the key.
 */
import type { Waiter } from '../fairness/waiter.ts';
import { goQuote, goQuoteList } from '../formats/go-quote.ts';
import { formatGoTime, isAfter, isBefore } from '../formats/go-time.ts';
import type { Rejection } from '../model/decision.ts';
import { andThen, firstResult, type MaybePromise } from '../model/maybe-promise.ts';
import { rejectionOf } from '../model/rejection.ts';
import type { TraceSink } from '../model/trace.ts';
import type { HeaderReading } from './header.ts';
import type { VerificationKey } from './key-set.ts';
import { type ParsedToken, type PeekedToken, parseToken } from './parse.ts';
import type { TokenPayload } from './payload.ts';
import type { StandardClaims } from './standard-claims.ts';
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
} from './token-rejections.ts';

/** `undefined` if a key verifies the signature. */
export type SignatureVerification = Rejection | undefined;

export interface Verifier {
  readonly issuer: string;
  /** Allowed `alg` values, in the order in which messages list them. */
  readonly algorithms: readonly string[];
  readonly audiences: readonly string[];
  /** Verifies the signature with the keys of the issuer. */
  readonly verifySignature: (
    token: ParsedToken,
    waiter: Waiter,
  ) => MaybePromise<SignatureVerification>;
  readonly readHeader: (text: string) => HeaderReading | undefined;
  /**
   * Checks the rules about the format that are stricter than kube-apiserver; returns the problem.
   */
  readonly formatProblem: (token: PeekedToken, parsed: ParsedToken) => string | undefined;
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
 * Verifies a token; returns `undefined` if it is valid, otherwise a rejection worded to follow
 * `oidc: verify token: `.
 */
export const verifyToken = (
  token: PeekedToken,
  verifier: Verifier,
  context: VerifyContext,
): Rejection | undefined | Promise<Rejection | undefined> => {
  const parsed = parseToken(token, verifier.readHeader);
  if (parsed.kind === 'error') {
    return reportProblem(context, 'header', rejectionOf(tokenMalformed, parsed.error));
  }
  if (verifier.checksClaimsFirst) {
    const problem = claimsProblem(token, verifier, context);
    if (problem !== undefined) return problem;
  }
  const { algorithm, keyId } = parsed.header;
  const { algorithms } = verifier;
  if (!algorithms.includes(algorithm)) {
    const problem = rejectionOf(algorithmNotAllowed, algorithms, algorithm);
    return reportProblem(context, 'header', problem);
  }
  const formatProblem = verifier.formatProblem(token, parsed);
  if (formatProblem !== undefined) {
    return reportProblem(context, 'header', rejectionOf(tokenRefused, formatProblem));
  }
  if (context.trace !== undefined) {
    tracePassed(context, 'header', `${algorithm}, key ${goQuote(keyId)}`);
  }
  const early = verifier.rejectsEarly() && isOrdinary(token);
  if (early) {
    const problem = unverifiedClaimsProblem(token, verifier, context);
    if (problem !== undefined) return problem;
  }
  return andThen(verifier.verifySignature(parsed, context.waiter), (answer) =>
    afterSignature(token, verifier, { context, answer, early }),
  );
};

/**
 * Verifies the signature with the keys that the header may mean: those with its `kid`, or all if it
 * has none. The algorithm must match the key's type and curve.
 */
export const isSignedByAnyKey = (
  keys: readonly VerificationKey[],
  token: ParsedToken,
): MaybePromise<boolean> => {
  const { keyId, algorithm, isCritSupported } = token.header;
  if (!isCritSupported) return false;
  const isSignedBy = firstResult(keys, (key) => {
    if (key.prepared === undefined || (keyId !== '' && key.keyId !== keyId)) return undefined;
    if (!matchesKeyType(algorithm, key.prepared)) return undefined;
    return andThen(
      key.prepared.verify(algorithm, token.signingInput, token.signature),
      (fits) => fits || undefined,
    );
  });
  return andThen(isSignedBy, (fits) => fits ?? false);
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

interface SignatureOutcome {
  readonly context: VerifyContext;
  readonly answer: SignatureVerification;
  /** The claims were already checked, with the same current time. */
  readonly early: boolean;
}

const afterSignature = (
  token: PeekedToken,
  verifier: Verifier,
  { context, answer, early }: SignatureOutcome,
): Rejection | undefined => {
  if (answer !== undefined) return reportProblem(context, 'signature', answer);
  tracePassed(context, 'signature');
  const problem =
    (verifier.checksClaimsFirst ? undefined : claimsProblem(token, verifier, context, early)) ??
    multipleAudiencesProblem(token, verifier, context);
  if (problem === undefined) traceClaims(context, token);
  return problem;
};

/** Returns why a token with these claims is rejected whatever its signature. */
export const claimsRejection = (
  payload: TokenPayload,
  verifier: ClaimsVerifier,
  now: number,
): Rejection | undefined => {
  const context = { now, trace: undefined };
  return (
    claimsProblem({ payload }, verifier, context) ??
    multipleAudiencesProblem({ payload }, verifier, context)
  );
};

type ClaimsVerifier = Pick<Verifier, 'issuer' | 'audiences'>;
type ClaimsContext = Pick<VerifyContext, 'now' | 'trace'>;
type ClaimsOfToken = Pick<PeekedToken, 'payload'>;

/** Returns why the claims are rejected; unreadable claims come first. */
const claimsProblem = (
  { payload: { standard } }: ClaimsOfToken,
  verifier: ClaimsVerifier,
  context: ClaimsContext,
  early = false,
): Rejection | undefined => {
  if (standard.kind === 'error') {
    return reportProblem(
      context,
      'standard claims',
      rejectionOf(standardClaimType, standard.error),
    );
  }
  const { claims } = standard;
  if (claims.sourceError !== undefined) {
    const problem = rejectionOf(claimSourceMissing, claims.sourceError);
    return reportProblem(context, 'distributed claims', problem);
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
): Rejection | undefined => {
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
  { payload: { standard } }: ClaimsOfToken,
  verifier: ClaimsVerifier,
  context: ClaimsContext,
): Rejection | undefined => {
  if (verifier.audiences.length === 1 || standard.kind !== 'claims') return undefined;
  const none = audienceProblem(standard.claims, verifier);
  return none === undefined ? undefined : reportProblem(context, 'audience', none);
};

/** Returns the problem of the issuer, the only audience, or the times. */
const claimValuesProblem = (
  claims: StandardClaims,
  verifier: ClaimsVerifier,
  context: ClaimsContext,
): Rejection | undefined => {
  const { now } = context;
  const { issuer, expiry, notBefore } = claims;
  if (!isIssuedBy(issuer, verifier)) {
    return reportProblem(context, 'issuer', rejectionOf(issuerMismatch, verifier.issuer, issuer));
  }
  const only = verifier.audiences.length === 1 ? audienceProblem(claims, verifier) : undefined;
  if (only !== undefined) return reportProblem(context, 'audience', only);
  if (isBefore(expiry, now)) {
    return reportProblem(context, 'expiry', rejectionOf(tokenExpired, expiry));
  }
  return notBefore !== undefined && isAfter(notBefore, now + notBeforeLeewayMs)
    ? reportProblem(context, 'not before', rejectionOf(tokenNotYetValid, now, notBefore))
    : undefined;
};

/** How far the issuer's clock may be ahead. */
const notBeforeLeewayMs = 60_000;

/** Returns the rejection of a token that has none of the verifier's audiences. */
export const audienceProblem = (
  { audience }: Pick<StandardClaims, 'audience'>,
  { audiences }: Pick<Verifier, 'audiences'>,
): Rejection | undefined =>
  audiences.some((expected) => audience.includes(expected))
    ? undefined
    : rejectionOf(audienceMismatch, audiences, audience);

const googleIssuer = 'https://accounts.google.com';

const isIssuedBy = (issuer: string, verifier: ClaimsVerifier): boolean =>
  issuer === verifier.issuer ||
  (verifier.issuer === googleIssuer && issuer === 'accounts.google.com');

const reportProblem = ({ trace }: ClaimsContext, what: string, problem: Rejection): Rejection => {
  trace?.sink.step({ at: trace.at, what, outcome: 'failed', detail: problem.message });
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
