/**
 * A case of a test file (`*.authtest.yaml`) with all of its input: tables are expanded, and samples
 * and presets are read.
 */
import type { ClaimSet } from '../../signed-token/payload.ts';
import type { Span } from '../../source/span.ts';

/** A case, or a row of its table. */
export interface TestCase {
  /** The name; that of a row follows the name of its case: `developers / on call`. */
  readonly name: string;
  /** The first line of the case or the row in the test file. */
  readonly span: Span;
  /** The time at which the case is decided, in milliseconds since 1970. */
  readonly now: number;
  readonly input: TestInput;
  readonly expected: Expected;
}

/** What is authenticated. */
export type TestInput =
  /** Claims as if a valid token contained them; issuer, audience and times are checked. */
  | { readonly kind: 'claims'; readonly claims: TestClaims }
  /** A token that is signed with a test key and verified completely. */
  | { readonly kind: 'token'; readonly claims: TestClaims; readonly signing: TokenSigning }
  /** A whole request, which every authenticator may decide; `token` is signed and added to it. */
  | {
      readonly kind: 'request';
      readonly request: TestRequest;
      readonly token: { readonly claims: TestClaims; readonly signing: TokenSigning } | undefined;
    };

/** Claims, and the payload of a token that contains them. */
export interface TestClaims extends ClaimSet {
  /** JSON, with numbers as they are written in the file. */
  readonly payload: string;
}

/** How the token of a case is signed. */
export interface TokenSigning {
  /** A signature algorithm such as `ES256`; chosen among those of the authenticator if absent. */
  readonly algorithm: SigningAlgorithm | undefined;
  /** `issuer`: a key that the issuer publishes. `unknown`: another key, so that the signature is invalid. */
  readonly key: 'issuer' | 'unknown';
  /** Header parameters in addition to `alg` and `kid`. */
  readonly header: Readonly<Record<string, unknown>>;
}

/** The algorithms of the tokens that can be signed. */
export const testAlgorithms = [
  'ES256',
  'ES384',
  'ES512',
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
] as const;

export type SigningAlgorithm = (typeof testAlgorithms)[number];

/** A request before authentication. */
export interface TestRequest {
  readonly method: string;
  /** The path with its query. */
  readonly path: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  /** The certificates of the client; absent if it presents none. */
  readonly certificate: TestCertificate | undefined;
}

/**
 * The client certificate: a PEM file with its chain, or one that is issued by a test authority, which
 * replaces `--client-ca-file` or `--requestheader-client-ca-file`.
 */
export type TestCertificate =
  | { readonly kind: 'file'; readonly path: string; readonly span: Span }
  | {
      readonly kind: 'issued';
      readonly by: CertificateIssuer;
      readonly commonName: string;
      readonly organizations: readonly string[];
    };

/** The authority of `--client-ca-file`, that of `--requestheader-client-ca-file`, or another one. */
export const certificateIssuers = ['client-ca', 'requestheader-client-ca', 'unknown'] as const;

export type CertificateIssuer = (typeof certificateIssuers)[number];

/** What a case expects; every member that is present is compared. */
export interface Expected {
  /** The whole user: absent parts are empty. */
  readonly user?: ExpectedUser;
  /** Parts of the user: groups and extra keys may be more. */
  readonly userIncludes?: Partial<ExpectedUser>;
  /** Groups that the user must not have. */
  readonly withoutGroups?: readonly string[];
  /** A rejection; an empty object is any. */
  readonly rejected?: ExpectedRejection;
  /** A denied impersonation, with a part of the message of the 403; an empty string is any. */
  readonly forbidden?: string;
  /** The authenticator that decides: `jwt[0]`, `client-certificate`, or `none`. */
  readonly by?: string;
  /** The most that the expressions of the configuration may cost together. */
  readonly maxCost?: number;
}

export interface ExpectedUser {
  readonly username: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: ReadonlyMap<string, readonly string[]>;
}

export interface ExpectedRejection {
  /** The code of the rejection, such as `AG5021`. */
  readonly code?: string;
  /** The part of the configuration: `jwt[0].claimValidationRules[1]`. */
  readonly at?: string;
  /** A part of the message in the log of kube-apiserver. */
  readonly message?: string;
}
