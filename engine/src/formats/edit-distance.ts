/** The edit distance of two names, to suggest what a misspelled name means. */

/**
 * Counts insertions, deletions, replacements and swaps of adjacent characters. Distances above
 * `most` are not computed: the result is then any larger number.
 */
export const editDistance = (a: string, b: string, most = Infinity): number => {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let previous = Uint32Array.from({ length: b.length + 1 }, (_, at) => at);
  let older = previous.slice();
  let current = previous.slice();
  for (let i = 1; i <= a.length; i += 1) {
    // Elsewhere in the row, the lengths of what was compared differ by more than `most`.
    const first = Math.max(1, i - most);
    const last = Math.min(b.length, i + most);
    let left = first === 1 ? i : most + 1;
    let least = left;
    current[0] = i;
    for (let j = first; j <= last; j += 1) {
      let next = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        next = Math.min(next, (older[j - 2] ?? 0) + 1);
      left = Math.min(next, (previous[j] ?? 0) + 1, left + 1);
      current[j] = left;
      least = Math.min(least, left);
    }
    if (last < b.length) current[last + 1] = most + 1;
    if (least > most) return least;
    [older, previous, current] = [previous, current, older];
  }
  return previous[b.length] ?? 0;
};
