/** Going to a place of a file. */
import type { PlaceInFile } from '@authgraph/language-server/protocol';
import { Range, Selection, TextEditorRevealType, Uri, ViewColumn, window, workspace } from 'vscode';

export const goTo = async ({ uri, range }: PlaceInFile): Promise<void> => {
  const document = await workspace.openTextDocument(Uri.parse(uri, true));
  const shown = window.visibleTextEditors.find((editor) => editor.document === document);
  const editor = await window.showTextDocument(document, shown?.viewColumn ?? ViewColumn.One);
  const place = rangeOf({ uri, range });
  editor.selection = new Selection(place.start, place.end);
  editor.revealRange(place, TextEditorRevealType.InCenterIfOutsideViewport);
};

export const rangeOf = ({ range: { start, end } }: PlaceInFile): Range =>
  new Range(start.line, start.character, end.line, end.character);
