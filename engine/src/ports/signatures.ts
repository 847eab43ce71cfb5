/** The port that verifies signatures of tokens. */

/** The members of a validated public key, as in RFC 7517. */
export type PublicJwk = Readonly<Record<string, unknown>>;

export interface PreparedKey {
  readonly keyType: 'RSA' | 'EC' | 'OKP';
  /** `P-256`; absent for RSA. */
  readonly curve?: string;
  /**
   * Verifies the signature of the signing input (`header.payload`, ASCII). Returns a promise if
   * another thread does it. The signature's bytes may change once the call has returned, so an
   * implementation that needs them longer must copy them.
   */
  verify(
    algorithm: string,
    signingInput: string,
    signature: Uint8Array,
  ): boolean | Promise<boolean>;
}

export interface Signatures {
  /** Prepares a key. Throws an `Error` if it cannot be used. */
  prepare(jwk: PublicJwk): PreparedKey;
}
