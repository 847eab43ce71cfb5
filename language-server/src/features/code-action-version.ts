/** A file of an older version as v1: the version alone changes, if the file then means the same. */
import {
  applyEdits,
  compile,
  graphText,
  type Span,
  sourceFile,
  type TextEdit,
  touches,
} from '@authgraph/engine/language';
import { type CodeAction, CodeActionKind } from 'vscode-languageserver';
import { editOf } from './code-action-fixes.ts';
import type { PartContext } from './feature.ts';

export const versionActions = ({ part }: PartContext, asked: Span): readonly CodeAction[] => {
  const { configuration, document, settings, graph } = part.compilation;
  if (configuration === undefined || graph === undefined) return [];
  const { value, span } = configuration.version;
  if (value === 'v1' || value === '__internal' || !touches(span, asked.start)) return [];
  const { text, uri } = document.source;
  const at = text.slice(span.start, span.end).lastIndexOf(`/${value}`);
  if (at === -1) return [];
  const start = span.start + at + 1;
  const edits: readonly TextEdit[] = [
    { span: { start, end: start + value.length }, newText: 'v1' },
  ];
  const changed = compile({ source: sourceFile(uri, applyEdits(text, edits)), settings });
  if (changed.graph === undefined || graphText(changed.graph) !== graphText(graph)) return [];
  return [
    {
      title: 'Write it as apiserver.config v1',
      kind: CodeActionKind.RefactorRewrite,
      edit: editOf(part, edits),
    },
  ];
};
