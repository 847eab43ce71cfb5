/** Making signatures with a private key of the operator's own. */

export interface TokenSigner {
  /** Of the public half: base64url of the SHA-256 of its DER form. */
  readonly keyId: string;
  /** `RS256` */
  readonly algorithm: string;
  /** Of the signing input (`header.payload`, ASCII), in the form that a JWS carries. */
  sign(signingInput: string): Promise<Uint8Array>;
}

export type SignerReading =
  | { readonly kind: 'signer'; readonly signer: TokenSigner }
  /** In the real server's words, without the path of the file. */
  | { readonly kind: 'unreadable'; readonly error: string }
  /** A private key that cannot sign tokens. */
  | { readonly kind: 'unfit'; readonly error: string };

export interface Signing {
  /** The first private key of a PEM text. */
  readSigner(pem: string): SignerReading;
}
