/** What formatting does to the file; the same again does nothing. With two cursors, of a range. */
import { expect } from 'vitest';
import type { TextEdit } from 'vscode-languageserver';
import { compile } from '../../engine/src/compile/compile.ts';
import { sourceFile } from '../../engine/src/source/source-file.ts';
import { treeText } from '../engine/cel/syntax/tree-text.ts';
import { workspaceUri } from '../support/language-client.ts';
import { runFixtures } from '../support/language-fixtures.ts';
import { edited, shownEdits } from '../support/shown-edits.ts';

const options = { tabSize: 2, insertSpaces: true };

runFixtures('formatting', async ({ client, uri, text, places }) => {
  const [from, to] = places;
  const format = (of: string): Promise<readonly TextEdit[] | null> =>
    from === undefined || to === undefined
      ? client.connection.sendRequest('textDocument/formatting', {
          textDocument: { uri: of },
          options,
        })
      : client.connection.sendRequest('textDocument/rangeFormatting', {
          textDocument: { uri: of },
          range: { start: from.position, end: to.position },
          options,
        });
  const edits = await format(uri);
  if (edits === null) return 'not asked for';
  const after = edited(text, edits);
  const again = `${workspaceUri}/again.yaml`;
  await client.open(again, after);
  expect(from === undefined ? await format(again) : [], 'formatted once more').toEqual([]);
  expect(trees(after)).toEqual(trees(text));
  return shownEdits(text, edits);
});

const trees = (text: string): readonly string[] =>
  [...compile({ source: sourceFile('auth.yaml', text) }).expressions].map(
    ([path, { compilation }]) => `${path} ${treeText(compilation.checked.parsed.tree)}`,
  );
