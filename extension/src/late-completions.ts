/**
 * Drops completions whose value was typed to its end before VS Code shows them. Their list would
 * accept one with the Enter key that was meant to start a new line.
 */
import { type CompletionItem, commands, type TextDocument } from 'vscode';
import type { CompletionMiddleware } from 'vscode-languageclient';

export const withoutLateCompletions: NonNullable<
  CompletionMiddleware['provideCompletionItem']
> = async (document, position, context, token, next) => {
  const requested = document.version;
  const list = await next(document, position, context, token);
  if (list === null || list === undefined) return list;
  const items = Array.isArray(list) ? list : list.items;
  const isComplete = (): boolean => items.some((item) => isTyped(document, item));
  if (document.version !== requested) return isComplete() ? undefined : list;
  // VS Code opens the list when all extensions have answered. It does not request them again because of
  // characters that were typed until then.
  for (const delay of checksMs) {
    setTimeout(() => {
      if (document.version !== requested && isComplete()) {
        void commands.executeCommand('hideSuggestWidget');
      }
    }, delay);
  }
  return list;
};

/** When an open list is checked again. */
const checksMs = [50, 150, 300, 600];

/** Reports whether the line, from the start of what the item replaces, ends with the text of the item. */
const isTyped = (document: TextDocument, { range, insertText }: CompletionItem): boolean => {
  if (range === undefined || typeof insertText !== 'string') return false;
  const { line, character } = ('start' in range ? range : range.replacing).start;
  return (
    line < document.lineCount &&
    document.lineAt(line).text.slice(character).trim() === insertText.trim()
  );
};
