/** Which open documents are ours: configurations, samples, roles. */
import { languages as languagesOfEditor, type TextDocument, window, workspace } from 'vscode';
import { concernsUs, isCopy, languages } from './recognise.ts';

export const isOurs = (document: TextDocument): boolean =>
  !isCopy(document.uri.scheme) &&
  languages.includes(document.languageId) &&
  (isNamedByGlob(document) || concernsUs(document.getText()));

/** Beside a view of ours the configuration is still what one works on. */
export const isOneVisible = (): boolean =>
  window.visibleTextEditors.some(({ document }) => isOurs(document));

/** A sample, or a file that is to become a configuration. */
const isNamedByGlob = (document: TextDocument): boolean => {
  const settings = workspace.getConfiguration('authgraph');
  const globs = ['samples.files', 'files'].flatMap((name) => settings.get<unknown>(name) ?? []);
  return globs.some(
    (pattern) => typeof pattern === 'string' && languagesOfEditor.match({ pattern }, document) > 0,
  );
};
