/** A caller that waits for work, and the flow that its wait counts into. */
import type { FlowPath } from './fair-places.ts';

/** A waiting caller. An `AbortController` is a waiter without a share of its own. */
export interface Waiter {
  /**
   * Aborts once the caller no longer waits. Reading it may create it, so only code that waits reads
   * it.
   */
  readonly signal: AbortSignal;
  /**
   * The flow in whose share of limited places the wait counts. Reading it may create it, like the
   * signal.
   */
  readonly flow?: FlowPath;
}

/** Returns the flow of a waiter; waiters that have none share one. */
export const flowOf = ({ flow }: Waiter): FlowPath => flow ?? sharedFlow;

const sharedFlow: FlowPath = [undefined];
