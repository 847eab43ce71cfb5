/**
 * Changes of the authenticator at the cursor for its current sample, if that is rejected because of
 * its audience or because it lacks a claim. They may admit other tokens, as their titles say, so
 * that they are never preferred and no part of a fix for the whole file.
 */
import { configurationFixes, type Span, touches } from '@authgraph/engine/language';
import { type CodeAction, CodeActionKind } from 'vscode-languageserver';
import { editOf } from './code-action-fixes.ts';
import { currentOfEntry } from './entry-samples.ts';
import type { PartContext } from './feature.ts';

export const refusalActions = (context: PartContext, range: Span): readonly CodeAction[] => {
  const { part, workspace } = context;
  const { compilation } = part;
  if (part.isLong) return [];
  const entries = compilation.configuration?.jwt ?? [];
  // Each change is compiled, so a selection of many authenticators has those of the first one only.
  const entry = entries.findIndex(({ span }) => touches(span, range.start));
  const sample = entry === -1 ? undefined : currentOfEntry(context, entry);
  if (sample === undefined) return [];
  const request = { entry, range, now: workspace.now() };
  return configurationFixes(compilation, sample.claims, request).map(({ title, edits }) => ({
    title,
    kind: CodeActionKind.QuickFix,
    edit: editOf(part, edits),
  }));
};
