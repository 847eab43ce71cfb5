/** The ports that a graph needs to run. */
import type { CertificateSignatures } from './certificate-signatures.ts';
import type { Clock } from './clock.ts';
import type { Digest } from './digest.ts';
import type { HttpClient } from './http-client.ts';
import type { KeyCache } from './key-cache.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { Randomness } from './randomness.ts';
import type { Signatures } from './signatures.ts';

/**
 * All ports that a graph needs to run.
 *
 * @example
 * ```ts
 * const ports: Ports = { ...nodePorts(), clock: fixedClock };
 * ```
 */
export interface Ports {
  readonly clock: Clock;
  readonly http: HttpClient;
  readonly signatures: Signatures;
  readonly certificateSignatures: CertificateSignatures;
  readonly digest: Digest;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly randomness: Randomness;
  /** Absent if key sets are not stored for the next start. */
  readonly keyCache?: KeyCache;
}
