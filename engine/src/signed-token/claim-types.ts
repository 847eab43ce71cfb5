/** The claims of service account tokens. */
import type { GoSeconds } from '../formats/go-time.ts';

/** The public claims; empty or `undefined` if absent. */
export interface PublicClaims {
  readonly issuer: string;
  readonly subject: string;
  readonly audience: readonly string[];
  readonly expiry: GoSeconds | undefined;
  readonly notBefore: GoSeconds | undefined;
  readonly issuedAt: GoSeconds | undefined;
  readonly id: string;
}

export interface ObjectClaim {
  readonly name: string;
  readonly uid: string;
}

/** The private claims of a token of the TokenRequest API. */
export interface BoundClaims {
  readonly namespace: string;
  readonly account: ObjectClaim;
  readonly pod: ObjectClaim | undefined;
  readonly secret: ObjectClaim | undefined;
  readonly node: ObjectClaim | undefined;
  readonly warnAfter: GoSeconds | undefined;
}
