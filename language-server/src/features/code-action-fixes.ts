/**
 * The engine's fixes as code actions: for one diagnostic, for all diagnostics of a kind, and for a
 * whole file.
 */
import {
  automaticFix,
  type Diagnostic as EngineDiagnostic,
  fixAll,
  oneLine,
  type Span,
  type TextEdit,
} from '@authgraph/engine/language';
import {
  type CodeAction,
  CodeActionKind,
  type Diagnostic,
  type Range,
  type WorkspaceEdit,
} from 'vscode-languageserver';
import type { SettingsPart } from '../project-settings.ts';
import { diagnosticOf } from '../to-protocol.ts';
import type { ConfigurationPart } from '../workspace.ts';
import type { PartContext } from './feature.ts';

export const fixAllKind = `${CodeActionKind.SourceFixAll}.authgraph`;

/**
 * Returns the fixes of all diagnostics that touch the range. Each action refers to the client's own
 * copy of its diagnostic if the client sent one.
 */
export const quickFixes = (
  context: PartContext,
  range: Span,
  shown: readonly Diagnostic[],
): readonly CodeAction[] => {
  const diagnostics = shownDiagnostics(context);
  return diagnostics
    .filter(({ span, fixes }) => fixes.length > 0 && touchesRange(span, range))
    .flatMap((one) => [
      ...fixesOf(one, context.part, shown),
      ...fixAllOfKind(one, diagnostics, context.part),
    ]);
};

/** Returns the `source.fixAll.authgraph` action, which applies every safe fix. */
export const fixAllActions = (context: PartContext): readonly CodeAction[] => {
  const { part } = context;
  const edits = fixAll(
    part.compilation,
    (diagnostic) => context.workspace.asReported(part.uri, [diagnostic]).length > 0,
  );
  if (edits.length === 0) return [];
  return [{ title: 'Apply all safe fixes', kind: fixAllKind, edit: editOf(part, edits) }];
};

/** The settings do not apply to errors: their fixes are always offered. */
const shownDiagnostics = ({ part, workspace }: PartContext): readonly EngineDiagnostic[] => [
  ...part.compilation.diagnostics,
  ...workspace.asReported(part.uri, part.lints()),
];

/** Returns the fixes of all mistakes in a settings file that touch the range. */
export const settingsFixes = (
  part: SettingsPart,
  range: Range,
  shown: readonly Diagnostic[],
): readonly CodeAction[] => {
  const span = part.places.spanOf(range);
  return part.diagnostics.flatMap((one) =>
    span !== undefined && touchesRange(one.span, span) ? fixesOf(one, part, shown) : [],
  );
};

const touchesRange = (span: Span, range: Span): boolean =>
  span.start <= range.end && span.end >= range.start;

const fixesOf = (
  diagnostic: EngineDiagnostic,
  part: Pick<ConfigurationPart, 'uri' | 'places'>,
  shown: readonly Diagnostic[],
): readonly CodeAction[] => {
  const certain = automaticFix(diagnostic);
  const own = diagnosticOf(diagnostic, part);
  const diagnostics = [shown.find((other) => isSame(own, other)) ?? own];
  return diagnostic.fixes.map(
    (fix): CodeAction => ({
      title: oneLine(fix.title),
      kind: CodeActionKind.QuickFix,
      diagnostics,
      ...(fix === certain ? { isPreferred: true } : {}),
      edit: editOf(part, fix.edits),
    }),
  );
};

const isSame = (one: Diagnostic, other: Diagnostic): boolean =>
  one.code === other.code &&
  one.range.start.line === other.range.start.line &&
  one.range.start.character === other.range.start.character;

/**
 * Returns an action that fixes every diagnostic of the same kind, if there are several and each has
 * a safe fix.
 */
const fixAllOfKind = (
  diagnostic: EngineDiagnostic,
  diagnostics: readonly EngineDiagnostic[],
  part: ConfigurationPart,
): readonly CodeAction[] => {
  if (automaticFix(diagnostic) === undefined) return [];
  const fixes = diagnostics.flatMap((other) =>
    other.code === diagnostic.code ? (automaticFix(other) ?? []) : [],
  );
  const edits = fixes.flatMap((fix) => fix.edits);
  if (fixes.length < 2 || !areDisjoint(edits)) return [];
  return [
    {
      title: `Fix all ${fixes.length} ${diagnostic.name} problems`,
      kind: CodeActionKind.QuickFix,
      diagnostics: [diagnosticOf(diagnostic, part)],
      edit: editOf(part, edits),
    },
  ];
};

const areDisjoint = (edits: readonly TextEdit[]): boolean => {
  const ordered = edits.toSorted((a, b) => a.span.start - b.span.start);
  return ordered.every(
    (edit, at) => at === 0 || edit.span.start > (ordered[at - 1]?.span.end ?? 0),
  );
};

export const editOf = (
  { uri, places }: Pick<ConfigurationPart, 'uri' | 'places'>,
  edits: readonly TextEdit[],
): WorkspaceEdit => ({ changes: { [uri]: edits.map((edit) => places.edit(edit)) } });
