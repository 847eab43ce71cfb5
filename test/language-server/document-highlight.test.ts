/** Document highlights of the symbol at each cursor. */
import type { DocumentHighlight } from 'vscode-languageserver';
import { runFixtures } from '../support/language-fixtures.ts';
import { shownRange } from '../support/shown-places.ts';

const kinds = ['', 'text', 'read', 'write'];

runFixtures('document-highlight', async ({ client, fixture, places }) => {
  const answers = await Promise.all(
    places.map(async (place) => {
      const found = await client.connection.sendRequest<readonly DocumentHighlight[]>(
        'textDocument/documentHighlight',
        place,
      );
      const name = place.textDocument.uri.split('/').at(-1) ?? '';
      return found.map(
        ({ range, kind = 0 }) =>
          `${kinds[kind]} ${shownRange(fixture.files.get(name) ?? '', range)}`,
      );
    }),
  );
  return answers.map((lines) => lines.join('\n') || 'none').join('\n--\n');
});
