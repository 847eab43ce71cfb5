/** The outline, one line per symbol: kind, name, detail, lines, and selection range. */
import { type DocumentSymbol, SymbolKind } from 'vscode-languageserver';
import { runFixtures } from '../support/language-fixtures.ts';
import { shownSpan } from '../support/shown-places.ts';

const kindNames = new Map<number, string>(
  Object.entries(SymbolKind).map(([name, kind]) => [kind, name]),
);

const shown = (symbols: readonly DocumentSymbol[], depth = 0): readonly string[] =>
  symbols.flatMap(({ name, detail, kind, range, selectionRange, children = [] }) => [
    `${'  '.repeat(depth)}${kindNames.get(kind)} ${name}${detail === undefined ? '' : ` (${detail})`} ${shownSpan(range)} at ${shownSpan(selectionRange)}`,
    ...shown(children, depth + 1),
  ]);

runFixtures('document-symbol', async ({ client, uri }) => {
  const symbols = await client.connection.sendRequest<readonly DocumentSymbol[]>(
    'textDocument/documentSymbol',
    { textDocument: { uri } },
  );
  return shown(symbols).join('\n') || 'none';
});
