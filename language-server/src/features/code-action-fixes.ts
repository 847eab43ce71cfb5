/** The engine's mends as actions: of each diagnostic at a place, of a kind, and all of a file. */
import {
  type Diagnostic as EngineDiagnostic,
  type Fix,
  mendAll,
  oneLine,
  type Span,
  type TextEdit,
} from '@authgraph/engine/language';
import {
  type CodeAction,
  CodeActionKind,
  type Diagnostic,
  type WorkspaceEdit,
} from 'vscode-languageserver';
import { levelOf } from '../editor-options.ts';
import { diagnosticOf } from '../to-protocol.ts';
import type { ConfigurationPart } from '../workspace.ts';
import type { PartContext } from './feature.ts';

export const fixAllKind = `${CodeActionKind.SourceFixAll}.authgraph`;

/** Of all diagnostics that touch the place; those of the client are given back where they are ours. */
export const quickFixes = (
  context: PartContext,
  asked: Span,
  shown: readonly Diagnostic[],
): readonly CodeAction[] => {
  const found = shownDiagnostics(context);
  return found
    .filter(({ span, fixes }) => fixes.length > 0 && touchesRange(span, asked))
    .flatMap((one) => [
      ...fixesOf(one, context.part, shown),
      ...sameEverywhere(one, found, context.part),
    ]);
};

/** `source.fixAll.authgraph`. */
export const mendEverything = (context: PartContext): readonly CodeAction[] => {
  const { part } = context;
  const edits = mendAll(part.compilation, (found) => !isOff(context, found));
  if (edits.length === 0) return [];
  return [
    { title: 'Mend everything that is certain', kind: fixAllKind, edit: editOf(part, edits) },
  ];
};

const shownDiagnostics = (context: PartContext): readonly EngineDiagnostic[] => [
  ...context.part.compilation.diagnostics,
  ...context.part.lints().filter((found) => !isOff(context, found)),
];

/** Errors are mended whatever the settings say of advice. */
const isOff = ({ workspace }: PartContext, found: EngineDiagnostic): boolean =>
  found.severity !== 'error' && levelOf(workspace.options, found) === 'off';

const touchesRange = (span: Span, asked: Span): boolean =>
  span.start <= asked.end && span.end >= asked.start;

const fixesOf = (
  found: EngineDiagnostic,
  part: ConfigurationPart,
  shown: readonly Diagnostic[],
): readonly CodeAction[] => {
  const certain = certainFix(found);
  const own = diagnosticOf(found, part);
  const diagnostics = [shown.find((other) => isSame(own, other)) ?? own];
  return found.fixes.map(
    (fix): CodeAction => ({
      title: oneLine(fix.title),
      kind: CodeActionKind.QuickFix,
      diagnostics,
      ...(fix === certain ? { isPreferred: true } : {}),
      edit: editOf(part, fix.edits),
    }),
  );
};

/** The one that needs no choice. */
const certainFix = ({ fixes }: EngineDiagnostic): Fix | undefined => {
  const certain = fixes.filter(({ choice }) => choice === undefined);
  return certain.length === 1 ? certain[0] : undefined;
};

const isSame = (one: Diagnostic, other: Diagnostic): boolean =>
  one.code === other.code &&
  one.range.start.line === other.range.start.line &&
  one.range.start.character === other.range.start.character;

/** The same mistake in other places, where each has its mend. */
const sameEverywhere = (
  one: EngineDiagnostic,
  found: readonly EngineDiagnostic[],
  part: ConfigurationPart,
): readonly CodeAction[] => {
  if (certainFix(one) === undefined) return [];
  const fixes = found.flatMap((other) =>
    other.code === one.code ? (certainFix(other) ?? []) : [],
  );
  const edits = fixes.flatMap((fix) => fix.edits);
  if (fixes.length < 2 || !areApart(edits)) return [];
  return [
    {
      title: `Mend all ${fixes.length} of ${one.code} ${one.name}`,
      kind: CodeActionKind.QuickFix,
      diagnostics: [diagnosticOf(one, part)],
      edit: editOf(part, edits),
    },
  ];
};

const areApart = (edits: readonly TextEdit[]): boolean => {
  const ordered = edits.toSorted((a, b) => a.span.start - b.span.start);
  return ordered.every(
    (edit, at) => at === 0 || edit.span.start > (ordered[at - 1]?.span.end ?? 0),
  );
};

export const editOf = (
  { uri, places }: Pick<ConfigurationPart, 'uri' | 'places'>,
  edits: readonly TextEdit[],
): WorkspaceEdit => ({ changes: { [uri]: edits.map((edit) => places.edit(edit)) } });
