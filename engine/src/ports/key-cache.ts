/**
 * The port that stores the last key set of an issuer, so that its tokens are accepted after a
 * restart while the issuer is down.
 */

export interface KeyCache {
  /**
   * Returns what was stored last for the issuer; `undefined` if there is nothing or it cannot be
   * read.
   */
  read(issuerUrl: string): Promise<string | undefined>;
  /** Stores the content. Never rejects: after a failure the cache is empty at the next start. */
  write(issuerUrl: string, text: string): Promise<void>;
}
