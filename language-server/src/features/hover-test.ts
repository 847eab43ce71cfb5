/** Hover in a test file: what a field means. */
import { hoverRow, presetNames, testRows } from '@authgraph/engine/language';
import type { Hover, HoverParams } from 'vscode-languageserver';
import { testFilePart } from '../test-files.ts';
import type { Workspace } from '../workspace.ts';
import { markdown } from './completion-item.ts';
import { paragraphs } from './markdown.ts';

/** Returns `undefined` for documents that are not test files. */
export const hoverTest = (
  workspace: Workspace,
  { textDocument: { uri }, position }: HoverParams,
): Hover | undefined => {
  const part = testFilePart(workspace, uri);
  const offset = part?.places.offsetAt(position);
  if (part === undefined || offset === undefined) return undefined;
  const row = hoverRow(part.source, offset, testRows(presetNames));
  return row && { contents: markdown(paragraphs(`**${row.name}**`, row.doc)) };
};
