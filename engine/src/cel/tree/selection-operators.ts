/** How the tree names the reading of a member that no dot reads. */

/** `a[b]`, `a[?b]`, `a.?b`: calls whose first argument is read and whose second one is the name. */
export const selectionOperators: ReadonlySet<string> = new Set(['_[_]', '_[?_]', '_?._']);
