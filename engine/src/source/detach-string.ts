/** Strings that do not retain others in memory. */

/**
 * Copies a string. A substring retains the whole string that it was taken from, so storing a part
 * of each version of a file would retain all versions.
 */
export const detachString = (text: string): string => JSON.parse(JSON.stringify(text));
