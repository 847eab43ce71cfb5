/** A command that names a file answers for what was saved, not for what stands in the editor. */
import { type TextDocument, workspace } from 'vscode';
import { tell } from './telling.ts';

/** After the command was copied. */
export const noteUnsaved = (
  document: Pick<TextDocument, 'isDirty' | 'uri'> | undefined,
  { namesFile }: { readonly namesFile: boolean },
): void => {
  if (document?.isDirty !== true || !namesFile) return;
  const name = workspace.asRelativePath(document.uri);
  tell(`the command reads ${name} as it was saved, without the edit since; save it first`);
};
