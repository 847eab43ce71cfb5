/** *Evaluate Selection*: the values of an expression for all samples, as a Markdown preview. */
import { commands, window } from 'vscode';
import { showInfo } from './messages.ts';
import type { ServerRequests } from './requests.ts';
import type { Results } from './results.ts';

export const evaluateSelection = async ({
  requests,
  results,
}: {
  readonly requests: Pick<ServerRequests, 'evaluate'>;
  readonly results: Pick<Results, 'put'>;
}): Promise<void> => {
  const editor = window.activeTextEditor;
  if (editor === undefined) return;
  const { document, selection } = editor;
  const { markdown, problem = '' } = await requests.evaluate({
    uri: document.uri.toString(),
    range: { start: selection.start, end: selection.end },
  });
  if (markdown === undefined) {
    showInfo(problem);
    return;
  }
  const uri = results.put('Evaluation.md', `${markdown}\n`);
  try {
    await commands.executeCommand('markdown.showPreviewToSide', uri);
  } catch {
    // The user may have disabled the Markdown extension.
    await window.showTextDocument(uri);
  }
};
