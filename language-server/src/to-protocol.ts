/** The one place where spans and diagnostics become ranges of the protocol, and back. */
import {
  type Diagnostic as EngineDiagnostic,
  type NestedText,
  pageUrl,
  type Severity,
  type SourceFile,
  type Span,
  type TextEdit,
} from '@authgraph/engine/language';
import {
  type Diagnostic,
  DiagnosticSeverity,
  DiagnosticTag,
  type Position,
  type TextEdit as ProtocolEdit,
  type Range,
} from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';

/**
 * Places of one configuration in its file. A configuration inside another document (the value of a
 * ConfigMap, one document of several) has a text of its own: its offsets are not those of the file.
 */
export interface Places {
  range(span: Span): Range;
  /** Where a place of the file lies in the configuration; `undefined` outside of it. */
  offsetAt(position: Position): number | undefined;
  /** What of a range of the file lies in the configuration. */
  spanOf(range: Range): Span | undefined;
  edit(edit: TextEdit): ProtocolEdit;
}

/** `text` stands in `file`, or is it. */
export const placesIn = (file: SourceFile, text: NestedText): Places => {
  const range = (span: Span): Range => rangeOf(file, text.toFile(span));
  const offsetAt = (position: Position): number | undefined =>
    text.fromFile(offsetIn(file, position));
  return {
    range,
    offsetAt,
    spanOf({ start, end }) {
      const from = offsetAt(start);
      const to = offsetAt(end);
      if (from === undefined && to === undefined) return undefined;
      return { start: from ?? 0, end: to ?? text.source.text.length };
    },
    edit(edit) {
      const { span, newText } = text.editOfFile(edit);
      return { range: rangeOf(file, span), newText };
    },
  };
};

export const rangeOf = (source: SourceFile, { start, end }: Span): Range => ({
  start: positionOf(source, start),
  end: positionOf(source, end),
});

/** Behind the last line: the end of the text. */
export const offsetIn = (source: SourceFile, position: Position): number =>
  linesOf(source).offsetAt(position);

const positionOf = (source: SourceFile, offset: number): Position =>
  linesOf(source).positionAt(offset);

/** The protocol ends lines at a CR alone too, which the real loader's line numbers do not. */
const linesOf = (source: SourceFile): TextDocument => {
  const cached = lines.get(source);
  if (cached !== undefined) return cached;
  const created = TextDocument.create(source.uri, '', 0, source.text);
  lines.set(source, created);
  return created;
};

const lines = new WeakMap<SourceFile, TextDocument>();

export const diagnosticOf = (
  diagnostic: EngineDiagnostic,
  { uri, places }: { readonly uri: string; readonly places: Places },
): Diagnostic => ({
  range: places.range(diagnostic.span),
  severity: severities[diagnostic.severity],
  code: diagnostic.code,
  codeDescription: { href: pageUrl(diagnostic.name) },
  source: 'authgraph',
  message:
    diagnostic.help === '' ? diagnostic.message : `${diagnostic.message}\n${diagnostic.help}`,
  ...(diagnostic.related.length === 0
    ? {}
    : {
        relatedInformation: diagnostic.related.map(({ span, message }) => ({
          location: { uri, range: places.range(span) },
          message,
        })),
      }),
  ...(unnecessary.has(diagnostic.name) ? { tags: [DiagnosticTag.Unnecessary] } : {}),
  data: { name: diagnostic.name },
});

/** Text that does nothing. */
const unnecessary: ReadonlySet<string> = new Set(['ignored-document']);

const severities: Readonly<Record<Severity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
};
