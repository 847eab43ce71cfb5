/** What a test and the process of a flood or of measured clients send to each other. */

/** Floods by a known user, then floods by strangers. */
export const floodKinds = [
  'bodies that never come',
  'cached reviews',
  'watches',
  'writes',
  'forged tokens',
  'bad tokens',
  'handshakes',
] as const;

export type FloodKind = (typeof floodKinds)[number];

export interface Flood {
  readonly kind: FloodKind;
  readonly port: number;
  /** Of the known user, or the start of a token that no key has signed. */
  readonly token: string;
  readonly connections: number;
}

/** Answers by status; `0` for connections and streams that ended without one. */
export type FloodCounts = Readonly<Record<string, number>>;

export interface MeasuredClients {
  readonly port: number;
  readonly token: string;
  /** Between two requests of a client. */
  readonly pauseMs: number;
}

export interface Latencies {
  readonly count: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

export interface Measured {
  /** On a connection that stays open. */
  readonly livez: Latencies;
  /** On a connection of its own, as a kubelet probes. */
  readonly freshLivez: Latencies;
  readonly review: Latencies;
  /** Answers that are not the right one, at most a few. */
  readonly findings: readonly string[];
}
