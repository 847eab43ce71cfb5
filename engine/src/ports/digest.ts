/** The SHA-256 port. */

/**
 * Computes SHA-256, plain and keyed.
 *
 * @example
 * ```ts
 * const digest: Digest = nodePorts().digest;
 * console.log(hashGraph(graph, digest));
 * ```
 */
export interface Digest {
  /** Returns the digest of the UTF-8 bytes in lower-case hex. */
  sha256Hex(text: string): string;
  /** Returns the 32 bytes of the digest. */
  sha256(bytes: Uint8Array): Uint8Array;
  /**
   * Returns a digest of `head + tail`, keyed with a secret of the process; for cache keys and
   * fingerprints. Callers that reuse a head need not concatenate the strings.
   */
  fingerprint(head: string, tail?: string): string;
}
