/** Pulled diagnostics: place, level, code and words. */
import type { Diagnostic, MarkupContent } from 'vscode-languageserver';
import { runFixtures } from '../support/language-fixtures.ts';

const textOf = (message: string | MarkupContent): string =>
  typeof message === 'string' ? message : message.value;

const levels = ['', 'error', 'warning', 'information', 'hint'];

runFixtures('diagnostics', async ({ client, uri }) => {
  const { items } = await client.connection.sendRequest<{ items: readonly Diagnostic[] }>(
    'textDocument/diagnostic',
    { textDocument: { uri } },
  );
  return items
    .map(({ range: { start, end }, severity = 0, code, message }) =>
      [
        `${start.line + 1}:${start.character + 1}-${end.line + 1}:${end.character + 1}`,
        `${levels[severity]} ${code}`,
        textOf(message).replaceAll('\n', '\n    '),
      ].join(' '),
    )
    .join('\n');
});
