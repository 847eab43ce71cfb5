/** Where a diagnostic's page stands, and how to read it. */

/**
 * The documentation as a package URL (ECMA-427): it comes with the package, and needs no place on the
 * web. The one constant to change when it has one.
 */
export const documentationUrl = 'pkg:npm/%40authgraph/engine#dist/docs';

/** `duplicate-issuer-url` -> the address of its page. */
export const pageUrl = (name: string): string => `${documentationUrl}/diagnostics/${name}.md`;

/** What to type to read the page of a code. */
export const pageCommand = (code: string): string => `authgraph explain ${code}`;
