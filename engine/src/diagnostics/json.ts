/** Diagnostics as JSON for programs; docs/schema/check.v1.json describes the format. */
import type { SourceFile } from '../source/source-file.ts';
import type { Span } from '../source/span.ts';
import type { Diagnostic, ServerError, Severity } from './diagnostic.ts';
import { pageUrl } from './page.ts';
import { type FileReport, inSourceOrder } from './render.ts';

/** Incremented when readers of the old format could misread the new one. */
const checkReportVersion = 1;

export interface JsonPosition {
  /** Line number, starting at 1. */
  readonly line: number;
  /** Column in UTF-16 units, starting at 1. */
  readonly column: number;
  /** Offset in UTF-16 units of the whole text, starting at 0. */
  readonly offset: number;
}

export interface JsonRange {
  readonly start: JsonPosition;
  readonly end: JsonPosition;
}

export interface JsonDiagnostic {
  readonly code: string;
  readonly name: string;
  readonly severity: Severity;
  readonly source: string;
  readonly message: string;
  readonly help: string;
  readonly page: string;
  readonly range: JsonRange;
  readonly related: readonly { readonly message: string; readonly range: JsonRange }[];
  readonly fixes: readonly {
    readonly title: string;
    readonly edits: readonly { readonly range: JsonRange; readonly newText: string }[];
    /** True if a person should choose the fix. */
    readonly choice?: true;
  }[];
  readonly server?: ServerError;
}

export interface CheckReport {
  readonly version: number;
  readonly files: readonly {
    readonly file: string;
    readonly diagnostics: readonly JsonDiagnostic[];
  }[];
  readonly summary: Summary;
}

export interface Summary {
  readonly files: number;
  readonly errors: number;
  readonly warnings: number;
  readonly information: number;
  readonly hints: number;
}

export const jsonReport = (reports: readonly FileReport[]): CheckReport => ({
  version: checkReportVersion,
  files: reports.map(({ source, diagnostics }) => ({
    file: source.uri,
    diagnostics: inSourceOrder(diagnostics).map((diagnostic) => jsonDiagnostic(source, diagnostic)),
  })),
  summary: summaryOf(reports),
});

export const jsonDiagnostic = (source: SourceFile, diagnostic: Diagnostic): JsonDiagnostic => ({
  code: diagnostic.code,
  name: diagnostic.name,
  severity: diagnostic.severity,
  source: diagnostic.source,
  message: diagnostic.message,
  help: diagnostic.help,
  page: pageUrl(diagnostic.name),
  range: jsonRange(source, diagnostic.span),
  related: diagnostic.related.map(({ span, message }) => ({
    message,
    range: jsonRange(source, span),
  })),
  fixes: diagnostic.fixes.map(({ title, edits, choice }) => ({
    title,
    edits: edits.map(({ span, newText }) => ({ range: jsonRange(source, span), newText })),
    ...(choice === undefined ? {} : { choice }),
  })),
  ...(diagnostic.server === undefined ? {} : { server: diagnostic.server }),
});

export const jsonRange = (source: SourceFile, span: Span): JsonRange => ({
  start: jsonPosition(source, span.start),
  end: jsonPosition(source, span.end),
});

export const summaryOf = (reports: readonly FileReport[]): Summary => {
  const allDiagnostics = reports.flatMap(({ diagnostics }) => diagnostics);
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

const jsonPosition = (source: SourceFile, offset: number): JsonPosition => {
  const { line, column } = source.positionAt(offset);
  return { line: line + 1, column: column + 1, offset };
};
