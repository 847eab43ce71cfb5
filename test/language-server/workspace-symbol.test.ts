/** Workspace symbols: kind, name, container and place, for the query of the fixture. */
import { type SymbolInformation, SymbolKind } from 'vscode-languageserver';
import { runFixtures } from '../support/language-fixtures.ts';
import { shownLocation } from '../support/shown-places.ts';

const kinds = new Map(Object.entries(SymbolKind).map(([name, kind]) => [kind, name]));

runFixtures('workspace-symbol', async ({ client, fixture }) => {
  const found = await client.connection.sendRequest<readonly SymbolInformation[]>(
    'workspace/symbol',
    { query: fixture.asked },
  );
  return found
    .map(({ name, kind, location, containerName }) =>
      [
        `${kinds.get(kind)} ${JSON.stringify(name)}`,
        ...(containerName === undefined ? [] : [`of ${JSON.stringify(containerName)}`]),
        shownLocation(fixture, location),
      ].join(' '),
    )
    .join('\n');
});
