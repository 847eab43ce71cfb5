/** Go to definition at each cursor. */
import type { Location } from 'vscode-languageserver';
import { runFixtures } from '../support/language-fixtures.ts';
import { shownLocation } from '../support/shown-places.ts';

runFixtures('definition', async ({ client, fixture, places }) => {
  const answers = await Promise.all(
    places.map((place) =>
      client.connection.sendRequest<readonly Location[]>('textDocument/definition', place),
    ),
  );
  return answers
    .map((found) => found.map((location) => shownLocation(fixture, location)).join('\n') || 'none')
    .join('\n--\n');
});
