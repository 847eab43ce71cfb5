/** The port that verifies signatures of certificates. */

export interface CertificateSignature {
  readonly scheme: 'rsa-pkcs1' | 'rsa-pss' | 'ecdsa' | 'ed25519';
  /** The digest; absent for Ed25519. The salt of PSS has the same length. */
  readonly digest?: 'sha256' | 'sha384' | 'sha512';
  /** SubjectPublicKeyInfo of the signer in DER; the same array for the same certificate. */
  readonly publicKeyInfo: Uint8Array;
  readonly signed: Uint8Array;
  readonly signature: Uint8Array;
}

export interface CertificateSignatures {
  /**
   * Verifies a signature. Returns false, and never throws, if the key or the signature cannot be
   * parsed.
   */
  verify(signature: CertificateSignature): boolean;
}
