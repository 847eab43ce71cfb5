/** Checking signatures with keys made ready once. */

/** A public key of a key set, as RFC 7517 JSON members that were already judged. */
export type PublicJwk = Readonly<Record<string, unknown>>;

export interface PreparedKey {
  readonly keyType: 'RSA' | 'EC' | 'OKP';
  /** `P-256`; absent for RSA. */
  readonly curve?: string;
  /**
   * Is this the key's signature over the signing input (`header.payload`, ASCII)? A value where the
   * check is short, a promise where it runs elsewhere. The signature's bytes may change once the
   * call has returned: who needs them longer makes a copy.
   */
  verify(
    algorithm: string,
    signingInput: string,
    signature: Uint8Array,
  ): boolean | Promise<boolean>;
}

export interface Signatures {
  /** Throws an `Error` for a key that cannot be used. */
  prepare(jwk: PublicJwk): PreparedKey;
}
