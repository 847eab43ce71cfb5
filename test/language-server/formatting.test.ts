/** Formatting, which is idempotent. With two cursors, of a range. */
import { expect, test } from 'vitest';
import type { CodeAction, TextEdit } from 'vscode-languageserver';
import { compile } from '../../engine/src/compile/compile.ts';
import { sourceFile } from '../../engine/src/source/source-file.ts';
import { treeText } from '../engine/cel/syntax/tree-text.ts';
import { languageClient, workspaceUri } from '../support/language-client.ts';
import { runFixtures } from '../support/language-fixtures.ts';
import { edited, shownEdits } from '../support/shown-edits.ts';

const options = { tabSize: 2, insertSpaces: true };

runFixtures('formatting', async ({ client, uri, text, places }) => {
  const [from, to] = places;
  const format = (of: string): Promise<readonly TextEdit[] | null> =>
    from === undefined || to === undefined
      ? client.connection.sendRequest('textDocument/formatting', {
          textDocument: { uri: of },
          options,
        })
      : client.connection.sendRequest('textDocument/rangeFormatting', {
          textDocument: { uri: of },
          range: { start: from.position, end: to.position },
          options,
        });
  const edits = await format(uri);
  if (edits === null) return 'formatting is off';
  const after = edited(text, edits);
  const again = `${workspaceUri}/again.yaml`;
  await client.open(again, after);
  expect(from === undefined ? await format(again) : [], 'formatted once more').toEqual([]);
  expect(trees(after)).toEqual(trees(text));
  return shownEdits(text, edits);
});

const trees = (text: string): readonly string[] =>
  [...compile({ source: sourceFile('auth.yaml', text) }).expressions].map(
    ([path, { compilation }]) => `${path} ${treeText(compilation.checked.parsed.tree)}`,
  );

const unformatted = `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
  - issuer: {url: https://a.example, audiences: [a]}
    claimMappings:
      username: {expression: claims.a+claims.b}
      uid: {expression: claims.c+claims.d}
`;
const uri = `${workspaceUri}/auth.yaml`;
const dynamic = { dynamicRegistration: true };
const capabilities = {
  workspace: { configuration: true },
  textDocument: { formatting: dynamic, rangeFormatting: dynamic },
};

test('registers the formatter dynamically only while the setting is on', async () => {
  const registered: string[] = [];
  const client = await languageClient({ capabilities });
  const { connection } = client;
  const note = (sign: string) => (params: Registrations) => {
    for (const { method } of params.registrations ?? params.unregisterations ?? []) {
      if (method.includes('ormatting')) registered.push(`${sign}${method}`);
    }
    return null;
  };
  connection.onRequest('client/registerCapability', note('+'));
  connection.onRequest('client/unregisterCapability', note('-'));
  const { documentFormattingProvider } = client.initialized.capabilities;
  expect(documentFormattingProvider).toBeUndefined();
  await client.open(uri, unformatted);
  const set = async (enabled: boolean): Promise<readonly TextEdit[] | null> => {
    await connection.sendNotification('workspace/didChangeConfiguration', {
      settings: { authgraph: { format: { enabled } } },
    });
    return connection.sendRequest('textDocument/formatting', { textDocument: { uri }, options });
  };
  expect(await set(true)).toHaveLength(4);
  await expect.poll(() => registered).toHaveLength(2);
  expect(await set(false)).toBeNull();
  await expect.poll(() => registered).toHaveLength(4);
  expect(registered).toEqual([
    '+textDocument/formatting',
    '+textDocument/rangeFormatting',
    '-textDocument/formatting',
    '-textDocument/rangeFormatting',
  ]);
  await client.close();
});

interface Registrations {
  readonly registrations?: readonly { readonly method: string }[];
  /** The protocol spells it like this. */
  readonly unregisterations?: readonly { readonly method: string }[];
}

test('offers the same edits as code actions regardless of the setting', async () => {
  const client = await languageClient();
  await client.open(uri, unformatted);
  const actions = (only: readonly string[], triggerKind: number): Promise<readonly CodeAction[]> =>
    client.connection.sendRequest('textDocument/codeAction', {
      textDocument: { uri },
      range: { start: { line: 5, character: 32 }, end: { line: 5, character: 32 } },
      context: { diagnostics: [], only, triggerKind },
    });
  const titles = (found: readonly CodeAction[]) =>
    found.map(({ title, edit }) => [title, edit?.changes?.[uri]?.length]);
  expect(titles(await actions(['refactor.rewrite'], 1))).toEqual([['Format expression', 2]]);
  expect(titles(await actions(['source'], 1))).toEqual([['Format all expressions', 4]]);
  expect(titles(await actions(['source.formatExpressions'], 2))).toEqual([
    ['Format all expressions', 4],
  ]);
  expect(await actions(['refactor.rewrite'], 2)).toEqual([]);
  await client.close();
});
