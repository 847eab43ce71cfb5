/** Code lenses: line, title, command and arguments. */
import type { CodeLens } from 'vscode-languageserver';
import { workspaceUri } from '../support/language-client.ts';
import { runFixtures } from '../support/language-fixtures.ts';

runFixtures('code-lens', async ({ client, uri }) => {
  const lenses = await client.connection.sendRequest<readonly CodeLens[]>('textDocument/codeLens', {
    textDocument: { uri },
  });
  return lenses
    .map(({ range: { start }, command }) => {
      const args = JSON.stringify(command?.arguments ?? []).replaceAll(`${workspaceUri}/`, '');
      return `${start.line + 1}:${start.character + 1} ${command?.title} · ${command?.command} ${args}`;
    })
    .join('\n');
});
