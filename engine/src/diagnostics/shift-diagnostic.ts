/** Shifts a diagnostic to another position in its file. */
import { shiftSpan } from '../source/span.ts';
import type { Diagnostic } from './diagnostic.ts';
import { mapDiagnostic } from './map-diagnostic.ts';

export const shiftDiagnostic = (diagnostic: Diagnostic, offset: number): Diagnostic =>
  offset === 0
    ? diagnostic
    : mapDiagnostic(diagnostic, {
        toFile: (own) => shiftSpan(own, offset),
        editOfFile: (edit) => ({ ...edit, span: shiftSpan(edit.span, offset) }),
      });
