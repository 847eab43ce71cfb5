/** Finds the fixes that `check --fix` applies, so that a report without `--fix` can mark them. */
import { syntaxCodes } from '../compile/field-paths.ts';
import { automaticFix, type Diagnostic, type Fix } from '../diagnostics/diagnostic.ts';
import type { FileReport } from '../diagnostics/render.ts';
import { foldConsequences } from '../diagnostics/report-order.ts';
import { counted } from '../formats/counted.ts';

export interface AppliedFixes {
  readonly isApplied: (fix: Fix) => boolean;
  /** The number of reported diagnostics that have such a fix. */
  readonly count: number;
}

export const appliedFixes = (reports: readonly FileReport[]): AppliedFixes => {
  const applied = new Set<Fix>();
  let count = 0;
  for (const { diagnostics } of reports) {
    const isAppliedTo = fixableIn(diagnostics);
    for (const { diagnostic, consequences } of foldConsequences(diagnostics)) {
      for (const one of [diagnostic, ...consequences]) {
        const fix = isAppliedTo(one) ? automaticFix(one) : undefined;
        if (fix === undefined) continue;
        applied.add(fix);
        // A consequence is counted as part of its cause.
        if (one === diagnostic) count += 1;
      }
    }
  }
  return { isApplied: (fix) => applied.has(fix), count };
};

/** Returns `; 2 of 5 problems can be fixed with --fix`; empty if there is nothing to fix. */
export const fixableText = ({ count }: AppliedFixes, reports: readonly FileReport[]): string => {
  if (count === 0) return '';
  const all = reports.flatMap(({ diagnostics }) => foldConsequences(diagnostics)).length;
  return all === 1
    ? '; --fix can fix it'
    : `; ${count} of ${counted(all, 'problem')} can be fixed with --fix`;
};

/**
 * Returns which diagnostics of a file `--fix` considers: not those of a settings file, and in a text that
 * cannot be parsed, only syntax errors, until all of them are fixed.
 */
const fixableIn = (diagnostics: readonly Diagnostic[]): ((one: Diagnostic) => boolean) => {
  const isBlocked = diagnostics.some(
    (one) => syntaxCodes.has(one.code) && automaticFix(one) === undefined,
  );
  return ({ code, source }) =>
    source !== 'settings' && source !== 'tests' && (!isBlocked || syntaxCodes.has(code));
};
