/** Offers to rewrite a configuration of an older API version as v1, at its `apiVersion`. */
import { olderVersion, rewriteAsV1, type Span, touches } from '@authgraph/engine/language';
import { type CodeAction, CodeActionKind } from 'vscode-languageserver';
import { editOf } from './code-action-fixes.ts';
import type { PartContext } from './feature.ts';

export const versionActions = ({ part }: PartContext, range: Span): readonly CodeAction[] => {
  const older = olderVersion(part.compilation);
  if (older === undefined || !touches(older.span, range.start)) return [];
  const edits = rewriteAsV1(part.compilation);
  if (edits.length === 0) return [];
  return [{ title: older.title, kind: CodeActionKind.RefactorRewrite, edit: editOf(part, edits) }];
};
