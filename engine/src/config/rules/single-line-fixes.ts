/** Which mends can be trusted in a text whose lines may belong together otherwise than they seem to. */
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { ConfigDocument } from '../../documents/yaml/document.ts';

/** Of broken YAML or JSON: only those that stay within a line. */
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
