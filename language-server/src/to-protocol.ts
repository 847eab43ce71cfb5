/** Converts spans and diagnostics to protocol ranges and back. */
import {
  type Diagnostic as EngineDiagnostic,
  evidenceLabel,
  evidenceText,
  type NestedText,
  oncePer,
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
 * Converts between a configuration and its file. A configuration inside another document, such as a
 * ConfigMap value or one of several YAML documents, has its own text and offsets.
 */
export interface Places extends Pick<NestedText, 'toFile'> {
  readonly file: SourceFile;
  range(span: Span): Range;
  /** Returns the offset in the configuration; `undefined` outside of it. */
  offsetAt(position: Position): number | undefined;
  /** Returns the part of a range that lies in the configuration. */
  spanOf(range: Range): Span | undefined;
  edit(edit: TextEdit): ProtocolEdit;
}

/** Returns the places of `text`, which is part of `file` or all of it. */
export const placesIn = (file: SourceFile, text: NestedText): Places => {
  const range = (span: Span): Range => rangeOf(file, text.toFile(span));
  const offsetAt = (position: Position): number | undefined =>
    text.fromFile(offsetIn(file, position));
  return {
    file,
    toFile: text.toFile,
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

/** Returns the end of the text for positions after the last line. */
export const offsetIn = (source: SourceFile, position: Position): number =>
  linesOf(source).offsetAt(position);

const positionOf = (source: SourceFile, offset: number): Position =>
  linesOf(source).positionAt(offset);

/** A lone CR ends a line in the protocol, but not in kube-apiserver's line numbers. */
const linesOf = oncePer(({ uri, text }: SourceFile) => TextDocument.create(uri, '', 0, text));

/** Orders positions as they are in a file. */
export const comparePositions = (a: Position, b: Position): number =>
  a.line - b.line || a.character - b.character;

/** Returns whether a range contains a position or ends at it. */
export const touchesPosition = ({ start, end }: Range, position: Position): boolean =>
  comparePositions(start, position) <= 0 && comparePositions(position, end) <= 0;

/** Returns whether two ranges share a line. */
export const sharesLine = (a: Range, b: Range): boolean =>
  a.start.line <= b.end.line && b.start.line <= a.end.line;

export const diagnosticOf = (
  diagnostic: EngineDiagnostic,
  { uri, places }: { readonly uri: string; readonly places: Places },
): Diagnostic => ({
  range: places.range(diagnostic.span),
  severity: severities[diagnostic.severity],
  code: diagnostic.code,
  source: 'authgraph',
  message:
    diagnostic.help === '' ? diagnostic.message : `${diagnostic.message}\n${diagnostic.help}`,
  ...relatedInformation(diagnostic, { uri, places }),
  ...(unnecessary.has(diagnostic.name) ? { tags: [DiagnosticTag.Unnecessary] } : {}),
  data: { name: diagnostic.name },
});

/** Returns other places, and the example or the proof of a finding. */
const relatedInformation = (
  { span: own, related, evidence }: EngineDiagnostic,
  { uri, places }: { readonly uri: string; readonly places: Places },
): Pick<Diagnostic, 'relatedInformation'> => {
  const shown = evidence === undefined ? undefined : evidenceText(evidence);
  const all =
    evidence === undefined || shown === undefined
      ? related
      : [...related, { span: own, message: `${evidenceLabel(evidence)}: ${shown}` }];
  if (all.length === 0) return {};
  return {
    relatedInformation: all.map(({ span, message }) => ({
      location: { uri, range: places.range(span) },
      message,
    })),
  };
};

/** Names of diagnostics about text without effect. */
const unnecessary: ReadonlySet<string> = new Set(['ignored-document']);

const severities: Readonly<Record<Severity, DiagnosticSeverity>> = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  information: DiagnosticSeverity.Information,
  hint: DiagnosticSeverity.Hint,
};
