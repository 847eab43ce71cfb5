/** What a test and the process of a flood or of measured clients send to each other. */

/** Floods by a known user, then floods by strangers. */
export const floodKinds = [
  'bodies that never come',
  'cached reviews',
  'watches',
  'new namespaces',
  'new role bindings',
  'new token Secrets',
  'forged tokens',
  'bad tokens',
  'handshakes',
] as const;

export type FloodKind = (typeof floodKinds)[number];

export interface Flood {
  readonly kind: FloodKind;
  readonly port: number;
  /** A token of the known user, or the start of a token without a valid signature. */
  readonly token: string;
  readonly connections: number;
}

/** Responses by status; `0` for connections and streams that ended without one. */
export type FloodCounts = Readonly<Record<string, number>>;

export interface MeasuredClients {
  readonly port: number;
  readonly token: string;
  /** The delay between two requests of a client. */
  readonly pauseMs: number;
}

export interface Latencies {
  readonly count: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

export interface Measured {
  /** Latencies on a persistent connection. */
  readonly livez: Latencies;
  /** Latencies on a new connection each, as a kubelet probes. */
  readonly freshLivez: Latencies;
  readonly review: Latencies;
  /** Unexpected responses, at most a few. */
  readonly findings: readonly string[];
}
