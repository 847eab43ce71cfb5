/** What a claim that is no text begins with, in a sample that is being written. */
import { knownClaims } from '../../model/known-claims.ts';

/** As it stands in YAML and JSON; `undefined` for texts, lists and claims that nobody knows. */
export const bareClaim = (name: string): string | undefined => {
  const type = knownClaims.find((known) => known.name === name)?.type;
  if (type === 'bool') return 'true';
  if (type !== 'number') return undefined;
  return String(name === 'exp' ? farEnd : begin);
};

/** Seconds since 1970. The times of a sample should not make it an expired one: it ends in 2100. */
const farEnd = Date.UTC(2100, 0) / 1000;
const begin = 1_763_700_000;
