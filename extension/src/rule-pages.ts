/**
 * The page of each diagnostic code, from the package: the link of a diagnostic opens it in an editor. The
 * language server names pages by the package of the engine, which leads nowhere in an editor.
 */
import { type Diagnostic, Uri, workspace } from 'vscode';
import { resultScheme } from './recognize-document.ts';

const folder = '/rules/';

/** The same diagnostic, its link leading to the page that is here. */
export const linkedToPage = (diagnostic: Diagnostic): Diagnostic => {
  const { code } = diagnostic;
  if (typeof code !== 'object') return diagnostic;
  const [, page] = /\/diagnostics\/([a-z0-9-]+\.md)$/.exec(code.target.toString(true)) ?? [];
  if (page === undefined || code.target.scheme !== 'pkg') return diagnostic;
  diagnostic.code = { ...code, target: Uri.from({ scheme: resultScheme, path: folder + page }) };
  return diagnostic;
};

/** The text of a page; `undefined` for what is none. */
export const rulePage = async (uri: Uri, extension: Uri): Promise<string | undefined> => {
  if (!uri.path.startsWith(folder)) return undefined;
  const file = Uri.joinPath(extension, 'media', 'rule-pages.json');
  const pages: unknown = JSON.parse(new TextDecoder().decode(await workspace.fs.readFile(file)));
  const name = uri.path.slice(folder.length);
  const page: unknown =
    typeof pages === 'object' && pages !== null && Object.hasOwn(pages, name)
      ? Reflect.get(pages, name)
      : undefined;
  return typeof page === 'string' ? page : undefined;
};
