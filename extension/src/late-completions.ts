/**
 * Drops completions that arrive after their value was typed to its end. VS Code would still show
 * them, and accept one with the Enter key that was meant to start a new line.
 */
import type { CompletionItem, TextDocument } from 'vscode';
import type { CompletionMiddleware } from 'vscode-languageclient';

export const withoutLateCompletions: NonNullable<
  CompletionMiddleware['provideCompletionItem']
> = async (document, position, context, token, next) => {
  const requested = document.version;
  const list = await next(document, position, context, token);
  if (list === null || list === undefined || document.version === requested) return list;
  const items = Array.isArray(list) ? list : list.items;
  return items.some((item) => isTyped(document, item)) ? undefined : list;
};

/** Reports whether the line, from the start of what the item replaces, ends with the text of the item. */
const isTyped = (document: TextDocument, { range, insertText }: CompletionItem): boolean => {
  if (range === undefined || typeof insertText !== 'string') return false;
  const { line, character } = ('start' in range ? range : range.replacing).start;
  return (
    line < document.lineCount &&
    document.lineAt(line).text.slice(character).trim() === insertText.trim()
  );
};
