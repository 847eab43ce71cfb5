/** Addresses of the documentation pages of diagnostics. */

/**
 * The documentation as a package URL (ECMA-427): it is part of the package and needs no web site.
 * This constant changes once there is one.
 */
export const documentationUrl = 'pkg:npm/%40authgraph/engine#dist/docs';

/** Returns the address of the page of a diagnostic such as `duplicate-issuer-url`. */
export const pageUrl = (name: string): string => `${documentationUrl}/diagnostics/${name}.md`;

/** Returns the command that prints the page of a code. */
export const pageCommand = (code: string): string => `authgraph explain ${code}`;
