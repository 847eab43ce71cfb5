/**
 * A cheap check whether a document is relevant, run for every YAML and JSON file before the
 * language server starts. The server decides precisely.
 */

/** Characters beyond which a document is not checked. */
const maxCharacters = 4_000_000;

const keywords =
  /AuthenticationConfiguration|authentication-config|\bimpersonate\b|oidc-issuer-url/;

export const mayConcernAuthGraph = (text: string): boolean =>
  text.length <= maxCharacters && keywords.test(text);

/** Returns whether previews can use the document. */
export const mayHoldConfiguration = (text: string): boolean =>
  text.length <= maxCharacters && /AuthenticationConfiguration/.test(text);

/** The end of the names of test files. */
export const testFileSuffix = '.authtest.yaml';
export const testFileGlob = `**/*${testFileSuffix}`;

/** Languages of files that the language server reads. */
export const languages: readonly string[] = ['yaml', 'json', 'jsonc'];

/** The scheme of read-only result documents. */
export const resultScheme = 'authgraph-result';

/** Schemes of documents that are copies of files: other sides of a diff, and result documents. */
const schemesOfCopies: ReadonlySet<string> = new Set([
  resultScheme,
  'chat-editing-text-model',
  'git',
  'gitfs',
  'output',
  'review',
]);

export const isCopy = (scheme: string): boolean => schemesOfCopies.has(scheme);
