/**
 * Verifies the signature, issuer and audiences of a service account token, in kube-apiserver's
 * order. The objects in its claims are checked by the authenticators.
 */
import { goQuote, goQuoteList } from '../formats/go-quote.ts';
import { differs, type Mode } from '../model/differences.ts';
import { maxTokenLength } from '../model/limits.ts';
import type { AuthenticationRequest } from '../model/request.ts';
import { reveal } from '../model/secret.ts';
import type { TraceSink } from '../model/trace.ts';
import type { ClaimsReading, PublicClaims, ReadClaims } from './account-claims.ts';
import type { AccountKey, AccountKeys } from './account-keys.ts';
import type { HeaderReading } from './header.ts';
import { andThen } from './maybe-promise.ts';
import { type ParsedToken, type PeekedToken, parseToken } from './parse.ts';
import { peekOnce } from './peek-once.ts';
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
      /** True if the token has no audience. */
      readonly withoutAudience: boolean;
    }
  | {
      readonly kind: 'rejected';
      readonly message: string;
      /** The subject of a token without an audience, if it was read. */
      readonly withoutAudience?: string;
    }
  /** The token has another issuer. */
  | { readonly kind: 'other-issuer' };

/** Verifies a token; returns a promise only if verifying the signature is asynchronous. */
export const verifyAccountToken = <Private>(
  request: AuthenticationRequest,
  verifier: AccountVerifier<Private>,
  trace: TraceSink | undefined,
): AccountVerdict<Private> | Promise<AccountVerdict<Private>> => {
  const { token } = request;
  if (token === undefined) return otherIssuer;
  const { mode, at } = verifier;
  // The JWT authenticator reports that the token is too long.
  if (differs(mode, 'token-size') && reveal(token).length > maxTokenLength) return otherIssuer;
  const peeked = peekOnce(token);
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
  if (formatProblem !== undefined) return rejected(formatProblem);
  const { keyId } = opened.header;
  const keys = keyId === '' ? verifier.keys.all : verifier.keys.byId.get(keyId);
  if (keys === undefined || keys.length === 0) return rejected('invalid signature, no keys found');
  return andThen(
    readWithKeys({ peeked, opened, keys, readClaims: verifier.readClaims }),
    (reading) => afterSignature(reading, { request, verifier, trace }),
  );
};

const otherIssuer = { kind: 'other-issuer' } as const;

const rejected = (message: string) => ({ kind: 'rejected', message }) as const;

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

/** Tries the keys in order until the signature matches and the claims can be decoded. */
const readWithKeys = <Private>(
  token: SignedToken<Private>,
  from = 0,
  errors: readonly string[] = [],
): ClaimsReading<Private> | Promise<ClaimsReading<Private>> => {
  const key = token.keys[from];
  if (key === undefined) return { kind: 'error', error: aggregateErrors(errors) };
  return andThen(isSignedByAnyKey([key], token.opened), (fits) => {
    const reading = fits ? token.readClaims(token.peeked) : invalidSignature;
    return reading.kind === 'claims'
      ? reading
      : readWithKeys(token, from + 1, [...errors, reading.error]);
  });
};

const invalidSignature = { kind: 'error', error: cryptoFailure } as const;

/** Formats several errors as kube-apiserver does, without duplicates. */
const aggregateErrors = (errors: readonly string[]): string => {
  const distinct = [...new Set(errors)];
  return distinct.length === 1 ? (distinct[0] ?? '') : `[${distinct.join(', ')}]`;
};

interface SignatureContext<Private> {
  readonly request: AuthenticationRequest;
  readonly verifier: AccountVerifier<Private>;
  readonly trace: TraceSink | undefined;
}

const afterSignature = <Private>(
  reading: ClaimsReading<Private>,
  { request, verifier, trace }: SignatureContext<Private>,
): AccountVerdict<Private> => {
  const { at, apiAudiences } = verifier;
  if (reading.kind === 'error') {
    trace?.step({ at, what: 'signature', outcome: 'failed', detail: reading.error });
    return rejected(reading.error);
  }
  trace?.step({ at, what: 'signature', outcome: 'passed' });
  const claims = reading.public;
  if (!verifier.issuers.has(claims.issuer)) {
    return rejected(`token issuer ${goQuote(claims.issuer)} is invalid`);
  }
  const withoutAudience = claims.audience.length === 0;
  const tokenAudiences = withoutAudience ? apiAudiences : claims.audience;
  const requested = request.audiences.length === 0 ? apiAudiences : request.audiences;
  const audiences = requested.filter((audience) => tokenAudiences.includes(audience));
  if (audiences.length === 0 && apiAudiences.length > 0) {
    const message = `token audiences ${goQuoteList(tokenAudiences)} is invalid for the target audiences ${goQuoteList(requested)}`;
    trace?.step({ at, what: 'audience', outcome: 'failed', detail: message });
    return withoutAudience
      ? { kind: 'rejected', message, withoutAudience: claims.subject }
      : rejected(message);
  }
  if (trace !== undefined) {
    trace.step({ at, what: 'audience', outcome: 'passed', detail: goQuoteList(audiences) });
  }
  return {
    kind: 'valid',
    public: claims,
    private: reading.private,
    audiences,
    withoutAudience,
  };
};
