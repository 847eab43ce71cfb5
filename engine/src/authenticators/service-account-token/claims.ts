/**
 * Creates the claims of a new token and signs it. Members are ordered by name, as in
 * kube-apiserver, so that equal requests produce equal bytes.
 */
import { serviceAccountUsername } from '../../formats/system-usernames.ts';
import type { TokenSigner } from '../../ports/signing.ts';
import type { ObjectClaim } from '../../signed-token/claim-types.ts';
import { type ClaimMap, type ClaimValue, signClaims } from '../../signed-token/sign-claims.ts';

export interface NewTokenClaims {
  /** The name of the claim for bound objects: `kubernetes.io`. */
  readonly boundName: string;
  readonly issuer: string;
  readonly audiences: readonly string[];
  readonly namespace: string;
  readonly account: ObjectClaim;
  readonly pod: ObjectClaim | undefined;
  readonly secret: ObjectClaim | undefined;
  readonly node: ObjectClaim | undefined;
  /** Seconds since 1970. */
  readonly issuedAt: number;
  readonly expiry: number;
  /** The time from which uses of the token are annotated as stale, in seconds since 1970. */
  readonly warnAfter: number | undefined;
  /** The unique ID of the token. */
  readonly id: string | undefined;
}

/** Returns the claims ordered by name, without empty ones. */
export const newTokenPayload = (claims: NewTokenClaims): ClaimMap => {
  const bound = new Map<string, ClaimValue>([
    ['namespace', orAbsent(claims.namespace)],
    ['node', objectClaim(claims.node)],
    ['pod', objectClaim(claims.pod)],
    ['secret', objectClaim(claims.secret)],
    ['serviceaccount', objectClaim(claims.account)],
    ['warnafter', claims.warnAfter],
  ]);
  const members: readonly (readonly [string, ClaimValue])[] = [
    ['aud', claims.audiences.length === 0 ? undefined : claims.audiences],
    ['exp', claims.expiry],
    ['iat', claims.issuedAt],
    ['iss', claims.issuer],
    ['jti', claims.id],
    [claims.boundName, bound],
    ['nbf', claims.issuedAt],
    ['sub', serviceAccountUsername(claims.namespace, claims.account.name)],
  ];
  return new Map(members.toSorted(([left], [right]) => (left < right ? -1 : 1)));
};

const orAbsent = (text: string): string | undefined => (text === '' ? undefined : text);

const objectClaim = (claim: ObjectClaim | undefined): ClaimMap | undefined =>
  claim &&
  new Map<string, ClaimValue>([
    ['name', orAbsent(claim.name)],
    ['uid', orAbsent(claim.uid)],
  ]);

/** Signs the token. */
export const signToken = (claims: NewTokenClaims, signer: TokenSigner): Promise<string> =>
  signClaims(newTokenPayload(claims), signer);
