/** Converts the positions of a diagnostic, for example to those of another text. */
import type { Span } from '../source/span.ts';
import type { TextEdit } from '../source/text-edit.ts';
import type { Diagnostic } from './diagnostic.ts';

/** Conversions of positions, and of edits with their new text. */
export interface PositionConversion {
  toFile(own: Span): Span;
  editOfFile(edit: TextEdit): TextEdit;
}

export const mapDiagnostic = (
  diagnostic: Diagnostic,
  { toFile, editOfFile }: PositionConversion,
): Diagnostic => ({
  ...diagnostic,
  span: toFile(diagnostic.span),
  related: diagnostic.related.map((place) => ({ ...place, span: toFile(place.span) })),
  fixes: diagnostic.fixes.map((fix) => ({
    ...fix,
    edits: fix.edits.map((edit) => editOfFile(edit)),
  })),
});
