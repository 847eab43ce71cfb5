/** Edits of a string as values. */
import type { Span } from './span.ts';

/**
 * A replacement of a span; an empty span inserts.
 *
 * @example
 * ```ts
 * const insertion: TextEdit = { span: { start: 0, end: 0 }, newText: '# reviewed\n' };
 * ```
 */
export interface TextEdit {
  readonly span: Span;
  readonly newText: string;
}

/**
 * Applies all edits; overlapping edits are a programming error.
 *
 * @example
 * ```ts
 * const fixed = applyEdits(text, [{ span: { start: 0, end: 0 }, newText: '# reviewed\n' }]);
 * ```
 */
export const applyEdits = (text: string, edits: readonly TextEdit[]): string => {
  const ordered = [...edits].sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end);
  let result = '';
  let position = 0;
  for (const edit of ordered) {
    if (edit.span.start < position) throw new Error('unreachable: overlapping edits');
    result += text.slice(position, edit.span.start) + edit.newText;
    position = edit.span.end;
  }
  return result + text.slice(position);
};
