/** Commands of lenses for clients without commands of their own: plain-text messages. */

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
  /** The title that the user picks. */
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
  client.connection.onRequest('window/showMessageRequest', (params: ShowMessageRequestParams) => {
    recorder.messages.push(params.message);
    const actions = params.actions ?? [];
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

test('announces commands if the client has none', async () => {
  const { client } = await start();
  expect(client.initialized.capabilities.executeCommandProvider?.commands).toEqual([
    'authgraph.whoami',
    'authgraph.whoamiAll',
    'authgraph.selectSample',
    'authgraph.showGraph',
    'authgraph.previewChange',
  ]);
});

test('announces no commands if the client has its own', async () => {
  const { client } = await start({ commands: 'client' });
  expect(client.initialized.capabilities.executeCommandProvider).toBeUndefined();
});

test('whoami shows the user of the current sample', async () => {
  const recorder = await start();
  await addSample(recorder, 'jane', 'corp.example');
  await run(recorder, 'authgraph.whoami');
  expect(recorder.messages).toEqual(['✓ jane → oidc:jane · 1 group']);
  expect(recorder.places).toEqual([]);
});

test('names the configuration if there are several', async () => {
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

test('shows a rejection with an accepted change, and goes to its line', async () => {
  const recorder = await start();
  await addSample(recorder, 'mallory', 'evil.example');
  await run(recorder, 'authgraph.whoami');
  expect(recorder.messages).toEqual([
    '✗ mallory rejected by claimValidationRules[0]: wrong domain; would be accepted if hd were "corp.example"',
  ]);
  await expect
    .poll(() => recorder.places.map(({ selection }) => selection?.start.line))
    .toEqual([11]);
});

test('shows all samples, one per line', async () => {
  const recorder = await start();
  await addSample(recorder, 'jane', 'corp.example');
  await addSample(recorder, 'mallory', 'evil.example');
  await run(recorder, 'authgraph.whoamiAll');
  expect(recorder.messages[0]?.split('\n').map((line) => line.slice(0, 9))).toEqual([
    '✓ jane → ',
    '✗ mallory',
  ]);
});

test('whoami reports that no sample is selected', async () => {
  const recorder = await start();
  await run(recorder, 'authgraph.whoami');
  expect(recorder.messages).toEqual([problems.noneCurrent]);
});

test('selects a sample, and previews use it', async () => {
  const recorder = await start();
  await addSample(recorder, 'jane', 'corp.example');
  await addSample(recorder, 'joe', 'corp.example');
  recorder.answer = 'joe';
  await run(recorder, 'authgraph.selectSample');
  expect(recorder.choices).toEqual([['jane', 'joe']]);
  await run(recorder, 'authgraph.whoami');
  expect(recorder.messages.at(-1)).toBe('✓ joe → oidc:joe · 1 group');
});

test('selecting reports what to do if there are no samples', async () => {
  const recorder = await start();
  await run(recorder, 'authgraph.selectSample');
  expect(recorder.messages[0]).toContain('jane.claims.yaml');
});

test('shows the graph as text', async () => {
  const recorder = await start();
  await run(recorder, 'authgraph.showGraph');
  expect(recorder.messages[0]).toContain('https://issuer.example');
});

test('shows the effect of an unsaved edit', async () => {
  const recorder = await start({}, new Map([[uri, text]]));
  await addSample(recorder, 'jane', 'corp.example');
  await recorder.client.connection.sendNotification('textDocument/didChange', {
    textDocument: { uri, version: 2 },
    contentChanges: [{ text: text.replace('corp.example', 'other.example') }],
  });
  await run(recorder, 'authgraph.previewChange');
  expect(recorder.messages[0]?.split('\n')).toEqual([
    '1 of 1 sample loses access',
    expect.stringMatching(/^lost: jane → oidc:jane .* ⇒ jane rejected/),
  ]);
});

test.each([
  ['an unknown command', 'authgraph.unknown', [uri]],
  ['no arguments', 'authgraph.whoami', []],
  ['arguments of another form', 'authgraph.whoami', [{ uri }]],
])('ignores %s', async (_, command, args) => {
  const recorder = await start();
  expect(await run(recorder, command, args)).toBeNull();
  expect(recorder.messages).toEqual([]);
  expect(recorder.client.log).toEqual([]);
});

test('reports that another document has no configuration', async () => {
  const recorder = await start();
  await addSample(recorder, 'jane', 'corp.example');
  await run(recorder, 'authgraph.whoami', [`${workspaceUri}/other.yaml`]);
  expect(recorder.messages).toEqual([problems.noConfiguration]);
});

test('breaks up names that a client would turn into links', async () => {
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
