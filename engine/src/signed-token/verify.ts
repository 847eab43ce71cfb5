/**
 * Is this token signed by its issuer, meant for us and valid now? The checks run in the order of the
 * real server, and each refusal has its words. The algorithm comes from the configuration and must
 * fit the key's type; the token only says which of the allowed ones it used.
 */
import type { Waiter } from '../fairness/waiter.ts';
import { goQuote, goQuoteList } from '../formats/go-quote.ts';
import { formatGoMilliseconds, formatGoTime, isAfter, isBefore } from '../formats/go-time.ts';
import { byCodePoint } from '../formats/string-order.ts';
import type { TraceSink } from '../model/trace.ts';
import type { HeaderReading, TokenHeader } from './header.ts';
import type { VerificationKey } from './key-set.ts';
import { type OpenedToken, openToken, type PeekedToken, signatureBytes } from './parse.ts';
import type { StandardClaims } from './standard-claims.ts';

/** `true`, or the words of the refusal. */
export type KeyAnswer = true | string;

export interface Verifier {
  readonly issuer: string;
  /** Allowed `alg` values, in the order in which messages list them. */
  readonly algorithms: readonly string[];
  readonly audiences: readonly string[];
  /** Does a key of the issuer fit the signature? */
  readonly checkSignature: (token: OpenedToken, waiter: Waiter) => KeyAnswer | Promise<KeyAnswer>;
  readonly readHeader: (text: string) => HeaderReading | undefined;
  /** Our own stricter rules about the form of a token; the words of the refusal. */
  readonly refuseForm: (token: PeekedToken, opened: OpenedToken) => string | undefined;
  /**
   * Look at audience and times before the signature too: `model/differences.ts`, `early-refusal`.
   * They only refuse there; nothing is believed before the signature is checked.
   */
  readonly refusesEarly: () => boolean;
  /** Up to 1.35 claims are checked before algorithm and signature; several audiences after them. */
  readonly checksClaimsFirst: boolean;
}

export interface VerifyContext {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly waiter: Waiter;
  readonly trace: TokenTrace | undefined;
}

/** Where the checks of one token are reported. */
export interface TokenTrace {
  readonly at: string;
  readonly sink: TraceSink;
}

/** `undefined` for a good token, else the words after `oidc: verify token: `. */
export const verifyToken = (
  token: PeekedToken,
  verifier: Verifier,
  context: VerifyContext,
): string | undefined | Promise<string | undefined> => {
  const opened = openToken(token, verifier.readHeader);
  if (opened.kind === 'error') {
    return reportRefusal(context, 'header', `oidc: malformed jwt: ${opened.error}`);
  }
  if (verifier.checksClaimsFirst) {
    const refusal = refuseReadClaims(token, verifier, context);
    if (refusal !== undefined) return refusal;
  }
  const unwanted = refuseHeader(opened.header, verifier) ?? verifier.refuseForm(token, opened);
  if (unwanted !== undefined) return reportRefusal(context, 'header', unwanted);
  if (context.trace !== undefined) {
    passed(context, 'header', `${opened.header.algorithm}, key ${goQuote(opened.header.keyId)}`);
  }
  const early = verifier.refusesEarly() && isOrdinary(token);
  if (early) {
    const refusal = refuseUnsigned(token, verifier, context);
    if (refusal !== undefined) return refusal;
  }
  const answer = verifier.checkSignature(opened, context.waiter);
  return answer instanceof Promise
    ? answer.then((settled) => afterSignature(token, verifier, { context, answer: settled, early }))
    : afterSignature(token, verifier, { context, answer, early });
};

/**
 * Tries the keys that the header may mean: those with its `kid`, or all where it names none. The
 * algorithm has to fit the key's type and curve.
 */
export const fitsAnyKey = (
  keys: readonly VerificationKey[],
  token: OpenedToken,
  from = 0,
): boolean | Promise<boolean> => {
  const { keyId, algorithm, understood } = token.header;
  if (!understood) return false;
  for (let index = from; index < keys.length; index += 1) {
    const key = keys[index];
    if (key?.prepared === undefined || (keyId !== '' && key.keyId !== keyId)) continue;
    if (!fitsKeyType(algorithm, key.prepared)) continue;
    const fits = key.prepared.verify(algorithm, token.signingInput, signatureBytes(token));
    if (fits instanceof Promise) {
      return fits.then((settled) => settled || fitsAnyKey(keys, token, index + 1));
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

const fitsKeyType = (
  algorithm: string,
  key: { readonly keyType: string; readonly curve?: string },
): boolean =>
  key.keyType === 'RSA'
    ? rsaAlgorithms.has(algorithm)
    : key.keyType === 'EC' && key.curve !== undefined && curveOf.get(algorithm) === key.curve;

const refuseHeader = (header: TokenHeader, { algorithms }: Verifier): string | undefined =>
  algorithms.includes(header.algorithm)
    ? undefined
    : `oidc: id token signed with unsupported algorithm, expected ${goQuoteList(algorithms)} got ${goQuote(header.algorithm)}`;

interface SignatureOutcome {
  readonly context: VerifyContext;
  readonly answer: KeyAnswer;
  /** The claims were looked at before, at the same time of day. */
  readonly early: boolean;
}

const afterSignature = (
  token: PeekedToken,
  verifier: Verifier,
  { context, answer, early }: SignatureOutcome,
): string | undefined => {
  if (answer !== true)
    return reportRefusal(context, 'signature', `failed to verify signature: ${answer}`);
  passed(context, 'signature');
  const refusal =
    (verifier.checksClaimsFirst ? undefined : refuseReadClaims(token, verifier, context, early)) ??
    refuseSeveralAudiences(token, verifier, context);
  if (refusal === undefined) tellClaims(context, token);
  return refusal;
};

/** Returns why the claims are rejected; unreadable claims come first. */
const refuseReadClaims = (
  { payload: { standard } }: PeekedToken,
  verifier: Verifier,
  context: VerifyContext,
  early = false,
): string | undefined => {
  if (standard.kind === 'error') {
    return reportRefusal(
      context,
      'standard claims',
      `oidc: failed to unmarshal claims: ${standard.error}`,
    );
  }
  const { claims } = standard;
  if (claims.sourceError !== undefined) {
    return reportRefusal(context, 'distributed claims', claims.sourceError);
  }
  return early ? undefined : refuseClaims(claims, verifier, context);
};

/** Odd claims wait for their turn. */
const isOrdinary = ({ payload: { standard } }: PeekedToken): boolean =>
  standard.kind === 'claims' && standard.claims.sourceError === undefined;

/** What the claims are refused for, whoever signed them. */
const refuseUnsigned = (
  token: PeekedToken,
  verifier: Verifier,
  context: VerifyContext,
): string | undefined => {
  const { standard } = token.payload;
  if (standard.kind !== 'claims') return undefined;
  return (
    refuseClaims(standard.claims, verifier, context) ??
    refuseSeveralAudiences(token, verifier, context)
  );
};

/** A single audience is checked before the times, several audiences after everything else. */
const refuseSeveralAudiences = (
  { payload: { standard } }: PeekedToken,
  verifier: Verifier,
  context: VerifyContext,
): string | undefined => {
  if (verifier.audiences.length === 1 || standard.kind !== 'claims') return undefined;
  const none = refuseAudiences(standard.claims, verifier);
  return none === undefined ? undefined : reportRefusal(context, 'audience', none);
};

/** Issuer, the only audience, times. */
const refuseClaims = (
  claims: StandardClaims,
  verifier: Verifier,
  context: VerifyContext,
): string | undefined => {
  const { now } = context;
  const issuer = refuseIssuer(claims, verifier);
  if (issuer !== undefined) return reportRefusal(context, 'issuer', issuer);
  const only = verifier.audiences.length === 1 ? refuseOneAudience(claims, verifier) : undefined;
  if (only !== undefined) return reportRefusal(context, 'audience', only);
  const expired = refuseExpired(claims, now);
  if (expired !== undefined) return reportRefusal(context, 'expiry', expired);
  const early = refuseEarly(claims, now);
  return early === undefined ? undefined : reportRefusal(context, 'not before', early);
};

/** The words of the refusal, where no audience of the token is one of the verifier's. */
export const audienceRefusal = (
  claims: Pick<StandardClaims, 'audience'>,
  verifier: Pick<Verifier, 'audiences'>,
): string | undefined =>
  verifier.audiences.length === 1
    ? refuseOneAudience(claims, verifier)
    : refuseAudiences(claims, verifier);

const googleIssuer = 'https://accounts.google.com';

const refuseIssuer = ({ issuer }: StandardClaims, verifier: Verifier): string | undefined => {
  if (issuer === verifier.issuer) return undefined;
  if (verifier.issuer === googleIssuer && issuer === 'accounts.google.com') return undefined;
  return `oidc: id token issued by a different provider, expected ${goQuote(verifier.issuer)} got ${goQuote(issuer)}`;
};

const refuseOneAudience = (
  { audience }: Pick<StandardClaims, 'audience'>,
  { audiences }: Pick<Verifier, 'audiences'>,
): string | undefined => {
  const wanted = audiences[0] ?? '';
  return audience.includes(wanted)
    ? undefined
    : `oidc: expected audience ${goQuote(wanted)} got ${goQuoteList(audience)}`;
};

const refuseAudiences = (
  { audience }: Pick<StandardClaims, 'audience'>,
  { audiences }: Pick<Verifier, 'audiences'>,
): string | undefined =>
  audiences.some((wanted) => audience.includes(wanted))
    ? undefined
    : `oidc: expected audience in ${goQuoteList(audiences.toSorted(byCodePoint))} got ${goQuoteList(audience)}`;

const refuseExpired = ({ expiry }: StandardClaims, now: number): string | undefined =>
  isBefore(expiry, now)
    ? `oidc: token is expired (Token Expiry: ${formatGoTime(expiry)})`
    : undefined;

/** Clocks of issuers may be ahead by so much. */
const notBeforeLeewayMs = 60_000;

const refuseEarly = ({ notBefore }: StandardClaims, now: number): string | undefined =>
  notBefore !== undefined && isAfter(notBefore, now + notBeforeLeewayMs)
    ? `oidc: current time ${formatGoMilliseconds(now)} before the nbf (not before) time: ${formatGoTime(notBefore)}`
    : undefined;

const reportRefusal = ({ trace }: VerifyContext, what: string, refusal: string): string => {
  trace?.sink.step({ at: trace.at, what, outcome: 'failed', detail: refusal });
  return refusal;
};

const passed = ({ trace }: VerifyContext, what: string, detail?: string): void => {
  if (trace === undefined) return;
  const step = { at: trace.at, what, outcome: 'passed' } as const;
  trace.sink.step(detail === undefined ? step : { ...step, detail });
};

const tellClaims = (context: VerifyContext, { payload: { standard } }: PeekedToken): void => {
  if (context.trace === undefined || standard.kind !== 'claims') return;
  const { claims } = standard;
  passed(context, 'audience', goQuoteList(claims.audience));
  passed(context, 'expiry', formatGoTime(claims.expiry));
  if (claims.notBefore !== undefined) {
    passed(context, 'not before', formatGoTime(claims.notBefore));
  }
};
