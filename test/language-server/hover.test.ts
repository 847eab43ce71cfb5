/** Hover: the range and the Markdown. */
import type { Hover } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { runFixtures } from '../support/language-fixtures.ts';

runFixtures('hover', async ({ client, places, fixture }) => {
  const answers: string[] = [];
  for (const place of places) {
    const found = await client.connection.sendRequest<Hover | null>('textDocument/hover', place);
    if (found === null) {
      answers.push('nothing');
      continue;
    }
    const { contents, range } = found;
    if (range === undefined || typeof contents !== 'object' || !('value' in contents))
      throw new Error('a hover has a place and Markdown');
    const { uri } = place.textDocument;
    const text = fixture.files.get(uri.slice(uri.lastIndexOf('/') + 1)) ?? '';
    const document = TextDocument.create(uri, 'yaml', 1, text);
    answers.push(`[${document.getText(range)}]\n${contents.value}`);
  }
  return answers.join('\n=====\n');
});
