/** How many requests execute at the same time, and which request executes next. */
import type { FlowPath } from './fair-places.ts';

export interface SeatRequest {
  readonly flow: FlowPath;
  /** Whether the request may change something, which kube-apiserver derives from its verb. */
  readonly isMutating: boolean;
  /** A request that is given up stops waiting. The signal is read only while the request waits. */
  readonly incoming: { readonly isGivenUp: boolean; readonly signal: AbortSignal };
  /** Called when a smaller flow gets the seat, which happens only where seats can be displaced. */
  readonly onDisplaced?: () => void;
}

/** What an executing request occupies. */
export interface Seat {
  /** Later calls do nothing. */
  release(): void;
}

export interface Concurrency {
  /** Whether a request occupies its seat while it waits for its body or for the review of a token. */
  readonly holdsSeatsOfWaiting: boolean;
  /** A seat, possibly after a wait, or `undefined` where the request is refused or given up. */
  acquire(request: SeatRequest): Seat | Promise<Seat | undefined> | undefined;
}
