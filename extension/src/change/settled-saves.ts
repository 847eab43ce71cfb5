/**
 * Collects saves of configurations and samples until the whole edit is saved. VS Code saves the
 * files of a rename one after another, and in between they contradict each other.
 */
import { Disposable, type TextDocument, type Uri, workspace } from 'vscode';
import { debounce } from '../debounce.ts';
import { holdsConfiguration } from '../known-documents.ts';

/** A file that was saved with another text than before. */
export interface SavedFile {
  readonly uri: Uri;
  readonly before: string;
  readonly after: string;
}

/** Files that were saved together. */
export interface SettledSave {
  readonly files: readonly SavedFile[];
  readonly configurations: readonly SavedFile[];
  /** The samples that changed since the save before, with their earlier text. */
  readonly samples: readonly { readonly uri: string; readonly text: string }[];
}

/** Calls `onSettled` once per edit. */
export const followSaves = (
  isSample: (uri: string) => boolean,
  onSettled: (save: SettledSave) => void,
): Disposable => {
  /** The last saved text of each configuration and sample. */
  const savedTexts = new Map<string, string>();
  /** The time of the last change of each document. */
  const changeTimes = new Map<string, number>();
  let unsettled = new Map<string, SavedFile & { readonly isConfiguration: boolean }>();
  let firstSaveTime = 0;
  const isFollowed = (document: TextDocument): boolean =>
    holdsConfiguration(document) || isSample(document.uri.toString());
  const remember = (document: TextDocument): void => {
    if (document.isClosed || document.isUntitled || document.isDirty) return;
    if (isFollowed(document)) savedTexts.set(document.uri.toString(), document.getText());
  };
  /**
   * Remembers the text after a reload from disk. VS Code fires the change event before it marks the
   * document dirty, and marks it saved before it fires the save event, which needs the text before
   * the save; so a change counts as a reload only if the document stays clean for two intervals.
   */
  const rememberReload = async (document: TextDocument): Promise<void> => {
    await pause(settleMs);
    const { isDirty, version } = document;
    if (isDirty) return;
    await pause(settleMs);
    if (document.version === version) remember(document);
  };
  const unsavedDocuments = (): readonly TextDocument[] =>
    workspace.textDocuments.filter(
      (document) => document.isDirty && savedTexts.has(document.uri.toString()),
    );
  /** Whether a file that was edited together with the saved ones is not saved yet. */
  const isIncomplete = (): boolean =>
    Date.now() - firstSaveTime < longestEditMs &&
    unsavedDocuments().some(({ uri }) => {
      const key = uri.toString();
      const time = changeTimes.get(key) ?? 0;
      return (
        !unsettled.has(key) &&
        [...unsettled.keys()].some(
          (other) => Math.abs((changeTimes.get(other) ?? 0) - time) < sameEditMs,
        )
      );
    });
  const settle = debounce(() => {
    if (isIncomplete()) return settle();
    const files = [...unsettled.values()].filter(({ before, after }) => before !== after);
    unsettled = new Map();
    if (files.length === 0) return;
    const unsaved = unsavedDocuments().map(({ uri }) => ({
      uri,
      before: savedTexts.get(uri.toString()) ?? '',
    }));
    const samples = [...files, ...unsaved]
      .map(({ uri, before }) => ({ uri: uri.toString(), text: before }))
      .filter(({ uri }) => isSample(uri));
    onSettled({
      files,
      configurations: files.filter(({ isConfiguration }) => isConfiguration),
      samples,
    });
  }, settleMs);
  const subscriptions = [
    settle,
    workspace.onDidOpenTextDocument(remember),
    workspace.onDidCloseTextDocument(({ uri }) => {
      savedTexts.delete(uri.toString());
      changeTimes.delete(uri.toString());
    }),
    workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length === 0 || !isFollowed(document)) return;
      changeTimes.set(document.uri.toString(), Date.now());
      // A reload from disk is not an edit: the new text is the saved text.
      void rememberReload(document);
    }),
    workspace.onDidSaveTextDocument((document) => {
      const { uri } = document;
      const key = uri.toString();
      const after = document.getText();
      const before = unsettled.get(key)?.before ?? savedTexts.get(key);
      if (isFollowed(document)) savedTexts.set(key, after);
      if (before === undefined) return;
      if (unsettled.size === 0) firstSaveTime = Date.now();
      unsettled.set(key, { uri, before, after, isConfiguration: holdsConfiguration(document) });
      settle();
    }),
  ];
  for (const document of workspace.textDocuments) remember(document);
  return Disposable.from(...subscriptions);
};

/** An edit is saved once no file was saved for this time. */
const settleMs = 500;
/** Documents that change within this time belong to one edit. */
const sameEditMs = 300;
/** An edit of several files is not waited for any longer. */
const longestEditMs = 10_000;

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));
