/**
 * Suggests the first characters of a claim that is not a string, for a sample that is being
 * written.
 */
import { knownClaims } from '../../model/known-claims.ts';

/**
 * Returns the value in YAML and JSON syntax, or `undefined` for strings, lists and unknown claims.
 */
export const bareClaim = (name: string): string | undefined => {
  const type = knownClaims.find((known) => known.name === name)?.type;
  if (type === 'bool') return 'true';
  if (type !== 'number') return undefined;
  return String(name === 'exp' ? farEnd : begin);
};

/** A time in seconds since 1970 for `exp`, far enough (2100) that the sample does not expire. */
const farEnd = Date.UTC(2100, 0) / 1000;
const begin = 1_763_700_000;
