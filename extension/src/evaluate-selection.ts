/** *Evaluate Selection*: the values of an expression for all samples, as a Markdown preview. */
import { commands, type Uri, ViewColumn, window } from 'vscode';
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
  const uri = results.put(resultName, `${markdown}\n`);
  if (await showPreview(uri)) return;
  await window.showTextDocument(uri, { viewColumn: ViewColumn.Beside });
};

const resultName = 'Evaluation.md';

/**
 * Returns whether the preview is shown. The user may have disabled the Markdown extension, and in
 * some browsers its command has no effect.
 */
const showPreview = async (uri: Uri): Promise<boolean> => {
  let isPossible = true;
  commands.executeCommand('markdown.showPreviewToSide', uri).then(undefined, () => {
    isPossible = false;
  });
  const deadline = Date.now() + previewTimeoutMs;
  while (isPossible && Date.now() < deadline) {
    if (isShown()) return true;
    await new Promise<void>((resolve) => setTimeout(resolve, pollIntervalMs));
  }
  return false;
};

const isShown = (): boolean =>
  window.tabGroups.all.some(({ activeTab }) => activeTab?.label.includes(resultName) === true);

const previewTimeoutMs = 2000;
const pollIntervalMs = 50;
