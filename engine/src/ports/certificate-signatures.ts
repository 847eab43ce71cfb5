/** Checking the signatures of certificates. */

export interface CertificateSignature {
  readonly scheme: 'rsa-pkcs1' | 'rsa-pss' | 'ecdsa' | 'ed25519';
  /** Absent for Ed25519; the salt of PSS is as long as it. */
  readonly digest?: 'sha256' | 'sha384' | 'sha512';
  /** SubjectPublicKeyInfo of the signer, DER; the same array for the same certificate. */
  readonly publicKeyInfo: Uint8Array;
  readonly signed: Uint8Array;
  readonly signature: Uint8Array;
}

export interface CertificateSignatures {
  /** False also for a key or a signature that cannot be read; never throws. */
  verify(signature: CertificateSignature): boolean;
}
