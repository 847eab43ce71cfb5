/** Randomness for jitter and identifiers; it never generates secrets. */
import { randomUUID } from 'node:crypto';
import type { Randomness } from '../ports/randomness.ts';

const scratch = Buffer.alloc(36);

/**
 * Node concatenates a UUID from twenty strings and retains them; this copy is a single flat string.
 */
const uuid = (): string => {
  scratch.write(randomUUID(), 'latin1');
  return scratch.toString('latin1');
};

/** Returns the randomness port. Identifiers are unpredictable; jitter need not be. */
export const nodeRandomness = (): Randomness => ({
  fraction: () => Math.random(),
  uuid,
});
