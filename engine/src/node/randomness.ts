/** Randomness for jitter and identifiers; secrets are never made here. */
import { randomUUID } from 'node:crypto';
import type { Randomness } from '../ports/randomness.ts';

/** Jitter need not be unpredictable, identifiers are. */
export const nodeRandomness = (): Randomness => ({
  fraction: () => Math.random(),
  uuid: () => randomUUID(),
});
