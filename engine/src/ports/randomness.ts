/** The port for random numbers, used for jitter and identifiers. */
export interface Randomness {
  /** Returns a number from 0, inclusive, to 1, exclusive. */
  fraction(): number;
  uuid(): string;
}
