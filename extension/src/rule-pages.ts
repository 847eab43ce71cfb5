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
export const rulePage = async (uri: Uri, extension: Uri): Promise<string | undefined> =>
  uri.path.startsWith(folder)
    ? stringAt(await readPages(extension), uri.path.slice(folder.length))
    : undefined;

/** Returns the page of a code, whose heading begins with the code. */
export const pageOfCode = async (code: string, extension: Uri): Promise<Uri | undefined> => {
  const entry = Object.entries((await readPages(extension)) ?? {}).find(
    ([, text]) => typeof text === 'string' && text.startsWith(`# ${code} `),
  );
  return entry && Uri.from({ scheme: resultScheme, path: folder + entry[0] });
};

const readPages = async (extension: Uri): Promise<object | undefined> => {
  const file = Uri.joinPath(extension, 'media', 'rule-pages.json');
  const pages: unknown = JSON.parse(new TextDecoder().decode(await workspace.fs.readFile(file)));
  return typeof pages === 'object' && pages !== null ? pages : undefined;
};
