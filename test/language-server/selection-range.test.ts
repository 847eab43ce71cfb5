/** Selection ranges at each cursor. */
import type { SelectionRange } from 'vscode-languageserver';
import { runFixtures } from '../support/language-fixtures.ts';
import { shownRange } from '../support/shown-places.ts';

const chain = (text: string, { range, parent }: SelectionRange): readonly string[] => [
  shownRange(text, range),
  ...(parent === undefined ? [] : chain(text, parent)),
];

runFixtures('selection-range', async ({ client, uri, text, places }) => {
  const found = await client.connection.sendRequest<readonly SelectionRange[] | null>(
    'textDocument/selectionRange',
    { textDocument: { uri }, positions: places.map(({ position }) => position) },
  );
  return found?.map((each) => chain(text, each).join('\n')).join('\n--\n') ?? 'the client selects';
});
