/** The name that a misspelt one was meant to be. */

/** The nearest of the names, if one is near enough; a name in other letter case is always near. */
export const nearName = (written: string, names: readonly string[]): string | undefined => {
  const lower = written.toLowerCase();
  const sameLetters = names.find((name) => name.toLowerCase() === lower);
  if (sameLetters !== undefined) return sameLetters;
  if (written.length > 64) return undefined;
  const ranked = names
    .map((name) => ({ name, distance: editDistance(lower, name.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance);
  const [best, second] = ranked;
  if (best === undefined || best.distance > Math.max(1, Math.floor(best.name.length / 3)))
    return undefined;
  return second?.distance === best.distance ? undefined : best.name;
};

/** Insertions, deletions, replacements and swaps of neighbours. */
const editDistance = (a: string, b: string): number => {
  let older: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const current = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped =
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
          ? (older[j - 2] ?? 0) + 1
          : replaced;
      current.push(Math.min(replaced, swapped, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1));
    }
    older = previous;
    previous = current;
  }
  return previous[b.length] ?? 0;
};
