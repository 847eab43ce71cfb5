/** The documentation pages of diagnostics, which are part of the repository and of the package. */

/** Returns the path of the page of a diagnostic such as `duplicate-issuer-url`. */
export const pagePath = (name: string): string => `docs/diagnostics/${name}.md`;

/** Returns the command that prints the page of a code. */
export const pageCommand = (code: string): string => `authgraph explain ${code}`;
