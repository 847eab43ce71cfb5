/** Creates all ports of a server or a command on Node. */
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

/**
 * Options for the ports that a caller chooses; the others have only one implementation.
 *
 * @example
 * ```ts
 * const options: NodePortsOptions = { log: nodeLog(), metrics: nodeMetrics() };
 * ```
 */
export interface NodePortsOptions {
  /** Defaults to a silent log: a command prints its own messages. */
  readonly log?: Log;
  /** Defaults to metrics that count nothing. */
  readonly metrics?: Metrics;
  readonly keyCache?: KeyCache;
  readonly http?: HttpClientOptions;
  readonly signatures?: SignatureOptions;
}

/**
 * All ports that a linked graph needs, implemented with Node. Close `http` at the end.
 *
 * @example
 * ```ts
 * const ports: NodePorts = nodePorts();
 * await ports.http.close();
 * ```
 */
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

/**
 * Returns the ports, implemented with Node. Close `http` at the end.
 *
 * @example
 * ```ts
 * const linked = link(graph, nodePorts());
 * ```
 */
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
