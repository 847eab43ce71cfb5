/** Words of the grammar itself: never a name. */

/** Values that have a word of their own. */
export const constantNames: readonly string[] = ['true', 'false', 'null'];

/** Names that cannot stand anywhere, not even behind a dot. */
export const keywords: ReadonlySet<string> = new Set(['in', ...constantNames]);
