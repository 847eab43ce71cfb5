/** Which open documents are ours: configurations, samples, roles. */
import { languages as languagesOfEditor, type TextDocument, window, workspace } from 'vscode';
import { concernsUs, isCopy, languages, mayHoldConfiguration } from './recognize-document.ts';
import { section } from './settings.ts';

/** Whether the language server has something to say about it. */
export const isOurs = (document: TextDocument): boolean =>
  isRead(document) &&
  (matchesSetting(document, ['samples.files', 'files']) || concernsUs(document.getText()));

/** Whether previews can be about it: it says so, or is to become one by the settings. */
export const holdsConfiguration = (document: TextDocument): boolean =>
  isRead(document) &&
  (mayHoldConfiguration(document.getText()) || matchesSetting(document, ['files']));

/** Beside a view of ours the configuration is still what one works on. */
export const isAnyVisible = (): boolean =>
  window.visibleTextEditors.some(({ document }) => isOurs(document));

/** The file itself, in a language that the server reads. */
const isRead = ({ uri, languageId }: TextDocument): boolean =>
  !isCopy(uri.scheme) && languages.includes(languageId);

const matchesSetting = (document: TextDocument, names: readonly string[]): boolean => {
  const settings = workspace.getConfiguration(section);
  const globs = names.flatMap((name) => settings.get<unknown>(name) ?? []);
  return globs.some(
    (pattern) => typeof pattern === 'string' && languagesOfEditor.match({ pattern }, document) > 0,
  );
};
