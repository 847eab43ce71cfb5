/** Document links: the linked text, the target, and the tooltip. */
import type { DocumentLink } from 'vscode-languageserver';
import { workspaceUri } from '../support/language-client.ts';
import { runFixtures } from '../support/language-fixtures.ts';

runFixtures('document-link', async ({ client, uri, text }) => {
  const links = await client.connection.sendRequest<readonly DocumentLink[]>(
    'textDocument/documentLink',
    { textDocument: { uri } },
  );
  const lines = text.split('\n');
  return links
    .map(({ range: { start, end }, target = '', tooltip }) => {
      const shown = (lines[start.line] ?? '').slice(
        start.character,
        end.line === start.line ? end.character : undefined,
      );
      const address = target.replaceAll(`${workspaceUri}/`, '');
      return `${start.line + 1}:${start.character + 1} ${shown}\n    ${address}\n    ${tooltip?.replaceAll(`${workspaceUri}/`, '')}`;
    })
    .join('\n');
});
