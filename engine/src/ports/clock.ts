/** The clock port. Decisions use the wall clock, cache lifetimes the monotonic clock. */

export interface Clock {
  /** Returns the milliseconds since 1970, UTC. */
  now(): number;
  /** Returns milliseconds that never decrease; only differences are meaningful. */
  monotonic(): number;
  /**
   * Calls back once after the delay; returns a function that cancels the call. Does not keep the
   * process alive.
   */
  after(milliseconds: number, call: () => void): () => void;
}
