/** Where a diagnostic's page stands. */

/** Folder of the pages in the repository's browser; the one place that spells it. */
export const documentationUrl = 'https://github.com/authgraph/authgraph/blob/main/docs';

/** `duplicate-issuer-url` -> the address of its page. */
export const pageUrl = (name: string): string => `${documentationUrl}/diagnostics/${name}.md`;
