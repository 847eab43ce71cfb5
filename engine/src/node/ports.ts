/** All ports of a server or a command on Node, made together. */
import type { KeyCache } from '../ports/key-cache.ts';
import type { Log } from '../ports/log.ts';
import type { Metrics } from '../ports/metrics.ts';
import type { Ports } from '../ports/ports.ts';
import { nodeCertificateSignatures } from './certificate-signatures.ts';
import { nodeClock } from './clock.ts';
import { nodeDigest } from './digest.ts';
import type { HttpClientOptions } from './http-agents.ts';
import { type NodeHttpClient, nodeHttpClient } from './http-client.ts';
import { nodeRandomness } from './randomness.ts';
import { nodeSignatures, type SignatureOptions } from './signatures.ts';

/** The ports that a caller chooses; the others have one form. */
export interface NodePortsOptions {
  /** Silent where absent: a command prints its own words. */
  readonly log?: Log;
  /** Counts nothing where absent. */
  readonly metrics?: Metrics;
  readonly keyCache?: KeyCache;
  readonly http?: HttpClientOptions;
  readonly signatures?: SignatureOptions;
}

/** All ports of a graph at work, over Node. Close `http` at the end. */
export interface NodePorts extends Ports {
  readonly http: NodeHttpClient;
}

const silent: Log = { event: () => {} };

const uncounted: Metrics = {
  disabled: true,
  increment: () => {},
  set: () => {},
  observe: () => {},
  forget: () => {},
};

/** The world as Node shows it. Close `http` when done. */
export const nodePorts = (options: NodePortsOptions = {}): NodePorts => ({
  clock: nodeClock(),
  http: nodeHttpClient(options.http),
  signatures: nodeSignatures(options.signatures),
  certificateSignatures: nodeCertificateSignatures(),
  digest: nodeDigest(),
  log: options.log ?? silent,
  metrics: options.metrics ?? uncounted,
  randomness: nodeRandomness(),
  ...(options.keyCache === undefined ? {} : { keyCache: options.keyCache }),
});
