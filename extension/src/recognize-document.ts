/**
 * Does a document concern us at all? Asked for every YAML and JSON file that is opened, before the
 * language server runs: unrelated files must not start it. The server looks closer.
 */

/** More text than this is no configuration that anybody writes by hand. */
const maxCharacters = 4_000_000;

const keywords =
  /AuthenticationConfiguration|authentication-config|\bimpersonate\b|oidc-issuer-url/;

export const concernsUs = (text: string): boolean =>
  text.length <= maxCharacters && keywords.test(text);

/** Whether previews can be about this document. */
export const mayHoldConfiguration = (text: string): boolean =>
  text.length <= maxCharacters && /AuthenticationConfiguration/.test(text);

/** Languages of the files that the language server reads. */
export const languages: readonly string[] = ['yaml', 'json', 'jsonc'];

/** The scheme of the documents that show our answers. */
export const resultScheme = 'authgraph-result';

/** Copies of files that are not the files: other sides of a comparison, our own answers. */
const schemesOfCopies: ReadonlySet<string> = new Set([
  resultScheme,
  'chat-editing-text-model',
  'git',
  'gitfs',
  'output',
  'review',
]);

export const isCopy = (scheme: string): boolean => schemesOfCopies.has(scheme);
