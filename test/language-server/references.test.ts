/** References of the symbol at each cursor. */
import type { Location } from 'vscode-languageserver';
import { runFixtures } from '../support/language-fixtures.ts';
import { shownLocation } from '../support/shown-places.ts';

runFixtures('references', async ({ client, fixture, places }) => {
  const answers = await Promise.all(
    places.map((place) =>
      client.connection.sendRequest<readonly Location[]>('textDocument/references', {
        ...place,
        context: { includeDeclaration: true },
      }),
    ),
  );
  return answers
    .map((found) => found.map((location) => shownLocation(fixture, location)).join('\n') || 'none')
    .join('\n--\n');
});
