/** Commands of lenses, for clients that have none: messages in plain text. */

import { afterEach, expect, test } from 'vitest';
import type { ShowDocumentParams, ShowMessageRequestParams } from 'vscode-languageserver';
import { problems } from '../../language-server/src/unavailable-reasons.ts';
import { type LanguageClient, languageClient, workspaceUri } from '../support/language-client.ts';

const uri = `${workspaceUri}/auth.yaml`;
const text = `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
  - issuer:
      url: https://issuer.example
      audiences: [app]
    claimMappings:
      username:
        claim: sub
        prefix: 'oidc:'
    claimValidationRules:
      - expression: claims.hd == 'corp.example'
        message: wrong domain
`;
const claims = (sub: string, hd: string): string =>
  `iss: https://issuer.example\naud: app\nsub: ${sub}\nhd: ${hd}\n`;

interface Recorder {
  readonly client: LanguageClient;
  readonly messages: string[];
  readonly choices: (readonly string[])[];
  readonly places: ShowDocumentParams[];
  /** The title that the person takes. */
  answer: string | undefined;
}

let open: LanguageClient | undefined;
afterEach(async () => {
  await open?.close();
});

const start = async (
  initializationOptions: object = {},
  files: ReadonlyMap<string, string> = new Map(),
): Promise<Recorder> => {
  const client = await languageClient({ initializationOptions, files });
  open = client;
  const recorder: Recorder = { client, messages: [], choices: [], places: [], answer: undefined };
  client.connection.onNotification('window/showMessage', ({ message }: { message: string }) => {
    recorder.messages.push(message);
  });
  client.connection.onRequest('window/showMessageRequest', (asked: ShowMessageRequestParams) => {
    recorder.messages.push(asked.message);
    const actions = asked.actions ?? [];
    recorder.choices.push(actions.map(({ title }) => title));
    return actions.find(({ title }) => title === recorder.answer) ?? null;
  });
  client.connection.onRequest('window/showDocument', (place: ShowDocumentParams) => {
    recorder.places.push(place);
    return { success: true };
  });
  await client.open(uri, text);
  return recorder;
};

const addSample = ({ client }: Recorder, name: string, hd: string): Promise<void> =>
  client.open(`${workspaceUri}/${name}.claims.yaml`, claims(name, hd));

const run = ({ client }: Recorder, command: string, args: readonly unknown[] = [uri, 0]) =>
  client.connection.sendRequest('workspace/executeCommand', { command, arguments: args });

test('the server has commands where the client has none', async () => {
  const { client } = await start();
  expect(client.initialized.capabilities.executeCommandProvider?.commands).toEqual([
    'authgraph.whoami',
    'authgraph.whoamiAll',
    'authgraph.selectSample',
    'authgraph.showGraph',
    'authgraph.previewChange',
  ]);
});

test('a client with commands of its own keeps them', async () => {
  const { client } = await start({ commands: 'client' });
  expect(client.initialized.capabilities.executeCommandProvider).toBeUndefined();
});

test('whoami says who the chosen sample would be', async () => {
  const recorder = await start();
  await addSample(recorder, 'jane', 'corp.example');
  await run(recorder, 'authgraph.whoami');
  expect(recorder.messages).toEqual(['✓ jane → oidc:jane · 1 group']);
  expect(recorder.places).toEqual([]);
});

test('of several configurations each answer says which one it is about', async () => {
  const recorder = await start();
  await addSample(recorder, 'jane', 'corp.example');
  const maps = `${workspaceUri}/maps.yaml`;
  const map = (name: string, prefix: string): string =>
    `kind: ConfigMap\nmetadata: {name: ${name}}\ndata: {a: ${JSON.stringify(text.replace('oidc:', prefix))}}\n`;
  await recorder.client.open(maps, `${map('one', 'a:')}---\n${map('two', 'b:')}`);
  await run(recorder, 'authgraph.whoami', [maps, 0, 1]);
  expect(recorder.messages).toEqual([
    '✓ one · a: jane → a:jane · 1 group\n✓ two · a: jane → b:jane · 1 group',
  ]);
});

test('a refusal is told with what would be accepted, and its line is shown', async () => {
  const recorder = await start();
  await addSample(recorder, 'mallory', 'evil.example');
  await run(recorder, 'authgraph.whoami');
  expect(recorder.messages).toEqual([
    '✗ mallory refused by claimValidationRules[0]: wrong domain; accepted if hd were "corp.example"',
  ]);
  await expect
    .poll(() => recorder.places.map(({ selection }) => selection?.start.line))
    .toEqual([11]);
});

test('all samples, one a line', async () => {
  const recorder = await start();
  await addSample(recorder, 'jane', 'corp.example');
  await addSample(recorder, 'mallory', 'evil.example');
  await run(recorder, 'authgraph.whoamiAll');
  expect(recorder.messages[0]?.split('\n').map((line) => line.slice(0, 9))).toEqual([
    '✓ jane → ',
    '✗ mallory',
  ]);
});

test('without a sample whoami says so', async () => {
  const recorder = await start();
  await run(recorder, 'authgraph.whoami');
  expect(recorder.messages).toEqual([problems.noneChosen]);
});

test('a sample can be chosen, and previews follow', async () => {
  const recorder = await start();
  await addSample(recorder, 'jane', 'corp.example');
  await addSample(recorder, 'joe', 'corp.example');
  recorder.answer = 'joe';
  await run(recorder, 'authgraph.selectSample');
  expect(recorder.choices).toEqual([['jane', 'joe']]);
  await run(recorder, 'authgraph.whoami');
  expect(recorder.messages.at(-1)).toBe('✓ joe → oidc:joe · 1 group');
});

test('choosing says what to do where there is nobody', async () => {
  const recorder = await start();
  await run(recorder, 'authgraph.selectSample');
  expect(recorder.messages[0]).toContain('jane.claims.yaml');
});

test('the graph as text', async () => {
  const recorder = await start();
  await run(recorder, 'authgraph.showGraph');
  expect(recorder.messages[0]).toContain('https://issuer.example');
});

test('an edit that is not saved is told by what it does', async () => {
  const recorder = await start({}, new Map([[uri, text]]));
  await addSample(recorder, 'jane', 'corp.example');
  await recorder.client.connection.sendNotification('textDocument/didChange', {
    textDocument: { uri, version: 2 },
    contentChanges: [{ text: text.replace('corp.example', 'other.example') }],
  });
  await run(recorder, 'authgraph.previewChange');
  expect(recorder.messages[0]?.split('\n')).toEqual([
    '1 sample loses access',
    expect.stringMatching(/^loses: jane → oidc:jane .* ⇒ jane refused/),
  ]);
});

test.each([
  ['an unknown command', 'authgraph.unknown', [uri]],
  ['no arguments', 'authgraph.whoami', []],
  ['arguments of another form', 'authgraph.whoami', [{ uri }]],
])('%s is answered with nothing', async (_, command, args) => {
  const recorder = await start();
  expect(await run(recorder, command, args)).toBeNull();
  expect(recorder.messages).toEqual([]);
  expect(recorder.client.log).toEqual([]);
});

test('another document has nobody to ask about', async () => {
  const recorder = await start();
  await addSample(recorder, 'jane', 'corp.example');
  await run(recorder, 'authgraph.whoami', [`${workspaceUri}/other.yaml`]);
  expect(recorder.messages).toEqual([problems.noConfiguration]);
});

test('a name that a client would make a link of is no link', async () => {
  const name = '[jane](command:workbench.action.quit)';
  const files = new Map([
    [`${workspaceUri}/${encodeURIComponent(name)}.claims.yaml`, claims('jane', 'corp.example')],
  ]);
  const { client, messages } = await start({}, files);
  await client.open(uri, text);
  await client.connection.sendRequest('workspace/executeCommand', {
    command: 'authgraph.whoami',
    arguments: [uri, 0],
  });
  expect(messages).toEqual(['✓ [jane] (command:workbench.action.quit) → oidc:jane · 1 group']);
});
