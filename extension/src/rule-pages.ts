/**
 * The documentation pages of diagnostic codes, packaged with the extension. Links of diagnostics
 * open them in an editor, because the server's package URLs lead nowhere there.
 */
import { type Diagnostic, Uri, workspace } from 'vscode';
import { stringAt } from './member-at.ts';
import { resultScheme } from './recognize-document.ts';

const folder = '/rules/';

/** Returns the diagnostic with its link pointing to the packaged page. */
export const linkedToPage = (diagnostic: Diagnostic): Diagnostic => {
  const { code } = diagnostic;
  if (typeof code !== 'object') return diagnostic;
  const [, page] = /\/diagnostics\/([a-z0-9-]+\.md)$/.exec(code.target.toString(true)) ?? [];
  if (page === undefined || code.target.scheme !== 'pkg') return diagnostic;
  diagnostic.code = { ...code, target: Uri.from({ scheme: resultScheme, path: folder + page }) };
  return diagnostic;
};

/** Returns the text of a page; `undefined` for other URIs. */
export const rulePage = async (uri: Uri, extension: Uri): Promise<string | undefined> => {
  if (!uri.path.startsWith(folder)) return undefined;
  const file = Uri.joinPath(extension, 'media', 'rule-pages.json');
  const pages: unknown = JSON.parse(new TextDecoder().decode(await workspace.fs.readFile(file)));
  return stringAt(pages, uri.path.slice(folder.length));
};
