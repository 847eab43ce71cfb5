/** Folding ranges with their first lines. */
import type { FoldingRange } from 'vscode-languageserver';
import { runFixtures } from '../support/language-fixtures.ts';

runFixtures('folding', async ({ client, uri, text }) => {
  const ranges = await client.connection.sendRequest<readonly FoldingRange[] | null>(
    'textDocument/foldingRange',
    { textDocument: { uri } },
  );
  const lines = text.split('\n');
  return (
    ranges
      ?.map(
        ({ startLine, endLine, kind }) =>
          `${startLine + 1}-${endLine + 1}${kind === undefined ? '' : ` ${kind}`} │ ${(lines[startLine] ?? '').trimEnd()}`,
      )
      .join('\n') ?? 'the client folds'
  );
});
