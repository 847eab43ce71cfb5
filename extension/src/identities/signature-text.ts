/** What was found out about a signature, as it is shown beside claims. */
/** For a title: whether it was checked, and not with what. */
export const signatureSummary = (signature: string | undefined): string =>
  signature === undefined
    ? 'signature not checked'
    : signature.replace(/^(signature (?:checked|not checked|does not fit)).*$/s, '$1');

/** A path or an address as it can stand in a message: nothing in it is markup, or turns how the rest reads. */
export const withoutMarkup = (text: string): string => text.replace(/[^\p{L}\p{N}@._+/:-]+/gu, '-');
