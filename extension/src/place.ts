/** Locations in files: navigation, and the location at the cursor. */
import type { PlaceInFile } from '@authgraph/language-server/protocol';
import {
  Range,
  Selection,
  type TextDocument,
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

/** Returns the one-based line of a place, as views show it. */
export const lineOf = ({ range }: PlaceInFile): number => range.start.line + 1;

/**
 * Returns the item with the smallest range around the cursor. On a line outside of any single-line
 * range, items that start on the line take precedence over those around it.
 */
export const smallestAtCursor = <T extends { readonly place?: PlaceInFile }>(
  all: readonly T[],
  editor: TextEditor | undefined,
): T | undefined => {
  if (editor === undefined) return undefined;
  const uri = editor.document.uri.toString();
  const cursor = editor.selection.active;
  const here = all.flatMap((one) => {
    const range = one.place?.uri === uri ? rangeOf(one.place) : undefined;
    return range === undefined ? [] : [{ one, range }];
  });
  const around = smallest(here.filter(({ range }) => range.contains(cursor)));
  const isOfLine = around?.range.isSingleLine === true;
  const lines = linesOfEntry(editor.document, cursor.line);
  const beginning = here.filter(({ range }) => lines.includes(range.start.line));
  return (isOfLine ? around : (smallest(beginning) ?? around))?.one;
};

/**
 * Returns the line and those after it that belong to the same entry: a line ending in a key or a
 * block indicator continues below.
 */
const linesOfEntry = (document: TextDocument, line: number): readonly number[] => {
  let last = line;
  while (
    last + 1 < document.lineCount &&
    /:\s*(?:[>|][-+\d]*\s*)?$/.test(document.lineAt(last).text)
  ) {
    last += 1;
  }
  return Array.from({ length: last - line + 1 }, (_, index) => line + index);
};

const smallest = <Placed extends { readonly range: Range }>(
  all: readonly Placed[],
): Placed | undefined => {
  const lines = ({ range }: Placed): number => range.end.line - range.start.line;
  return all.reduce<Placed | undefined>(
    (best, each) => (best === undefined || lines(each) < lines(best) ? each : best),
    undefined,
  );
};

export const rangeOf = ({ range: { start, end } }: PlaceInFile): Range =>
  new Range(start.line, start.character, end.line, end.character);
