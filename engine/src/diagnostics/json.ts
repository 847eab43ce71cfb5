/** Diagnostics as JSON for programs; docs/schema/check.v1.json describes the format. */
import type { SourceFile } from '../source/source-file.ts';
import type { Span } from '../source/span.ts';
import type { Diagnostic, Fix, Severity } from './diagnostic.ts';
import { pagePath } from './page.ts';
import type { FileReport } from './render.ts';
import { foldConsequences, inReportOrder } from './report-order.ts';

/** Incremented when readers of the old format could misread the new one. */
const checkReportVersion = 1;

export const jsonReport = (reports: readonly FileReport[], fixes?: JsonFixes) => ({
  version: checkReportVersion,
  files: reports.map(({ source, diagnostics }) => ({
    file: source.uri,
    diagnostics: inReportOrder(diagnostics).map((diagnostic) =>
      jsonDiagnostic(source, diagnostic, fixes?.isApplied),
    ),
  })),
  summary: {
    ...summaryOf(reports),
    ...(fixes === undefined ? {} : { fixable: fixes.count }),
  },
});

/** What `check --fix` would apply. */
interface JsonFixes {
  readonly isApplied: (fix: Fix) => boolean;
  /** The number of diagnostics in the summary that it would fix. */
  readonly count: number;
}

export type CheckReport = ReturnType<typeof jsonReport>;

export const jsonDiagnostic = (
  source: SourceFile,
  diagnostic: Diagnostic,
  isApplied: (fix: Fix) => boolean = () => false,
) => ({
  code: diagnostic.code,
  name: diagnostic.name,
  severity: diagnostic.severity,
  source: diagnostic.source,
  message: diagnostic.message,
  help: diagnostic.help,
  page: pagePath(diagnostic.name),
  // Absent for a place that belongs to no field.
  ...(diagnostic.path === undefined ? {} : { path: diagnostic.path }),
  ...(diagnostic.consequenceOf === undefined ? {} : { consequenceOf: diagnostic.consequenceOf }),
  range: jsonRange(source, diagnostic.span),
  related: diagnostic.related.map(({ span, message }) => ({
    message,
    range: jsonRange(source, span),
  })),
  fixes: diagnostic.fixes.map((fix) => ({
    title: fix.title,
    edits: fix.edits.map(({ span, newText }) => ({ range: jsonRange(source, span), newText })),
    // True if a person should choose the fix.
    ...(fix.choice === undefined ? {} : { choice: fix.choice }),
    // True if `check --fix` applies the fix.
    ...(isApplied(fix) ? { automatic: true } : {}),
  })),
  ...(diagnostic.server === undefined ? {} : { server: diagnostic.server }),
  // What shows that a finding is true; absent if nothing was looked for.
  ...(diagnostic.evidence === undefined ? {} : { evidence: diagnostic.evidence }),
});

export type JsonRange = ReturnType<typeof jsonRange>;

export const jsonRange = (source: SourceFile, span: Span) => ({
  start: jsonPosition(source, span.start),
  end: jsonPosition(source, span.end),
});

export type Summary = ReturnType<typeof summaryOf>;

/** Counts diagnostics; a consequence is counted as part of its cause. */
export const summaryOf = (reports: readonly FileReport[]) => {
  const allDiagnostics = reports.flatMap(({ diagnostics }) =>
    foldConsequences(diagnostics).map(({ diagnostic }) => diagnostic),
  );
  const count = (severity: Severity): number =>
    allDiagnostics.filter((one) => one.severity === severity).length;
  return {
    files: reports.length,
    errors: count('error'),
    warnings: count('warning'),
    information: count('information'),
    hints: count('hint'),
  };
};

/** Line and column start at 1, the offset in the whole text at 0; columns and offsets are in UTF-16 units. */
const jsonPosition = (source: SourceFile, offset: number) => {
  const { line, column } = source.positionAt(offset);
  return { line: line + 1, column: column + 1, offset };
};
