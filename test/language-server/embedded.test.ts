/** Configurations inside other files: diagnostics in file coordinates, and referenced files. */
import { expect } from 'vitest';
import type { Diagnostic, Hover, Range } from 'vscode-languageserver';
import { sourceFile } from '../../engine/src/source/source-file.ts';
import { foldersAt } from '../../language-server/src/folders.ts';
import { fileReferences } from '../../language-server/src/workspace.ts';
import { workspaceUri } from '../support/language-client.ts';
import { runFixtures } from '../support/language-fixtures.ts';

runFixtures('embedded', async ({ client, uri, text, places }) => {
  const file = sourceFile(uri, text);
  const excerpt = ({ start, end }: Range): string => {
    const from = file.offsetAt({ line: start.line, column: start.character });
    const to = file.offsetAt({ line: end.line, column: end.character });
    return `${start.line + 1}:${start.character + 1} ${JSON.stringify(text.slice(from, to))}`;
  };
  const { items } = await client.connection.sendRequest<{ items: readonly Diagnostic[] }>(
    'textDocument/diagnostic',
    { textDocument: { uri } },
  );
  const found = items.map(({ range, code, message }) => {
    const [first] = String(message).split('\n');
    return `${excerpt(range)} ${code} ${first}`;
  });
  const referred = fileReferences({ uri, getText: () => text }, foldersAt([workspaceUri])).map(
    ({ range, target }) => `${excerpt(range)} -> ${target}`,
  );
  const hovers: string[] = [];
  for (const place of places) {
    const hover = await client.connection.sendRequest<Hover | null>('textDocument/hover', place);
    const shown = hover?.contents;
    const [first = ''] =
      typeof shown === 'object' && 'value' in shown ? shown.value.split('\n') : [];
    hovers.push(`hover ${hover?.range === undefined ? 'nowhere' : excerpt(hover.range)}: ${first}`);
  }
  expect(items.every(({ range: { start, end } }) => start.line <= end.line)).toBe(true);
  return [...found, ...referred, ...hovers].join('\n');
});
