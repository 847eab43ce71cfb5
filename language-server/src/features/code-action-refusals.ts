/**
 * Changes of the configuration for the current samples of its authenticators that are rejected:
 * because of their audience, or because they lack a claim. They may admit other tokens, as their
 * titles say, so that they are never preferred and no part of a fix for the whole file.
 */
import { configurationFixes, type Span } from '@authgraph/engine/language';
import { type CodeAction, CodeActionKind } from 'vscode-languageserver';
import { editOf } from './code-action-fixes.ts';
import { currentOfEntry } from './entry-samples.ts';
import type { PartContext } from './feature.ts';

export const refusalActions = (context: PartContext, range: Span): readonly CodeAction[] => {
  const { part, workspace } = context;
  const { compilation } = part;
  if (part.isLong) return [];
  return (compilation.configuration?.jwt ?? []).flatMap(({ span }, index): CodeAction[] => {
    if (span.end < range.start || range.end < span.start) return [];
    const sample = currentOfEntry(context, index);
    if (sample === undefined) return [];
    return configurationFixes(compilation, sample.claims, { range, now: workspace.now() }).map(
      ({ title, edits }) => ({ title, kind: CodeActionKind.QuickFix, edit: editOf(part, edits) }),
    );
  });
};
