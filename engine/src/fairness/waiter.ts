/** A caller that waits, as far as those it waits for have to know it. */
import type { FlowPath } from './fair-places.ts';

/** An `AbortController` is a waiter without a share of its own. */
export interface Waiter {
  /** Aborts once the caller no longer waits. Only what waits reads it, since it may be created by that. */
  readonly signal: AbortSignal;
  /** The flow whose share of limited places the wait counts into. Read like the signal. */
  readonly flow?: FlowPath;
}

/** The flow of a waiter; waiters that have none share one. */
export const flowOf = ({ flow }: Waiter): FlowPath => flow ?? sharedFlow;

const sharedFlow: FlowPath = [undefined];
