/** Fixes for files with syntax errors, whose lines may not belong together as they seem to. */
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { ConfigDocument } from '../../documents/yaml/document.ts';

/** Drops the fixes that span several lines if the YAML or JSON has a syntax error. */
export const keepSingleLineFixes = (
  found: readonly Diagnostic[],
  { failure, source }: ConfigDocument,
): readonly Diagnostic[] => {
  if (failure === undefined) return found;
  return found.map((diagnostic) => ({
    ...diagnostic,
    fixes: diagnostic.fixes.filter(({ edits }) =>
      edits.every(
        ({ span, newText }) =>
          !newText.includes('\n') && !source.text.slice(span.start, span.end).includes('\n'),
      ),
    ),
  }));
};
