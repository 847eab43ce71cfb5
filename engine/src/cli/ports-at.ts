/** The ports of a command that decides tokens by itself. */
import { nodeCertificateSignatures } from '../node/certificate-signatures.ts';
import { nodeClock } from '../node/clock.ts';
import { nodeDigest } from '../node/digest.ts';
import { nodeRandomness } from '../node/randomness.ts';
import { nodeSignatures } from '../node/signatures.ts';
import type { HttpClient } from '../ports/http-client.ts';
import type { Ports } from '../ports/ports.ts';

/** The clock stands at the given time, or runs. Nothing is logged and nothing counted. */
export const portsAt = (now: number, clock: 'fixed' | 'running', http: HttpClient): Ports => ({
  clock: clock === 'fixed' ? { ...nodeClock(), now: () => now } : nodeClock(),
  http,
  signatures: nodeSignatures(),
  certificateSignatures: nodeCertificateSignatures(),
  digest: nodeDigest(),
  log: { event: () => {} },
  metrics: { increment: () => {}, set: () => {}, observe: () => {}, forget: () => {} },
  randomness: nodeRandomness(),
});
