/** Places of a file: going to one, and which one the cursor stands in. */
import type { PlaceInFile } from '@authgraph/language-server/protocol';
import {
  Range,
  Selection,
  type TextEditor,
  TextEditorRevealType,
  Uri,
  ViewColumn,
  window,
  workspace,
} from 'vscode';

export const goTo = async ({ uri, range }: PlaceInFile): Promise<void> => {
  const document = await workspace.openTextDocument(Uri.parse(uri, true));
  const shown = window.visibleTextEditors.find((editor) => editor.document === document);
  const editor = await window.showTextDocument(document, shown?.viewColumn ?? ViewColumn.One);
  const place = rangeOf({ uri, range });
  editor.selection = new Selection(place.start, place.end);
  editor.revealRange(place, TextEditorRevealType.InCenterIfOutsideViewport);
};

/** The one with the smallest place around the cursor of an editor; the first of several. */
export const smallestAtCursor = <T extends { readonly place?: PlaceInFile }>(
  all: readonly T[],
  editor: TextEditor | undefined,
): T | undefined => {
  if (editor === undefined) return undefined;
  const uri = editor.document.uri.toString();
  let best: { readonly one: T; readonly lines: number } | undefined;
  for (const one of all) {
    if (one.place?.uri !== uri) continue;
    const range = rangeOf(one.place);
    if (!range.contains(editor.selection.active)) continue;
    const lines = range.end.line - range.start.line;
    if (best === undefined || lines < best.lines) best = { one, lines };
  }
  return best?.one;
};

export const rangeOf = ({ range: { start, end } }: PlaceInFile): Range =>
  new Range(start.line, start.character, end.line, end.character);
