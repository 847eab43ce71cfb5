/**
 * The port that derives public keys from private keys. The core does not process private keys
 * itself, but a key file may contain either kind.
 */

/** The public half of a private key. */
export type PublicHalf =
  | { readonly kind: 'RSA'; readonly n: bigint; readonly e: bigint }
  /** The point is uncompressed: 4, x, y. */
  | { readonly kind: 'EC'; readonly curve: PrivateKeyCurve; readonly point: Uint8Array };

export type PrivateKeyCurve = 'P-256' | 'P-384' | 'P-521';

export interface PrivateKeys {
  /**
   * Returns the public half; `undefined` if kube-apiserver does not accept the bytes as a private
   * key of a key file.
   */
  publicHalfOf(der: Uint8Array): PublicHalf | undefined;
}
