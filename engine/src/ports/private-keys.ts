/**
 * The port that derives public keys from private keys. The core does not process private keys
 * itself, but a key file may contain either kind.
 */

import type { PublicKey } from '../formats/x509/public-key.ts';

export interface PrivateKeys {
  /**
   * Returns the public half; `undefined` if kube-apiserver does not accept the bytes as a private
   * key of a key file.
   */
  publicHalfOf(der: Uint8Array): PublicKey | undefined;
}
