/** Randomness for jitter and identifiers; secrets are never made here. */
import { randomUUID } from 'node:crypto';
import type { Randomness } from '../ports/randomness.ts';

const scratch = Buffer.alloc(36);

/** Node puts its text together from twenty pieces, and keeps them; this one is of one piece. */
const uuid = (): string => {
  scratch.write(randomUUID(), 'latin1');
  return scratch.toString('latin1');
};

/** Jitter need not be unpredictable, identifiers are. */
export const nodeRandomness = (): Randomness => ({
  fraction: () => Math.random(),
  uuid,
});
