/** Settings files in the editor: which one applies, what wins, their own mistakes, and trust. */
import { afterEach, expect, test } from 'vitest';
import type { CodeAction, Diagnostic } from 'vscode-languageserver';
import type { SamplesAnswer } from '../../language-server/src/protocol.ts';
import {
  type LanguageClient,
  type LanguageClientOptions,
  languageClient,
  workspaceUri,
} from '../support/language-client.ts';

let client: LanguageClient | undefined;
afterEach(async () => {
  await client?.close();
  client = undefined;
});

const uri = `${workspaceUri}/clusters/eu/auth.yaml`;
/** A configuration with AG4010 at its username, in both API domains. */
const configuration = (domain = 'k8s.io'): string =>
  `apiVersion: apiserver.config.${domain}/v1\nkind: AuthenticationConfiguration\njwt:\n- issuer:\n    url: https://issuer.example\n    audiences: [app]\n  claimMappings:\n    username: {claim: sub, prefix: ""}\n`;

const start = async (
  files: Readonly<Record<string, string>>,
  options: LanguageClientOptions = {},
  text = configuration(),
): Promise<LanguageClient> => {
  const onDisk = Object.entries(files).map(([path, content]) => [
    `${workspaceUri}/${path}`,
    content,
  ]);
  client = await languageClient({ ...options, files: new Map(onDisk as [string, string][]) });
  await client.open(uri, text);
  return client;
};

const shown = async (of = uri): Promise<readonly string[]> => {
  const { items } = await (client as LanguageClient).connection.sendRequest<{
    items: readonly Diagnostic[];
  }>('textDocument/diagnostic', { textDocument: { uri: of } });
  return items.map(({ code, severity }) => `${code} ${severity}`);
};

const [error, warning, information, hint] = [1, 2, 3, 4];

test('the nearest settings file applies, and wins over the settings of the editor', async () => {
  await start(
    {
      '.authgraph.yaml': 'lints: {AG4010: error}\n',
      'clusters/.authgraph.yaml': 'lints: {AG4010: warning}\n',
      'clusters/asia/.authgraph.yaml': 'lints: {AG4010: off}\n',
    },
    { settings: { lint: { level: { 'system-names': 'hint' } } } },
  );
  await expect.poll(() => shown()).toEqual([`AG4010 ${warning}`]);
  const other = `${workspaceUri}/auth.yaml`;
  await client?.open(other, configuration());
  expect(await shown(other)).toEqual([`AG4010 ${error}`]);
});

test('a setting that the file does not have comes from the editor', async () => {
  await start(
    { '.authgraph.yaml': 'apiDomain: k8s.io\n' },
    { settings: { lint: { level: { 'system-names': 'hint' } }, targetVersion: '1.33' } },
  );
  await expect.poll(() => shown()).toEqual([`AG1007 ${error}`, `AG4010 ${hint}`]);
});

test('the target version and the API domain of a file are errors where they do not fit', async () => {
  await start({ '.authgraph.yaml': 'targetVersion: "1.33"\n' });
  await expect.poll(() => shown()).toEqual([`AG1007 ${error}`, `AG4010 ${information}`]);
  await client?.close();
  await start({}, {}, configuration('platform.io'));
  await expect.poll(() => shown()).toEqual([`AG4024 ${information}`, `AG4010 ${information}`]);
  await client?.close();
  await start({ '.authgraph.yaml': 'apiDomain: k8s.io\n' }, {}, configuration('platform.io'));
  await expect.poll(() => shown()).toEqual([`AG1007 ${error}`, `AG4010 ${information}`]);
});

test('a suppression applies to its files and fields', async () => {
  const suppression = (files: string, path: string): string =>
    `suppressions:\n- {code: AG4010, reason: x, files: "${files}", path: "${path}"}\n`;
  await start({ '.authgraph.yaml': suppression('clusters/*/auth.yaml', 'jwt[0].claimMappings') });
  await expect.poll(() => shown()).toEqual([]);
  await client?.close();
  await start({ '.authgraph.yaml': suppression('clusters/*/auth.yaml', 'jwt[0].issuer') });
  await expect.poll(() => shown()).toEqual([`AG4010 ${information}`]);
});

test('an open settings file shows its mistakes with fixes, and applies while it is edited', async () => {
  await start({ '.authgraph.yaml': 'lints: {AG4010: off}\n' });
  await expect.poll(() => shown()).toEqual([]);
  const settings = `${workspaceUri}/.authgraph.yaml`;
  await client?.open(settings, 'lint: {AG4010: error}\n');
  expect(await shown(settings)).toEqual([`AG3101 ${error}`]);
  expect(await shown()).toEqual([`AG4010 ${information}`]);
  const position = { line: 0, character: 1 };
  const actions = await client?.connection.sendRequest<readonly CodeAction[]>(
    'textDocument/codeAction',
    {
      textDocument: { uri: settings },
      range: { start: position, end: position },
      context: { diagnostics: [] },
    },
  );
  expect(actions?.map(({ title, edit }) => [title, edit?.changes?.[settings]])).toEqual([
    [
      'Rename to lints',
      [
        {
          newText: 'lints',
          range: { start: { line: 0, character: 0 }, end: { line: 0, character: 4 } },
        },
      ],
    ],
  ]);
  await client?.connection.sendNotification('textDocument/didChange', {
    textDocument: { uri: settings, version: 2 },
    contentChanges: [{ text: 'lints: {AG4010: error}\n' }],
  });
  expect(await shown(settings)).toEqual([]);
  expect(await shown()).toEqual([`AG4010 ${error}`]);
});

test('an expired suppression is reported in its file', async () => {
  await start({});
  const settings = `${workspaceUri}/.authgraph.yaml`;
  await client?.open(settings, 'suppressions: [{code: AG4010, reason: x, expires: 2025-12-31}]\n');
  expect(await shown(settings)).toEqual([`AG3106 ${warning}`]);
  expect(await shown()).toEqual([`AG4010 ${information}`]);
});

test('in an untrusted workspace lints can be raised, and neither lowered nor suppressed', async () => {
  const untrusted = { initializationOptions: { trusted: false } };
  await start(
    { '.authgraph.yaml': 'lints: {AG4010: off}\nsuppressions: [{code: AG4010, reason: x}]\n' },
    untrusted,
  );
  await client?.open(`${workspaceUri}/wait.yaml`, '');
  await client?.connection.sendRequest('authgraph/samples', {});
  expect(await shown()).toEqual([`AG4010 ${information}`]);
  await client?.close();
  await start({ '.authgraph.yaml': 'lints: {AG4010: error}\n' }, untrusted);
  await expect.poll(() => shown()).toEqual([`AG4010 ${error}`]);
});

test('sample folders are searched, in an untrusted workspace only below the settings file', async () => {
  const files = {
    'conf/.authgraph.yaml': 'sampleFolders: [people, ../shared]\n',
    'conf/people/jane.json': '{"sub": "jane"}',
    'shared/bob.yml': 'sub: bob\n',
    'other/eve.json': '{"sub": "eve"}',
  };
  const names = async (): Promise<readonly string[]> => {
    const { samples } = await (client as LanguageClient).connection.sendRequest<SamplesAnswer>(
      'authgraph/samples',
      {},
    );
    return samples.map(({ name }) => name);
  };
  await start(files);
  await expect.poll(names).toEqual(['bob', 'jane']);
  await client?.close();
  await start(files, { initializationOptions: { trusted: false } });
  await expect.poll(names).toEqual(['jane']);
});
