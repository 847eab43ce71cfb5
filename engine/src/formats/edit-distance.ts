/** The edit distance of two names, to suggest what a misspelled name means. */

/** Counts insertions, deletions, replacements and swaps of adjacent characters. */
export const editDistance = (a: string, b: string): number => {
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
