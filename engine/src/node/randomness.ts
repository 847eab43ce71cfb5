/** Randomness for jitter and identifiers; it never generates secrets. */
import { randomUUID } from 'node:crypto';
import type { Randomness } from '../ports/randomness.ts';

/** Returns the randomness port. Identifiers are unpredictable; jitter need not be. */
export const nodeRandomness = (): Randomness => ({
  fraction: () => Math.random(),
  // Node concatenates a UUID from twenty strings and retains them; this copy is a single flat
  // string.
  uuid: () => Buffer.from(randomUUID(), 'latin1').toString('latin1'),
});
