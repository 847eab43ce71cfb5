/** Semantic tokens by line; with two cursors, those in between. */
import type { SemanticTokens } from 'vscode-languageserver';
import { runFixtures } from '../support/language-fixtures.ts';

runFixtures('semantic-tokens', async ({ client, uri, text, places }) => {
  const provider = client.initialized.capabilities.semanticTokensProvider;
  const types = provider?.legend.tokenTypes ?? [];
  const [from, to] = places;
  const { data } = await client.connection.sendRequest<SemanticTokens>(
    from === undefined ? 'textDocument/semanticTokens/full' : 'textDocument/semanticTokens/range',
    {
      textDocument: { uri },
      ...(from === undefined || to === undefined
        ? {}
        : { range: { start: from.position, end: to.position } }),
    },
  );
  const lines = text.split('\n');
  const shown = new Map<number, string[]>();
  let line = 0;
  let character = 0;
  for (let at = 0; at < data.length; at += 5) {
    const [down = 0, right = 0, length = 0, type = 0, modifiers = 0] = data.slice(at, at + 5);
    character = down === 0 ? character + right : right;
    line += down;
    const word = (lines[line] ?? '').slice(character, character + length);
    const words = shown.get(line) ?? [];
    words.push(`${word}:${types[type]}${modifiers === 1 ? '*' : ''}`);
    shown.set(line, words);
  }
  return (
    [...shown].map(([number, words]) => `${number + 1} │ ${words.join(' ')}`).join('\n') || 'none'
  );
});
