/** Warns when a save locks out a sample that was accepted before, and offers to undo the save. */
import { commands, Disposable, Range, type TextDocument, WorkspaceEdit, workspace } from 'vscode';
import { holdsConfiguration } from '../known-documents.ts';
import { offer } from '../messages.ts';
import type { ServerRequests } from '../requests.ts';
import { fileNameOf, type Results } from '../results.ts';
import { isLockOutWarningEnabled } from '../settings.ts';
import type { ChangeView } from './change-view.ts';

interface LockOutParts {
  readonly requests: ServerRequests;
  /** The view that shows what a save changed. */
  readonly view: Pick<ChangeView, 'followSave' | 'showSave'>;
  readonly results: Results;
}

/** The texts before and after a save. */
interface Save {
  readonly before: string;
  readonly after: string;
}

export const warnOfLockOut = ({ requests, view, results }: LockOutParts): Disposable => {
  /** The last saved text of each configuration. */
  const savedTexts = new Map<string, string>();
  const remember = (document: TextDocument): void => {
    if (document.isClosed || document.isUntitled || document.isDirty) return;
    if (!holdsConfiguration(document)) return;
    savedTexts.set(document.uri.toString(), document.getText());
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
  /** Restores the text before the save unless the document changed since. */
  const undo = async ({ uri }: TextDocument, { before, after }: Save): Promise<void> => {
    const document = await workspace.openTextDocument(uri);
    if (document.getText() === after) return restore(document, before);
    const name = workspace.asRelativePath(uri);
    const text = `${name} was edited after the save, so nothing was undone`;
    const answer = await offer({ text, isWarning: true, actions: ['Show Change'] });
    if (answer !== 'Show Change') return;
    const shown = results.put(`before the save/${fileNameOf(name)}`, before);
    await commands.executeCommand('vscode.diff', shown, uri, `${name}: before the save ↔ now`);
  };
  const subscriptions = [
    workspace.onDidOpenTextDocument(remember),
    workspace.onDidCloseTextDocument(({ uri }) => savedTexts.delete(uri.toString())),
    workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      // A reload from disk is not an edit: the new text is the saved text.
      if (contentChanges.length > 0) void rememberReload(document);
    }),
    workspace.onDidSaveTextDocument(async (document) => {
      const before = savedTexts.get(document.uri.toString());
      const after = document.getText();
      savedTexts.set(document.uri.toString(), after);
      if (before === undefined || before === after || !isLockOutWarningEnabled()) return;
      const { loss } = await requests.change({ uri: document.uri.toString(), against: before });
      if (loss === undefined) return;
      view.followSave(document, before);
      const answer = await offer({ text: loss, isWarning: true, actions: ['Undo', 'Show Change'] });
      if (answer === 'Undo') await undo(document, { before, after });
      if (answer === 'Show Change') await view.showSave(document, before);
    }),
  ];
  for (const document of workspace.textDocuments) remember(document);
  return Disposable.from(...subscriptions);
};

const settleMs = 500;

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

const restore = async (document: TextDocument, text: string): Promise<void> => {
  const edit = new WorkspaceEdit();
  const whole = new Range(document.positionAt(0), document.positionAt(document.getText().length));
  edit.replace(document.uri, whole, text);
  if (await workspace.applyEdit(edit)) await document.save();
};
