/** The keywords of the grammar, which cannot be used as names. */

/** Keywords that are constants. */
export const constantNames: readonly string[] = ['true', 'false', 'null'];

/** Keywords that cannot be used as names anywhere, not even as fields after a dot. */
export const keywords: ReadonlySet<string> = new Set(['in', ...constantNames]);
