/** Expect This Result: adds a test for a sample, with the current decision as its expectation. */
import type { SampleRow, TestAddition } from '@authgraph/language-server/protocol';
import { RelativePattern, Uri, WorkspaceEdit, workspace } from 'vscode';
import { showError, showInfo } from '../messages.ts';
import type { Model } from '../model.ts';
import { goTo, rangeOf } from '../place.ts';
import { testFileSuffix } from '../recognize-document.ts';
import type { ServerRequests } from '../requests.ts';

/** Test files in the folder of the sample; the language server reads as many. */
const maxNeighbors = 50;

/** Adds the test as one edit that can be undone, and shows it. The edit is not saved. */
export const expectResult = async (
  { model, requests }: { readonly model: Model; readonly requests: ServerRequests },
  sample: SampleRow | undefined,
): Promise<void> => {
  if (sample === undefined) return;
  if (model.configuration === undefined)
    return showInfo('no configuration is open: open the one whose decision is expected');
  if (sample.uri === undefined)
    return showInfo(`${sample.name} is held in memory: save it as a sample first`);
  const uri = model.configuration.uri.toString();
  const folder = Uri.joinPath(Uri.parse(sample.uri, true), '..');
  const neighbors = await workspace.findFiles(
    new RelativePattern(folder, `*${testFileSuffix}`),
    undefined,
    maxNeighbors,
  );
  const testFiles = neighbors.map(String).sort();
  const { addition, problem } = await requests.expectResult({ uri, sample: sample.id, testFiles });
  if (addition === undefined) return showError(problem ?? 'the test was not added');
  if (addition.edits.length > 0 && !(await workspace.applyEdit(editOf(addition))))
    return showError('the test was not added, because the file changed: try again');
  await goTo(addition);
  if (addition.edits.length === 0) showInfo('the file has this test already');
};

const editOf = ({ uri, isNew, edits }: TestAddition): WorkspaceEdit => {
  const file = Uri.parse(uri, true);
  const edit = new WorkspaceEdit();
  if (isNew) edit.createFile(file, { ignoreIfExists: false });
  for (const { range, newText } of edits) edit.replace(file, rangeOf({ uri, range }), newText);
  return edit;
};
