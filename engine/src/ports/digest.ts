/** SHA-256. */

/** SHA-256, plain and keyed. */
export interface Digest {
  /** Lower-case hex of the UTF-8 bytes. */
  sha256Hex(text: string): string;
  /** The 32 bytes of the digest. */
  sha256(bytes: Uint8Array): Uint8Array;
  /**
   * Keyed with a secret that lives as long as the process; for cache keys and fingerprints. Of
   * `head + tail`: who asks often with one head need not join them.
   */
  fingerprint(head: string, tail?: string): string;
}
