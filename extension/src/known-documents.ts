/** Determines which open documents concern the extension: configurations, samples, roles. */
import { languages as languagesOfEditor, type TextDocument, window, workspace } from 'vscode';
import {
  isCopy,
  languages,
  mayConcernAuthGraph,
  mayHoldConfiguration,
  testFileSuffix,
} from './recognize-document.ts';
import { section } from './settings.ts';

/** Returns whether the language server has features for the document. */
export const isAuthGraphDocument = (document: TextDocument): boolean =>
  isRead(document) &&
  (document.uri.path.endsWith(settingsFile) ||
    document.uri.path.endsWith(testFileSuffix) ||
    matchesSetting(document, ['samples.files', 'files']) ||
    mayConcernAuthGraph(document.getText()));

/** The end of the path of a settings file. */
const settingsFile = '/.authgraph.yaml';

/**
 * Returns whether previews can use the document: by its kind, or because the settings declare it.
 */
export const holdsConfiguration = (document: TextDocument): boolean =>
  isRead(document) &&
  (mayHoldConfiguration(document.getText()) || matchesSetting(document, ['files']));

/**
 * Returns whether any relevant document is visible, even if another editor or view has the focus.
 */
export const isAnyVisible = (): boolean =>
  window.visibleTextEditors.some(({ document }) => isAuthGraphDocument(document));

/** Returns whether the document is the file itself, in a language that the server reads. */
const isRead = ({ uri, languageId }: TextDocument): boolean =>
  !isCopy(uri.scheme) && languages.includes(languageId);

const matchesSetting = (document: TextDocument, names: readonly string[]): boolean => {
  const settings = workspace.getConfiguration(section);
  const globs = names.flatMap((name) => settings.get<unknown>(name) ?? []);
  return globs.some(
    (pattern) => typeof pattern === 'string' && languagesOfEditor.match({ pattern }, document) > 0,
  );
};
