/**
 * Is this token of a service account signed by one of our keys, and meant for whom it is shown to?
 * The checks run in the real server's order. What its claims name is for the modules to look at.
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
import { afterwards } from './maybe-promise.ts';
import { type OpenedToken, openToken, type PeekedToken } from './parse.ts';
import { peekOnce } from './peek-once.ts';
import { refuseForm } from './token-form.ts';
import { fitsAnyKey } from './verify.ts';

export interface AccountVerifier<Private> {
  /** Name in traces. */
  readonly at: string;
  /** Whose tokens are looked at; asked about the exact text. */
  readonly issuers: ReadonlySet<string>;
  readonly keys: AccountKeys;
  /** Stand for a request that asks for none, and for a token that names none. */
  readonly apiAudiences: readonly string[];
  readonly mode: Mode;
  readonly readHeader: (text: string) => HeaderReading | undefined;
  readonly readClaims: ReadClaims<Private>;
}

export type AccountVerdict<Private> =
  | {
      readonly kind: 'good';
      readonly public: PublicClaims;
      readonly private: Private;
      /** Those asked for that the token has, in the order in which they were asked for. */
      readonly audiences: readonly string[];
      /** It names no audience. */
      readonly withoutAudience: boolean;
    }
  | {
      readonly kind: 'refused';
      readonly message: string;
      /** The subject of a token that names no audience, where that far was read. */
      readonly withoutAudience?: string;
    }
  /** Not one of ours. */
  | { readonly kind: 'foreign' };

/** Waits only where a signature is checked elsewhere. */
export const verifyAccountToken = <Private>(
  request: AuthenticationRequest,
  verifier: AccountVerifier<Private>,
  trace: TraceSink | undefined,
): AccountVerdict<Private> | Promise<AccountVerdict<Private>> => {
  const { token } = request;
  if (token === undefined) return foreign;
  const { mode, at } = verifier;
  // Who reads every token says that it is too long.
  if (differs(mode, 'token-size') && reveal(token).length > maxTokenLength) return foreign;
  const peeked = peekOnce(token);
  if (peeked === undefined || !verifier.issuers.has(writtenIssuer(peeked))) {
    trace?.step({ at, what: 'issuer', outcome: 'skipped', detail: foreignText(peeked) });
    return foreign;
  }
  const opened = openToken(peeked, verifier.readHeader);
  if (opened.kind === 'error') {
    trace?.step({ at, what: 'header', outcome: 'skipped', detail: opened.error });
    return foreign;
  }
  trace?.step({ at, what: 'issuer', outcome: 'passed', detail: peeked.payload.issuer });
  const oddForm = refuseForm(peeked, opened, mode);
  if (oddForm !== undefined) return refused(oddForm);
  const { keyId } = opened.header;
  const keys = keyId === '' ? verifier.keys.all : verifier.keys.byId.get(keyId);
  if (keys === undefined || keys.length === 0) return refused('invalid signature, no keys found');
  return afterwards(
    readWithKeys({ peeked, opened, keys, readClaims: verifier.readClaims }),
    (reading) => afterSignature(reading, { request, verifier, trace }),
  );
};

const foreign = { kind: 'foreign' } as const;

const refused = (message: string) => ({ kind: 'refused', message }) as const;

const foreignText = (peeked: PeekedToken | undefined): string =>
  peeked === undefined
    ? 'the credential is no compact JWT with readable claims'
    : `the token says iss ${JSON.stringify(peeked.payload.issuer)}`;

/** A reading of OpenID Connect makes a longer form of one issuer's name; here it counts as written. */
const writtenIssuer = ({ payload }: PeekedToken): string =>
  payload.claims.iss === 'accounts.google.com' ? 'accounts.google.com' : payload.issuer;

interface SignedToken<Private> {
  readonly peeked: PeekedToken;
  readonly opened: OpenedToken;
  readonly keys: readonly AccountKey[];
  readonly readClaims: ReadClaims<Private>;
}

const cryptoFailure = 'go-jose/go-jose: error in cryptographic primitive';

/** One key after the other until the signature fits and the claims can be read. */
const readWithKeys = <Private>(
  token: SignedToken<Private>,
  from = 0,
  errors: readonly string[] = [],
): ClaimsReading<Private> | Promise<ClaimsReading<Private>> => {
  const key = token.keys[from];
  if (key === undefined) return { kind: 'error', error: aggregate(errors) };
  return afterwards(fitsAnyKey([key], token.opened), (fits) => {
    const reading = fits ? token.readClaims(token.peeked) : refusedSignature;
    return reading.kind === 'claims'
      ? reading
      : readWithKeys(token, from + 1, [...errors, reading.error]);
  });
};

const refusedSignature = { kind: 'error', error: cryptoFailure } as const;

/** Several errors as the real server prints them: repeated ones once. */
const aggregate = (errors: readonly string[]): string => {
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
    return refused(reading.error);
  }
  trace?.step({ at, what: 'signature', outcome: 'passed' });
  const claims = reading.public;
  if (!verifier.issuers.has(claims.issuer)) {
    return refused(`token issuer ${goQuote(claims.issuer)} is invalid`);
  }
  const withoutAudience = claims.audience.length === 0;
  const named = withoutAudience ? apiAudiences : claims.audience;
  const asked = request.audiences.length === 0 ? apiAudiences : request.audiences;
  const audiences = asked.filter((audience) => named.includes(audience));
  if (audiences.length === 0 && apiAudiences.length > 0) {
    const message = `token audiences ${goQuoteList(named)} is invalid for the target audiences ${goQuoteList(asked)}`;
    trace?.step({ at, what: 'audience', outcome: 'failed', detail: message });
    return withoutAudience
      ? { kind: 'refused', message, withoutAudience: claims.subject }
      : refused(message);
  }
  if (trace !== undefined) {
    trace.step({ at, what: 'audience', outcome: 'passed', detail: goQuoteList(audiences) });
  }
  return {
    kind: 'good',
    public: claims,
    private: reading.private,
    audiences,
    withoutAudience,
  };
};
