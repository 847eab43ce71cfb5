/**
 * Verifies the signature, issuer and audiences of a service account token, in kube-apiserver's
 * order. The objects in its claims are checked by the authenticators.
 */
import { goQuoteList } from '../formats/go-quote.ts';
import type { Rejection } from '../model/decision.ts';
import { differs, type Mode } from '../model/differences.ts';
import { maxTokenLength } from '../model/limits.ts';
import { andThen } from '../model/maybe-promise.ts';
import { type RejectionKind, rejectionOf } from '../model/rejection.ts';
import type { AuthenticationRequest } from '../model/request.ts';
import { reveal } from '../model/secret.ts';
import type { TraceSink } from '../model/trace.ts';
import type { ClaimsReading, ReadClaims } from './account-claims.ts';
import type { AccountKey, AccountKeys } from './account-keys.ts';
import {
  accountAudienceMismatch,
  accountClaimsUnreadable,
  accountIssuerInvalid,
  accountKeyMissing,
  accountSignatureInvalid,
  accountTokenRefused,
} from './account-rejections.ts';
import type { PublicClaims } from './claim-types.ts';
import type { HeaderReading } from './header.ts';
import { type ParsedToken, type PeekedToken, parseToken } from './parse.ts';
import { tokenFormatProblem } from './token-format.ts';
import { isSignedByAnyKey } from './verify.ts';

export interface AccountVerifier<Private> {
  /** The name in traces. */
  readonly at: string;
  /** The accepted issuers, which must match exactly. */
  readonly issuers: ReadonlySet<string>;
  readonly keys: AccountKeys;
  /** Audiences of the API, used for requests and tokens that have none. */
  readonly apiAudiences: readonly string[];
  readonly mode: Mode;
  readonly readHeader: (text: string) => HeaderReading | undefined;
  readonly readClaims: ReadClaims<Private>;
}

export type AccountVerdict<Private> =
  | {
      readonly kind: 'valid';
      readonly public: PublicClaims;
      readonly private: Private;
      /** The requested audiences that the token has, in the order of the request. */
      readonly audiences: readonly string[];
      /** The subject of a token without an audience. */
      readonly withoutAudience: string | undefined;
    }
  | {
      readonly kind: 'rejected';
      readonly rejection: Rejection;
      /** The subject of a token without an audience, if it was read. */
      readonly withoutAudience?: string | undefined;
    }
  /** The token has another issuer. */
  | { readonly kind: 'other-issuer' };

/**
 * Verifies the token whose claims `peek` parses; returns a promise only if verifying the signature
 * is asynchronous.
 */
export const verifyAccountToken = <Private>(
  request: AuthenticationRequest,
  peek: () => PeekedToken | undefined,
  verifier: AccountVerifier<Private>,
  trace: TraceSink | undefined,
): AccountVerdict<Private> | Promise<AccountVerdict<Private>> => {
  const { token } = request;
  if (token === undefined) return otherIssuer;
  const { mode, at } = verifier;
  // The JWT authenticator reports that the token is too long.
  if (differs(mode, 'token-size') && reveal(token).length > maxTokenLength) return otherIssuer;
  const peeked = peek();
  if (peeked === undefined || !verifier.issuers.has(writtenIssuer(peeked))) {
    trace?.step({ at, what: 'issuer', outcome: 'skipped', detail: skipReason(peeked) });
    return otherIssuer;
  }
  const opened = parseToken(peeked, verifier.readHeader);
  if (opened.kind === 'error') {
    trace?.step({ at, what: 'header', outcome: 'skipped', detail: opened.error });
    return otherIssuer;
  }
  trace?.step({ at, what: 'issuer', outcome: 'passed', detail: peeked.payload.issuer });
  const formatProblem = tokenFormatProblem(peeked, opened, mode);
  if (formatProblem !== undefined) return rejected(rejectionOf(accountTokenRefused, formatProblem));
  const { keyId } = opened.header;
  const keys = keyId === '' ? verifier.keys.all : verifier.keys.byId.get(keyId);
  if (keys === undefined || keys.length === 0) return rejected(rejectionOf(accountKeyMissing));
  return andThen(
    readWithKeys({ peeked, opened, keys, readClaims: verifier.readClaims }),
    (reading) => afterSignature(reading, { request, verifier, trace }),
  );
};

const otherIssuer = { kind: 'other-issuer' } as const;

const rejected = (rejection: Rejection) => ({ kind: 'rejected', rejection }) as const;

const skipReason = (peeked: PeekedToken | undefined): string =>
  peeked === undefined
    ? 'the credential is not a compact JWT with readable claims'
    : `iss is ${JSON.stringify(peeked.payload.issuer)}`;

/** Returns the issuer as written; the JWT authenticator expands Google's short form. */
const writtenIssuer = ({ payload }: PeekedToken): string =>
  payload.claims.iss === 'accounts.google.com' ? 'accounts.google.com' : payload.issuer;

interface SignedToken<Private> {
  readonly peeked: PeekedToken;
  readonly opened: ParsedToken;
  readonly keys: readonly AccountKey[];
  readonly readClaims: ReadClaims<Private>;
}

const cryptoFailure = 'go-jose/go-jose: error in cryptographic primitive';

type VerifiedClaims<Private> =
  | Extract<ClaimsReading<Private>, { kind: 'claims' }>
  | { readonly kind: 'rejected'; readonly rejection: Rejection };

/**
 * Tries the keys in order until the signature matches and the claims can be decoded. If no key
 * does, the first one determines the reason.
 */
const readWithKeys = <Private>(
  token: SignedToken<Private>,
  from = 0,
  errors: readonly string[] = [],
  reason: RejectionKind<[errors: readonly string[]]> = accountSignatureInvalid,
): VerifiedClaims<Private> | Promise<VerifiedClaims<Private>> => {
  const key = token.keys[from];
  if (key === undefined) return rejected(rejectionOf(reason, errors));
  return andThen(isSignedByAnyKey([key], token.opened), (fits) => {
    const reading = fits ? token.readClaims(token.peeked) : invalidSignature;
    if (reading.kind === 'claims') return reading;
    const first = fits ? accountClaimsUnreadable : accountSignatureInvalid;
    return readWithKeys(token, from + 1, [...errors, reading.error], from === 0 ? first : reason);
  });
};

const invalidSignature = { kind: 'error', error: cryptoFailure } as const;

interface SignatureContext<Private> {
  readonly request: AuthenticationRequest;
  readonly verifier: AccountVerifier<Private>;
  readonly trace: TraceSink | undefined;
}

const afterSignature = <Private>(
  reading: VerifiedClaims<Private>,
  { request, verifier, trace }: SignatureContext<Private>,
): AccountVerdict<Private> => {
  const { at, apiAudiences } = verifier;
  if (reading.kind === 'rejected') {
    const { message } = reading.rejection;
    trace?.step({ at, what: 'signature', outcome: 'failed', detail: message });
    return reading;
  }
  trace?.step({ at, what: 'signature', outcome: 'passed' });
  const claims = reading.public;
  if (!verifier.issuers.has(claims.issuer)) {
    return rejected(rejectionOf(accountIssuerInvalid, claims.issuer));
  }
  const withoutAudience = claims.audience.length === 0 ? claims.subject : undefined;
  const tokenAudiences = withoutAudience === undefined ? claims.audience : apiAudiences;
  const requested = request.audiences.length === 0 ? apiAudiences : request.audiences;
  const audiences = requested.filter((audience) => tokenAudiences.includes(audience));
  if (audiences.length === 0 && apiAudiences.length > 0) {
    const rejection = rejectionOf(accountAudienceMismatch, tokenAudiences, requested);
    trace?.step({ at, what: 'audience', outcome: 'failed', detail: rejection.message });
    return { kind: 'rejected', rejection, withoutAudience };
  }
  if (trace !== undefined) {
    trace.step({ at, what: 'audience', outcome: 'passed', detail: goQuoteList(audiences) });
  }
  return { kind: 'valid', public: claims, private: reading.private, audiences, withoutAudience };
};
