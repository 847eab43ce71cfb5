/** Shifts a diagnostic to another position in its file. */
import { shiftSpan } from '../source/span.ts';
import type { Diagnostic } from './diagnostic.ts';

export const shiftDiagnostic = (diagnostic: Diagnostic, offset: number): Diagnostic =>
  offset === 0
    ? diagnostic
    : {
        ...diagnostic,
        span: shiftSpan(diagnostic.span, offset),
        related: diagnostic.related.map((related) => ({
          ...related,
          span: shiftSpan(related.span, offset),
        })),
        fixes: diagnostic.fixes.map((fix) => ({
          ...fix,
          edits: fix.edits.map((edit) => ({ ...edit, span: shiftSpan(edit.span, offset) })),
        })),
      };
