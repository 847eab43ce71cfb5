/** The port that signs tokens with a private key of the operator. */

export interface TokenSigner {
  /** The key ID: base64url of the SHA-256 of the public key in DER. */
  readonly keyId: string;
  /** `RS256` */
  readonly algorithm: string;
  /** Signs the signing input (`header.payload`, ASCII); returns the signature as in a JWS. */
  sign(signingInput: string): Promise<Uint8Array>;
}

export type SignerReading =
  | { readonly kind: 'signer'; readonly signer: TokenSigner }
  /** The error of kube-apiserver, without the path of the file. */
  | { readonly kind: 'unreadable'; readonly error: string }
  /** The key is valid, but cannot sign tokens. */
  | { readonly kind: 'unfit'; readonly error: string };

export interface Signing {
  /** Reads the first private key in PEM data. */
  readSigner(pem: string): SignerReading;
}
