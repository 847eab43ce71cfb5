/** Public keys out of private ones. The core handles no private number: a key file may hold either half. */

/** The public half of a private key. */
export type PublicHalf =
  | { readonly kind: 'RSA'; readonly n: bigint; readonly e: bigint }
  /** The point is uncompressed: 4, x, y. */
  | { readonly kind: 'EC'; readonly curve: PrivateKeyCurve; readonly point: Uint8Array };

export type PrivateKeyCurve = 'P-256' | 'P-384' | 'P-521';

export interface PrivateKeys {
  /** `undefined` for bytes that kube-apiserver does not read as a private key of a key file. */
  publicHalfOf(der: Uint8Array): PublicHalf | undefined;
}
