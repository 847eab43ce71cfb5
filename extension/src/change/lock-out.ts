/** A warning when a save locks out a sample that got in before; it can be undone. */
import { Disposable, Range, type TextDocument, WorkspaceEdit, workspace } from 'vscode';
import type { Asking } from '../asking.ts';
import { holdsConfiguration } from '../our-documents.ts';
import { warnsOfLockOut } from '../settings.ts';
import { offer } from '../telling.ts';
import type { ChangeView } from './change-view.ts';

/** The view that tells what a save changed. */
export const warnOfLockOut = (
  asking: Asking,
  view: Pick<ChangeView, 'followSave' | 'showSave'>,
): Disposable => {
  /** The text of each configuration as it was last saved. */
  const saved = new Map<string, string>();
  const remember = (document: TextDocument): void => {
    if (document.isClosed || document.isUntitled || document.isDirty) return;
    if (!holdsConfiguration(document)) return;
    saved.set(document.uri.toString(), document.getText());
  };
  const followed = [
    workspace.onDidOpenTextDocument(remember),
    workspace.onDidCloseTextDocument(({ uri }) => saved.delete(uri.toString())),
    workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      // A reload from disk is no edit: what is there now is what was saved. Whether a change is an
      // edit is known a moment later: VS Code tells of the change before it calls the file unsaved.
      if (contentChanges.length > 0) setTimeout(() => remember(document), settleMs);
    }),
    workspace.onDidSaveTextDocument(async (document) => {
      const before = saved.get(document.uri.toString());
      saved.set(document.uri.toString(), document.getText());
      if (before === undefined || before === document.getText() || !warnsOfLockOut()) return;
      const { loss } = await asking.change({ uri: document.uri.toString(), against: before });
      if (loss === undefined) return;
      view.followSave(document, before);
      const answer = await offer({ text: loss, isWarning: true, actions: ['Undo', 'Show Change'] });
      if (answer === 'Undo') await restore(document, before);
      if (answer === 'Show Change') await view.showSave(document, before);
    }),
  ];
  for (const document of workspace.textDocuments) remember(document);
  return Disposable.from(...followed);
};

const settleMs = 500;

const restore = async (document: TextDocument, text: string): Promise<void> => {
  const edit = new WorkspaceEdit();
  const whole = new Range(document.positionAt(0), document.positionAt(document.getText().length));
  edit.replace(document.uri, whole, text);
  if (await workspace.applyEdit(edit)) await document.save();
};
