/** Suggests the name that a misspelled one was meant to be. */
import { editDistance } from '../formats/edit-distance.ts';

/**
 * Returns the closest name if one is close enough; a name that differs only in letter case always
 * is.
 */
export const nearName = (written: string, names: readonly string[]): string | undefined => {
  const lower = written.toLowerCase();
  const caseVariant = names.find((name) => name.toLowerCase() === lower);
  if (caseVariant !== undefined) return caseVariant;
  if (written.length > 64) return undefined;
  const ranked = names
    .map((name) => ({ name, distance: editDistance(lower, name.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance);
  const [best, second] = ranked;
  if (best === undefined || best.distance > Math.max(1, Math.floor(best.name.length / 3)))
    return undefined;
  return second?.distance === best.distance ? undefined : best.name;
};
