/** *Evaluate Selection*: the values of an expression for all samples, as a table in text. */
import { type Position, ViewColumn, window } from 'vscode';
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
    range: { start: plain(selection.start), end: plain(selection.end) },
  });
  if (markdown === undefined) {
    showInfo(problem);
    return;
  }
  await window.showTextDocument(results.put('Evaluation.md', `${markdown}\n`), {
    preview: true,
    viewColumn: ViewColumn.Beside,
    preserveFocus: true,
  });
};

/** A worker copies the fields of an object, and not what its accessors return. */
const plain = ({ line, character }: Position) => ({ line, character });
