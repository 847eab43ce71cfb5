/** Fixes of keys: a misspelled name, and a member that is repeated. */
import type { Fix } from '../diagnostics/diagnostic.ts';
import type { DataEntry, DataNode } from '../documents/yaml/data.ts';
import { removeField } from './rules/layout-fixes.ts';

/** Removes a member that repeats the value of an earlier one. */
export const removeCopyFixes = (
  { key, value, replaces }: DataEntry,
  text: string,
): readonly Fix[] => {
  const sourceText = (node: DataNode): string => text.slice(node.span.start, node.span.end);
  if (replaces === undefined || sourceText(replaces.value) !== sourceText(value)) return [];
  const edit = /^\w+$/.test(key) ? removeField({ source: { text } }, key, value.span) : undefined;
  return edit === undefined ? [] : [{ title: 'Remove it', edits: [edit] }];
};

/** Renames a key and keeps its quotes. */
export const renameFixes = (
  { key, keySpan }: DataEntry,
  name: string,
  text: string,
): readonly Fix[] => {
  const start = keySpan.start + text.slice(keySpan.start, keySpan.end).indexOf(key);
  if (start < keySpan.start) return [];
  const edits = [{ span: { start, end: start + key.length }, newText: name }];
  return [{ title: `Rename to ${name}`, edits }];
};
