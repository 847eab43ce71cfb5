/** The ports of commands that decide tokens. */
import { nodeCertificateSignatures } from '../node/certificate-signatures.ts';
import { nodeClock } from '../node/clock.ts';
import { nodeDigest } from '../node/digest.ts';
import { nodeRandomness } from '../node/randomness.ts';
import { nodeSignatures } from '../node/signatures.ts';
import type { HttpClient } from '../ports/http-client.ts';
import type { Ports } from '../ports/ports.ts';

/** Creates the ports with a fixed or a running clock, without log and metrics. */
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
