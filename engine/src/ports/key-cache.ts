/** Keeps what an issuer last served over a restart, so that its tokens work while it is down. */

export interface KeyCache {
  /** What was last stored for the issuer; `undefined` where nothing is or nothing can be read. */
  read(issuerUrl: string): Promise<string | undefined>;
  /** Never rejects: a cache that cannot be written is one that is empty next time. */
  write(issuerUrl: string, text: string): Promise<void>;
}
