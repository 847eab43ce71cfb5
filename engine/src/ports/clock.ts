/** Time. Decisions follow the wall clock at decision time, lifetimes of caches the monotonic one. */

export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number;
  /** Milliseconds that never go back; only differences mean something. */
  monotonic(): number;
  /** Calls back once after the wait; gives a function that takes the call back. Does not keep a process alive. */
  after(milliseconds: number, call: () => void): () => void;
}
