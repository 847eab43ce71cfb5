/** How signature findings and names are displayed. */
/** Returns whether the signature was checked, without the key set, for a title. */
export const signatureSummary = (signature: string | undefined): string =>
  signature === undefined
    ? 'signature not checked'
    : signature.replace(/^(signature (?:checked|not checked|does not match)).*$/s, '$1');

/**
 * Replaces characters that a message could interpret as markup or that change the direction of
 * text.
 */
export const withoutMarkup = (text: string): string => text.replace(/[^\p{L}\p{N}@._+/:-]+/gu, '-');
