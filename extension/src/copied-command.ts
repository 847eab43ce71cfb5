/** A command for a shell that asks what a view shows. */
import { type TextDocument, workspace } from 'vscode';
import { copyCommand, showInfo } from './messages.ts';

/** One that names the file answers for what was saved, which is said where the editor has another text. */
export const copyCommandFor = async (
  document: Pick<TextDocument, 'isDirty' | 'uri'> | undefined,
  { commandLine, namesFile }: { readonly commandLine: string; readonly namesFile: boolean },
): Promise<void> => {
  await copyCommand(commandLine);
  if (document?.isDirty !== true || !namesFile) return;
  const name = workspace.asRelativePath(document.uri);
  showInfo(`the command reads ${name} as it was saved, without the edit since; save it first`);
};
