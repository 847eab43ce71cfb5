/** A diagnostic at another place of its file. */
import { shiftSpan } from '../source/span.ts';
import type { Diagnostic } from './diagnostic.ts';

export const shiftDiagnostic = (diagnostic: Diagnostic, by: number): Diagnostic =>
  by === 0
    ? diagnostic
    : {
        ...diagnostic,
        span: shiftSpan(diagnostic.span, by),
        related: diagnostic.related.map((related) => ({
          ...related,
          span: shiftSpan(related.span, by),
        })),
        fixes: diagnostic.fixes.map((fix) => ({
          ...fix,
          edits: fix.edits.map((edit) => ({ ...edit, span: shiftSpan(edit.span, by) })),
        })),
      };
