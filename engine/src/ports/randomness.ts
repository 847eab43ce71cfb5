/** Randomness for jitter and identifiers. */
export interface Randomness {
  /** 0 up to, not with, 1. */
  fraction(): number;
  uuid(): string;
}
