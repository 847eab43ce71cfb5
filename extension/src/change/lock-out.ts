/**
 * Warns when a save locks out a sample that was accepted before, or leaves a file that kube-apiserver
 * does not load, and offers to undo the save.
 */
import type { LoadFailureRow } from '@authgraph/language-server/protocol';
import {
  commands,
  type Disposable,
  Range,
  type TextDocument,
  Uri,
  WorkspaceEdit,
  workspace,
} from 'vscode';
import { offer } from '../messages.ts';
import type { Model } from '../model.ts';
import { goTo, lineOf } from '../place.ts';
import type { ServerRequests } from '../requests.ts';
import { fileNameOf, type Results } from '../results.ts';
import { isLockOutWarningEnabled } from '../settings.ts';
import type { ChangeView } from './change-view.ts';
import { followSaves, type SavedFile, type SettledSave } from './settled-saves.ts';

interface LockOutParts {
  readonly requests: ServerRequests;
  readonly model: Pick<Model, 'samples'>;
  /** The view that shows what a save changed. */
  readonly view: Pick<ChangeView, 'followSave' | 'showSave'>;
  readonly results: Results;
}

export const warnOfLockOut = ({ requests, model, view, results }: LockOutParts): Disposable => {
  /** Restores the texts before the save unless a document changed since. */
  const undo = async ({ files }: SettledSave): Promise<void> => {
    const documents = await Promise.all(
      files.map(async (file) => ({ file, document: await workspace.openTextDocument(file.uri) })),
    );
    const edited = documents.find(({ file, document }) => document.getText() !== file.after);
    if (edited === undefined) return restore(documents);
    const { uri, before } = edited.file;
    const name = workspace.asRelativePath(uri);
    const text = `${name} was edited after the save, so nothing was undone`;
    const answer = await offer({ text, isWarning: true, actions: ['Show Change'] });
    if (answer !== 'Show Change') return;
    const shown = results.put(`before the save/${fileNameOf(name)}`, before);
    await commands.executeCommand('vscode.diff', shown, uri, `${name}: before the save ↔ now`);
  };
  const warn = async ({ uri, before }: SavedFile, save: SettledSave): Promise<void> => {
    const { samples } = save;
    const report = await requests.change({ uri: uri.toString(), against: before, samples });
    const { loss, loadFailures = [] } = report;
    const failures = loadFailures.filter(({ failedBefore }) => !failedBefore);
    const name = workspace.asRelativePath(uri);
    if (failures.length > 0) {
      const text = `${name}: ${failures.map(loadText).join(' ')}`;
      const answer = await offer({ text, isWarning: true, actions: ['Undo', 'Show'] });
      const [error] = failures.flatMap(({ errors }) => errors);
      if (answer === 'Undo') await undo(save);
      if (answer === 'Show' && error !== undefined) await goTo(error.place);
    }
    if (loss === undefined) return;
    const document = await workspace.openTextDocument(uri);
    view.followSave(document, { text: before, samples });
    const text = `${name}: ${loss}`;
    const answer = await offer({ text, isWarning: true, actions: ['Undo', 'Show Change'] });
    if (answer === 'Undo') await undo(save);
    if (answer === 'Show Change') await view.showSave(document, { text: before, samples });
  };
  const isSample = (uri: string): boolean =>
    model.samples.some((row) => row.uri !== undefined && Uri.parse(row.uri).toString() === uri);
  return followSaves(isSample, (save) => {
    if (!isLockOutWarningEnabled()) return;
    for (const configuration of save.configurations) void warn(configuration, save);
  });
};

const loadText = ({
  configuration: { title = 'this file' },
  errorCount,
  errors: [first],
}: LoadFailureRow): string => {
  const count = `${errorCount} ${errorCount === 1 ? 'error' : 'errors'}`;
  const line =
    first === undefined
      ? ''
      : ` Line ${lineOf(first.place)}: ${first.message.replace(/\.?$/, '.')}`;
  return `kube-apiserver does not load ${title} (${count}).${line}`;
};

const restore = async (
  documents: readonly { readonly file: SavedFile; readonly document: TextDocument }[],
): Promise<void> => {
  const edit = new WorkspaceEdit();
  for (const { file, document } of documents) {
    const end = document.positionAt(document.getText().length);
    edit.replace(file.uri, new Range(document.positionAt(0), end), file.before);
  }
  if (!(await workspace.applyEdit(edit))) return;
  for (const { document } of documents) await document.save();
};
