/** Documents whose URI a client escapes differently, and documents with lone CR line endings. */
import { afterEach, expect, test } from 'vitest';
import type {
  CodeAction,
  CompletionList,
  DocumentHighlight,
  Location,
  TextEdit,
} from 'vscode-languageserver';
import { type LanguageClient, languageClient, workspaceUri } from '../support/language-client.ts';
import { edited } from '../support/shown-edits.ts';

let client: LanguageClient | undefined;
afterEach(async () => {
  expect(client?.log ?? []).toEqual([]);
  await client?.close();
  client = undefined;
});

const configurationUri = `${workspaceUri}/auth.yaml`;
const configuration = `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer: { url: https://a.example, audiences: [app] }
  claimMappings: { username: { claim: sub, prefix: "a:" } }
`;

const opened = async (name: string, text: string): Promise<LanguageClient> => {
  client = await languageClient();
  await client.open(configurationUri, configuration);
  await client.open(`${workspaceUri}/${name}`, text);
  await client.connection.sendRequest('authgraph/samples', {});
  return client;
};

const claims = (lineEnd: string): string =>
  ['iss: https://a.example', 'aud: app', 'sub: jane', ''].join(lineEnd);

test.each([
  ['as usual', 'jane.claims.yaml', '\n'],
  ['unescaped', 'jane@corp.claims.yaml', '\n'],
  ['with unusual escapes', '%6aane.claims.yaml', '\n'],
  ['with a CR at the end of each line', 'jane.claims.yaml', '\r'],
])('navigates and highlights in a sample spelled %s', async (_, name, lineEnd) => {
  const { connection } = await opened(name, claims(lineEnd));
  const textDocument = { uri: `${workspaceUri}/${name}` };
  const onSub = { textDocument, position: { line: 2, character: 1 } };
  const issuer = await connection.sendRequest<readonly Location[]>('textDocument/definition', {
    textDocument,
    position: { line: 0, character: 7 },
  });
  expect(issuer.map(({ uri }) => uri)).toEqual([configurationUri]);
  const references = await connection.sendRequest<readonly Location[]>('textDocument/references', {
    ...onSub,
    context: { includeDeclaration: true },
  });
  expect(references.map(({ range }) => range.start.line)).toEqual([4, 2]);
  const marked = await connection.sendRequest<readonly DocumentHighlight[]>(
    'textDocument/documentHighlight',
    onSub,
  );
  expect(marked.map(({ range }) => range.start.line)).toEqual([2]);
});

test.each(['jane.claims.yaml', 'jane@corp.claims.yaml'])('completes claims in %s', async (name) => {
  const { connection } = await opened(name, claims('\n'));
  const { items } = await connection.sendRequest<CompletionList>('textDocument/completion', {
    textDocument: { uri: `${workspaceUri}/${name}` },
    position: { line: 3, character: 0 },
  });
  expect(items.map(({ label }) => label)).toContain('exp');
});

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const token = `${encoded({ alg: 'RS256', kid: 'a' })}.${encoded({ iss: 'https://a.example' })}.c2lnbmF0dXJl`;

const actionsOn = (
  { connection }: LanguageClient,
  uri: string,
  line: number,
): Promise<readonly CodeAction[]> =>
  connection.sendRequest('textDocument/codeAction', {
    textDocument: { uri },
    range: { start: { line, character: 0 }, end: { line, character: 0 } },
    context: { diagnostics: [] },
  });

test('replaces a token on its own line with lone CR line endings', async () => {
  const lines = ['kind: Secret', `token: ${token}`, 'other: 1'];
  const uri = `${workspaceUri}/secret.yaml`;
  const started = await opened('secret.yaml', lines.join('\r'));
  expect(await actionsOn(started, uri, 0)).toEqual([]);
  expect(await actionsOn(started, uri, 2)).toEqual([]);
  const [action] = await actionsOn(started, uri, 1);
  const edits: readonly TextEdit[] = action?.edit?.changes?.[uri] ?? [];
  expect(edited(lines.join('\r'), edits).split('\r')).toEqual([
    lines[0],
    'token: {"iss": "https://a.example"}',
    lines[2],
  ]);
});

test('offers to rewrite flags on their own lines with lone CR line endings', async () => {
  const uri = `${workspaceUri}/kube-apiserver.yaml`;
  const lines = [
    'kind: Pod',
    'spec:',
    '  containers:',
    '  - command:',
    '    - kube-apiserver',
    '    - --oidc-issuer-url=https://a.example',
    '    - --oidc-client-id=app',
  ];
  const started = await opened('kube-apiserver.yaml', lines.join('\r'));
  const offered = async (line: number): Promise<number> =>
    (await actionsOn(started, uri, line)).length;
  expect(await offered(0)).toBe(0);
  expect(await offered(5)).toBe(1);
});
