/** Completion in a test file: the fields of the format and their values. */
import { completeRows, presetNames, testRows } from '@authgraph/engine/language';
import {
  type CompletionItem,
  CompletionItemKind,
  type CompletionParams,
} from 'vscode-languageserver';
import { testFilePart } from '../test-files.ts';
import type { Workspace } from '../workspace.ts';
import { itemOf } from './completion-item.ts';

/** Returns `undefined` for documents that are not test files. */
export const completeTest = (
  workspace: Workspace,
  { textDocument: { uri }, position }: CompletionParams,
): readonly CompletionItem[] | undefined => {
  const part = testFilePart(workspace, uri);
  const offset = part?.places.offsetAt(position);
  if (part === undefined || offset === undefined) return undefined;
  const completion = completeRows(part.source, offset, testRows(presetNames));
  return completion?.items.map(({ text, doc }, index) =>
    itemOf(part.places, {
      label: text,
      kind: completion.kind === 'fields' ? CompletionItemKind.Field : CompletionItemKind.EnumMember,
      ...(doc === '' ? {} : { documentation: doc }),
      pieces: completion.kind === 'fields' ? [`${text}: `] : [text],
      span: completion.span,
      sort: String(index).padStart(3, '0'),
    }),
  );
};
