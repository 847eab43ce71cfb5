/** Everything that a graph at work asks of the world. */
import type { CertificateSignatures } from './certificate-signatures.ts';
import type { Clock } from './clock.ts';
import type { Digest } from './digest.ts';
import type { HttpClient } from './http-client.ts';
import type { KeyCache } from './key-cache.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { Randomness } from './randomness.ts';
import type { Signatures } from './signatures.ts';

/** All that a graph at work asks of the world. */
export interface Ports {
  readonly clock: Clock;
  readonly http: HttpClient;
  readonly signatures: Signatures;
  readonly certificateSignatures: CertificateSignatures;
  readonly digest: Digest;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly randomness: Randomness;
  /** Absent where keys are not to be kept over a restart. */
  readonly keyCache?: KeyCache;
}
