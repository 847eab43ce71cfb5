/** Diagnostics of configurations that are not open: pulled, pushed, and kept up to date. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  CancellationTokenSource,
  type PublishDiagnosticsParams,
  type WorkspaceDiagnosticReport,
} from 'vscode-languageserver';
import { URI } from 'vscode-uri';
import { limits } from '../../language-server/src/limits.ts';
import {
  type LanguageClient,
  type LanguageClientOptions,
  languageClient,
  workspaceUri,
} from '../support/language-client.ts';

const configuration = (field = 'audiences'): string => `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer: { url: https://a.example, ${field}: [app] }
  claimMappings: { username: { claim: sub, prefix: "a:" } }
`;
const broken = configuration('audience');
const valid = configuration();
const uriOf = (name: string): string => `${workspaceUri}/${name}`;
const inWorkspace = { diagnostics: { scope: 'workspace' } };

let client: LanguageClient;
let files: Map<string, string>;
beforeEach(() => {
  files = new Map();
});
afterEach(() => client.close());

const start = async (
  texts: Readonly<Record<string, string>>,
  options: LanguageClientOptions = {},
): Promise<void> => {
  for (const [name, text] of Object.entries(texts)) files.set(uriOf(name), text);
  client = await languageClient({ settings: inWorkspace, files, ...options });
};

/** Notifies the server that a file was changed, created or deleted. */
const changesFile = async (name: string, text: string | undefined): Promise<void> => {
  if (text === undefined) files.delete(uriOf(name));
  else files.set(uriOf(name), text);
  await client.connection.sendNotification('workspace/didChangeWatchedFiles', {
    changes: [{ uri: uriOf(name), type: text === undefined ? 3 : 2 }],
  });
};
const closes = (name: string): Promise<void> =>
  client.connection.sendNotification('textDocument/didClose', {
    textDocument: { uri: uriOf(name) },
  });

/** What the client has received: the codes by file, and the IDs of the results. */
const createReceiver = () => {
  const codes = new Map<string, readonly unknown[]>();
  const ids = new Map<string, string>();
  return {
    codes,
    /** Sends one request; it is answered when there is something new. */
    async pull(token = new CancellationTokenSource().token): Promise<readonly string[]> {
      const { items } = await client.connection.sendRequest<WorkspaceDiagnosticReport>(
        'workspace/diagnostic',
        { previousResultIds: [...ids].map(([uri, value]) => ({ uri, value })) },
        token,
      );
      for (const item of items) {
        const name = item.uri.slice(workspaceUri.length + 1);
        if (item.kind === 'full')
          codes.set(
            name,
            item.items.map(({ code }) => code),
          );
        // As VS Code escapes it.
        const uri = URI.parse(item.uri).toString();
        if (item.resultId !== undefined) ids.set(uri, item.resultId);
      }
      return items.map(({ uri }) => uri.slice(workspaceUri.length + 1));
    },
    /** Sends requests until the condition holds. */
    async pullsUntil(condition: () => boolean): Promise<void> {
      while (!condition()) await this.pull();
    },
  };
};

/** Returns whether a promise is pending after a while. */
const isPending = async (promise: Promise<unknown>): Promise<boolean> =>
  (await Promise.race([promise.then(() => false), delay(600, true)])) ?? true;

test('reports every configuration, and then only what changes', async () => {
  await start({
    'a.yaml': broken,
    'deep (1)/b.json': '{}',
    'deep (1)/c.yaml': valid,
    'pod.yaml': 'kind: Pod\n',
  });
  const received = createReceiver();
  await received.pullsUntil(() => received.codes.size === 2);
  expect(Object.fromEntries(received.codes)).toEqual({
    'a.yaml': ['AG1008'],
    'deep (1)/c.yaml': [],
  });
  const next = received.pull();
  expect(await isPending(next)).toBe(true);
  await changesFile('deep (1)/c.yaml', broken);
  expect(await next).toEqual(['deep (1)/c.yaml']);
  expect(received.codes.get('deep (1)/c.yaml')).toEqual(['AG1008']);
  expect(client.log).toEqual([]);
});

test('follows files that are created and deleted', async () => {
  await start({ 'a.yaml': broken });
  const received = createReceiver();
  await received.pull();
  const created = received.pull();
  await changesFile('new.yaml', broken);
  expect(await created).toEqual(['new.yaml']);
  const deleted = received.pull();
  await changesFile('a.yaml', undefined);
  expect(await deleted).toEqual(['a.yaml']);
  expect(received.codes.get('a.yaml')).toEqual([]);
});

test('prefers the text of an open document, until it is closed', async () => {
  await start({ 'a.yaml': valid });
  const received = createReceiver();
  await received.pull();
  const opened = received.pull();
  await client.open(uriOf('a.yaml'), broken);
  expect(await opened).toEqual(['a.yaml']);
  expect(received.codes.get('a.yaml')).toEqual(['AG1008']);
  const next = received.pull();
  await changesFile('a.yaml', configuration('audience_'));
  expect(await isPending(next)).toBe(true);
  await closes('a.yaml');
  expect(await next).toEqual(['a.yaml']);
  files.set(uriOf('a.yaml'), valid);
  const reverted = received.pull();
  await changesFile('a.yaml', valid);
  await reverted;
  expect(received.codes.get('a.yaml')).toEqual([]);
});

test('removes the diagnostics of a closed document that is no configuration', async () => {
  await start({ 'jane.claims.yaml': 'sub: jane\n' });
  const received = createReceiver();
  await client.open(uriOf('jane.claims.yaml'), 'sub: {\n');
  await received.pullsUntil(() => received.codes.get('jane.claims.yaml')?.length === 1);
  await closes('jane.claims.yaml');
  await received.pullsUntil(() => received.codes.get('jane.claims.yaml')?.length === 0);
});

test('reports nothing unless the setting asks for it', async () => {
  const settings: { diagnostics?: object } = {};
  await start({ 'a.yaml': broken }, { settings });
  const received = createReceiver();
  const first = received.pull();
  expect(await isPending(first)).toBe(true);
  settings.diagnostics = { scope: 'workspace' };
  await client.connection.sendNotification('workspace/didChangeConfiguration', { settings: null });
  expect(await first).toEqual(['a.yaml']);
  const second = received.pull();
  settings.diagnostics = { scope: 'openFiles' };
  await client.connection.sendNotification('workspace/didChangeConfiguration', { settings: null });
  expect(await second).toEqual(['a.yaml']);
  expect(received.codes.get('a.yaml')).toEqual([]);
});

test.each([
  [true, []],
  [false, ['AG4010']],
])('applies levels of settings files if the workspace is trusted: %s', async (trusted, codes) => {
  const unprefixed = valid.replace('"a:"', '""');
  await start({ 'a.yaml': unprefixed }, { initializationOptions: { trusted } });
  const received = createReceiver();
  await received.pullsUntil(() => received.codes.get('a.yaml')?.length === 1);
  await changesFile('.authgraph.yaml', 'lints: {AG4010: off}\n');
  await changesFile('b.yaml', valid);
  await received.pullsUntil(() => received.codes.has('b.yaml'));
  await expect.poll(() => received.codes.get('a.yaml')).toEqual(codes);
});

test('ends a waiting request when it is canceled', async () => {
  await start({});
  const source = new CancellationTokenSource();
  const waiting = createReceiver().pull(source.token);
  await delay(50);
  source.cancel();
  expect(await waiting.catch(() => [])).toEqual([]);
});

test('reads nothing again while no file changes, and all files after a change', async () => {
  let searches = 0;
  await start(
    {},
    {
      initializationOptions: { files: 'client' },
      capabilities: { workspace: { didChangeWatchedFiles: { dynamicRegistration: true } } },
      answers: new Map<string, (params: unknown) => unknown>([
        [
          'authgraph/findFiles',
          (params) => {
            if (JSON.stringify(params).includes('**/*.{json,yaml,yml}')) searches += 1;
            return [uriOf('a.yaml')];
          },
        ],
        ['authgraph/readFile', () => ({ text: valid })],
      ]),
    },
  );
  const symbols = async (): Promise<number> => {
    const found = await client.connection.sendRequest<readonly unknown[]>('workspace/symbol', {
      query: 'a',
    });
    return found.length;
  };
  await delay(300);
  const before = searches;
  expect(await symbols()).toBe(1);
  for (let press = 0; press < 5; press += 1) expect(await symbols()).toBe(1);
  expect(searches - before).toBeLessThanOrEqual(1);
  const known = searches;
  await changesFile('b.yaml', valid);
  await symbols();
  expect(searches).toBe(known + 1);
});

test('does not delay the others for a file that is analyzed in the background', async () => {
  const entries = Array.from(
    { length: 400 },
    (_, at) => `- issuer: { url: https://s${at}.example, audience: [app] }
  claimMappings: { username: { expression: "'a:' + claims.sub + string(claims.n)" } }
`,
  );
  const slow = `${valid}${entries.join('')}`;
  expect(slow.length).toBeGreaterThan(limits.unguardedLength);
  await start(
    { 'a-slow.yaml': slow, 'b.yaml': broken },
    {
      settings: { ...inWorkspace, analysisTimeout: 100 },
    },
  );
  const received = createReceiver();
  expect(await received.pull()).toEqual(['b.yaml']);
  await received.pullsUntil(() => received.codes.has('a-slow.yaml'));
});

const pushes = () => {
  const received = new Map<string, readonly unknown[]>();
  let count = 0;
  client.connection.onNotification(
    'textDocument/publishDiagnostics',
    ({ uri, diagnostics }: PublishDiagnosticsParams) => {
      count += 1;
      received.set(
        uri.slice(workspaceUri.length + 1),
        diagnostics.map(({ code }) => code),
      );
    },
  );
  return { received, count: () => count };
};

test('publishes to clients that do not pull, and removes what is no longer true', async () => {
  await start({ 'a.yaml': broken, 'b.yaml': valid }, { capabilities: {} });
  const { received, count } = pushes();
  await expect.poll(() => received.get('a.yaml')).toEqual(['AG1008']);
  expect(received.has('b.yaml')).toBe(false);
  await changesFile('b.yaml', broken);
  await expect.poll(() => received.get('b.yaml')).toEqual(['AG1008']);
  await client.open(uriOf('b.yaml'), valid);
  await expect.poll(() => received.get('b.yaml')).toEqual([]);
  await closes('b.yaml');
  await expect.poll(() => received.get('b.yaml')).toEqual(['AG1008']);
  await changesFile('a.yaml', undefined);
  await expect.poll(() => received.get('a.yaml')).toEqual([]);
  const before = count();
  await changesFile('pod.yaml', 'kind: Pod\n');
  await delay(500);
  expect(count()).toBe(before);
});

test('publishes nothing for a client that pulls', async () => {
  await start({ 'a.yaml': broken });
  const { count } = pushes();
  await createReceiver().pull();
  expect(count()).toBe(0);
});

test.each([undefined, { diagnosticsScope: 'openFiles' }])(
  'announces requests for the workspace, unless the client makes none: %j',
  async (initializationOptions) => {
    await start({}, initializationOptions === undefined ? {} : { initializationOptions });
    expect(client.initialized.capabilities.diagnosticProvider).toMatchObject({
      workspaceDiagnostics: initializationOptions === undefined,
    });
  },
);

test.each([{}, { previousResultIds: 7 }, { previousResultIds: [null, { uri: 7 }] }])(
  'answers the malformed request %j',
  async (params) => {
    await start({ 'a.yaml': broken });
    const report = await client.connection.sendRequest<WorkspaceDiagnosticReport>(
      'workspace/diagnostic',
      params,
    );
    expect(report.items).toHaveLength(1);
  },
);
