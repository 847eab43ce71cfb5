/** Copies the CLI command for what a view shows. */
import { type TextDocument, workspace } from 'vscode';
import { copyCommand, showInfo } from './messages.ts';

/**
 * Copies the command, and reports if it reads the saved file while the editor has unsaved changes.
 */
export const copyCommandFor = async (
  document: Pick<TextDocument, 'isDirty' | 'uri'> | undefined,
  { commandLine, namesFile }: { readonly commandLine: string; readonly namesFile: boolean },
): Promise<void> => {
  await copyCommand(commandLine);
  if (document?.isDirty !== true || !namesFile) return;
  const name = workspace.asRelativePath(document.uri);
  showInfo(
    `the command reads the saved version of ${name}, without your unsaved changes: save it first`,
  );
};
