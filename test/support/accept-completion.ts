/** Applies a completion item to a document, as an editor does. */
import {
  type CompletionItem,
  InsertTextFormat,
  InsertTextMode,
  TextEdit,
} from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';

/** Returns only the changed lines; tab stops of snippets appear as `‹…›`. */
export const acceptCompletion = (text: string, item: CompletionItem): string => {
  const { textEdit } = item;
  if (textEdit === undefined || !TextEdit.is(textEdit)) throw new Error('an item has an edit');
  const document = TextDocument.create('file:///auth.yaml', 'yaml', 1, text);
  const { start, end } = textEdit.range;
  if (start.line !== end.line) throw new Error('the edit of an item stands in one line');
  const line = text.split('\n')[start.line] ?? '';
  const indent = /^ */.exec(line)?.[0] ?? '';
  const isSnippet = item.insertTextFormat === InsertTextFormat.Snippet;
  const shown = isSnippet ? stops(textEdit.newText) : textEdit.newText;
  const newText =
    item.insertTextMode === InsertTextMode.adjustIndentation
      ? shown.replaceAll('\n', `\n${indent}`)
      : shown;
  const edits = [{ range: textEdit.range, newText }, ...(item.additionalTextEdits ?? [])];
  const changed = TextDocument.applyEdits(document, edits);
  return differing(text.split('\n'), changed.split('\n')).join('\n');
};

const stops = (snippet: string): string =>
  snippet.replace(
    /\$\{\d+(?::((?:[^\\}]|\\.)*))?\}|\\(.)/g,
    (_, stop: string | undefined, letter: string | undefined) =>
      letter ?? `‹${(stop ?? '').replace(/\\(.)/g, '$1')}›`,
  );

const differing = (before: readonly string[], after: readonly string[]): readonly string[] => {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start += 1;
  let end = 0;
  while (
    end < Math.min(before.length, after.length) - start &&
    before.at(-1 - end) === after.at(-1 - end)
  ) {
    end += 1;
  }
  return after.slice(start, after.length - end);
};
