/** Limits for the number of requests that execute at the same time. */
import type { FlowPath } from './fair-places.ts';

export interface SeatRequest {
  readonly flow: FlowPath;
  /** Whether the request may change something, which kube-apiserver derives from its verb. */
  readonly isMutating: boolean;
  /** A request that is abandoned stops waiting. The signal is read only while the request waits. */
  readonly incoming: { readonly isCanceled: boolean; readonly signal: AbortSignal };
  /** Called when a smaller flow gets the seat, which happens only if seats can be displaced. */
  readonly onDisplaced?: () => void;
}

/** The share of the concurrency limit that an executing request occupies. */
export interface Seat {
  /** Releases the seat. Later calls do nothing. */
  release(): void;
}

export interface Concurrency {
  /** Whether a request occupies its seat while it waits for its body or for the review of a token. */
  readonly holdsSeatsOfWaiting: boolean;
  /**
   * Returns a seat, possibly after a wait, or `undefined` if the request is rejected or abandoned.
   */
  acquire(request: SeatRequest): Seat | Promise<Seat | undefined> | undefined;
}
