/** A warning when a save locks out a sample that got in before; it can be undone. */
import { commands, Disposable, Range, type TextDocument, WorkspaceEdit, workspace } from 'vscode';
import { holdsConfiguration } from '../known-documents.ts';
import { offer } from '../messages.ts';
import type { ServerRequests } from '../requests.ts';
import { fileNameOf, type Results } from '../results.ts';
import { isLockOutWarningEnabled } from '../settings.ts';
import type { ChangeView } from './change-view.ts';

interface LockOutParts {
  readonly requests: ServerRequests;
  /** The view that tells what a save changed. */
  readonly view: Pick<ChangeView, 'followSave' | 'showSave'>;
  readonly results: Results;
}

/** The texts of one save. */
interface Save {
  readonly before: string;
  readonly after: string;
}

export const warnOfLockOut = ({ requests, view, results }: LockOutParts): Disposable => {
  /** The text of each configuration as it was last saved. */
  const savedTexts = new Map<string, string>();
  const remember = (document: TextDocument): void => {
    if (document.isClosed || document.isUntitled || document.isDirty) return;
    if (!holdsConfiguration(document)) return;
    savedTexts.set(document.uri.toString(), document.getText());
  };
  /**
   * Whether a change is an edit is known a moment later: VS Code tells of the change before it calls the
   * file unsaved. And it calls a file saved before it tells of the save, which needs the text before it:
   * a text counts as reloaded when no save was told of in another moment.
   */
  const rememberReload = async (document: TextDocument): Promise<void> => {
    await pause(settleMs);
    const { isDirty, version } = document;
    if (isDirty) return;
    await pause(settleMs);
    if (document.version === version) remember(document);
  };
  /** What was typed after the save, or written by others, is not the save's to undo. */
  const undo = async ({ uri }: TextDocument, { before, after }: Save): Promise<void> => {
    const document = await workspace.openTextDocument(uri);
    if (document.getText() === after) return restore(document, before);
    const name = workspace.asRelativePath(uri);
    const text = `${name} was edited since it was saved, so nothing was undone`;
    const answer = await offer({ text, isWarning: true, actions: ['Show Change'] });
    if (answer !== 'Show Change') return;
    const shown = results.put(`before the save/${fileNameOf(name)}`, before);
    await commands.executeCommand('vscode.diff', shown, uri, `${name}: before the save ↔ now`);
  };
  const subscriptions = [
    workspace.onDidOpenTextDocument(remember),
    workspace.onDidCloseTextDocument(({ uri }) => savedTexts.delete(uri.toString())),
    workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      // A reload from disk is no edit: what is there now is what was saved.
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
