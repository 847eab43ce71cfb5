/** Counts the fixes that `check --fix` applies, which a report without `--fix` marks. */
import type { Fix } from '../diagnostics/diagnostic.ts';
import type { FileReport } from '../diagnostics/render.ts';
import { foldConsequences } from '../diagnostics/report-order.ts';
import { counted } from '../formats/counted.ts';
import type { CheckedFile } from './check-files.ts';

export interface AppliedFixes {
  readonly isApplied: (fix: Fix) => boolean;
  /** The number of reported diagnostics that have such a fix. */
  readonly count: number;
}

export const appliedFixes = (files: readonly CheckedFile[]): AppliedFixes => {
  const applied = new Set(files.flatMap(({ fixable }) => [...fixable]));
  let count = 0;
  // A consequence is counted as part of its cause.
  for (const { report } of files)
    for (const { diagnostic } of foldConsequences(report.diagnostics))
      if (diagnostic.fixes.some((fix) => applied.has(fix))) count += 1;
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
