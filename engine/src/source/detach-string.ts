/** Texts that keep no other text in memory. */

/**
 * The same text in memory of its own. A piece cut out of a text keeps all of that text alive: who
 * remembers a piece of every version of a file would remember all versions.
 */
export const detachString = (text: string): string => JSON.parse(JSON.stringify(text));
