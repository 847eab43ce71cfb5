/** Diagnostics of configurations that are not open: pulled, pushed, and kept up to date. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  CancellationTokenSource,
  type PublishDiagnosticsParams,
  type WorkspaceDiagnosticReport,
} from 'vscode-languageserver';
import { URI } from 'vscode-uri';
import type { HandlerFactory } from '../../language-server/src/features/feature.ts';
import { createClosedPushes } from '../../language-server/src/features/workspace-diagnostics.ts';
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

/** The capabilities of a client that reports changes of files. */
const watching = {
  textDocument: { diagnostic: {} },
  workspace: { didChangeWatchedFiles: { dynamicRegistration: true } },
};

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

test('lists nothing of a deleted folder, which is reported without its files', async () => {
  const texts = {
    'a.yaml': broken,
    'deep/b.yaml': broken,
    'deep/er/c.yaml': broken,
    'deeper/d.yaml': broken,
  };
  await start(texts, { capabilities: watching });
  const received = createReceiver();
  await received.pullsUntil(() => received.codes.size === 4);
  for (const uri of [...files.keys()]) if (uri.startsWith(uriOf('deep/'))) files.delete(uri);
  const deleted = received.pull();
  await client.connection.sendNotification('workspace/didChangeWatchedFiles', {
    changes: [{ uri: uriOf('deep'), type: 3 }],
  });
  expect([...(await deleted)].sort()).toEqual(['deep/b.yaml', 'deep/er/c.yaml']);
  expect(Object.fromEntries(received.codes)).toEqual({
    'a.yaml': ['AG1008'],
    'deep/b.yaml': [],
    'deep/er/c.yaml': [],
    'deeper/d.yaml': ['AG1008'],
  });
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

/** Starts a client that reads the files for the server, and counts its searches and reads. */
const startCounting = async (
  options: { readonly isTruncated?: boolean } = {},
): Promise<{ searches: number; readonly reads: string[] }> => {
  const counts = { searches: 0, reads: [] as string[] };
  const surplus = options.isTruncated ? Array<string>(limits.filesPerSearch).fill('file:///x') : [];
  await start(
    {},
    {
      initializationOptions: { files: 'client' },
      capabilities: watching,
      answers: new Map<string, (params: unknown) => unknown>([
        [
          'authgraph/findFiles',
          (params) => {
            if (!JSON.stringify(params).includes('"**/*.{json,yaml,yml}"')) return [];
            counts.searches += 1;
            return [...files.keys(), ...surplus];
          },
        ],
        [
          'authgraph/readFile',
          (params) => {
            const { uri, mostBytes } = params as { uri: string; mostBytes: number };
            counts.reads.push(uri.slice(workspaceUri.length + 1));
            const text = files.get(uri);
            if (text === undefined) return null;
            return text.length > mostBytes ? { isTooLong: true } : { text };
          },
        ],
      ]),
    },
  );
  return counts;
};

test('searches once, and reads only files that have changed or were open', async () => {
  for (let at = 0; at < 100; at += 1) files.set(uriOf(`pod-${at}.yaml`), 'kind: Pod\n');
  files.set(uriOf('a.yaml'), broken);
  const counts = await startCounting();
  const received = createReceiver();
  await received.pullsUntil(() => received.codes.has('a.yaml'));
  await delay(2 * limits.workspaceDiagnosticsDelayMs);
  expect(counts.searches).toBe(1);
  const readsOf = async (action: () => Promise<unknown>): Promise<readonly string[]> => {
    counts.reads.length = 0;
    const source = new CancellationTokenSource();
    const next = received.pull(source.token).catch(() => []);
    await action();
    await delay(3 * limits.workspaceDiagnosticsDelayMs);
    source.cancel();
    await next;
    return [...counts.reads];
  };
  expect(await readsOf(() => client.open(uriOf('notes.yaml'), 'notes: []\n'))).toEqual([]);
  expect(await readsOf(() => closes('notes.yaml'))).toEqual([]);
  expect(await readsOf(() => client.open(uriOf('a.yaml'), valid))).toEqual([]);
  expect(received.codes.get('a.yaml')).toEqual([]);
  expect(await readsOf(() => changesFile('a.yaml', broken))).toEqual([]);
  expect(await readsOf(() => closes('a.yaml'))).toEqual(['a.yaml']);
  expect(received.codes.get('a.yaml')).toEqual(['AG1008']);
  const changeSettings = (): Promise<void> =>
    client.connection.sendNotification('workspace/didChangeConfiguration', {
      settings: { authgraph: { ...inWorkspace, clock: '2026-02-01T00:00:00Z' } },
    });
  expect(await readsOf(changeSettings)).toEqual([]);
  const unrelated = ['node_modules/left-pad/package.json', 'a/.git/b.yaml', 'README.md'];
  for (const name of unrelated) {
    expect(await readsOf(() => changesFile(name, 'kind: AuthenticationConfiguration'))).toEqual([]);
  }
  expect(await readsOf(() => changesFile('pod-7.yaml', broken))).toEqual(['pod-7.yaml']);
  expect(received.codes.get('pod-7.yaml')).toEqual(['AG1008']);
  expect(await readsOf(() => changesFile('new.yaml', broken))).toEqual(['new.yaml']);
  expect(received.codes.get('new.yaml')).toEqual(['AG1008']);
  expect(await readsOf(() => changesFile('new.yaml', undefined))).toEqual(['new.yaml']);
  expect(received.codes.get('new.yaml')).toEqual([]);
  expect(counts.searches).toBe(1);
});

test('searches again if other files are configurations according to the settings', async () => {
  files.set(uriOf('a.yaml'), valid);
  const counts = await startCounting();
  const received = createReceiver();
  await received.pull();
  await client.connection.sendNotification('workspace/didChangeConfiguration', {
    settings: { authgraph: { ...inWorkspace, files: ['*.conf'] } },
  });
  await changesFile('b.conf', broken);
  await received.pullsUntil(() => received.codes.get('b.conf')?.length === 1);
  expect(counts.searches).toBe(2);
});

test.each([
  ['too long', { 'long.json': ' '.repeat(limits.closedBytes + 1) }, false, 'long.json is too long'],
  ['not found', {}, true, 'The workspace has too many files'],
])('reports once that configurations may be missing: %s', async (_, texts, isTruncated, part) => {
  for (const [name, text] of Object.entries(texts)) files.set(uriOf(name), text);
  files.set(uriOf('a.yaml'), broken);
  await startCounting({ isTruncated });
  const shown: string[] = [];
  client.connection.onRequest('window/showMessageRequest', ({ message }) => {
    shown.push(message);
    return null;
  });
  const received = createReceiver();
  await received.pull();
  const next = received.pull();
  await changesFile('b.yaml', broken);
  await next;
  expect(client.log).toEqual([expect.stringContaining(part)]);
  expect(shown).toEqual(client.log);
  expect(client.log[0]).toMatch(/^Diagnostics of the workspace are incomplete\. /);
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

test('publishes once after several changes during one computation', async () => {
  const started: (() => void)[] = [];
  let runs = 0;
  const { push } = createClosedPushes(
    {
      guardedAsync: () => () => {
        runs += 1;
        return new Promise<void>((resolve) => started.push(resolve));
      },
    } as unknown as HandlerFactory,
    () => undefined,
  );
  for (let change = 0; change < 10; change += 1) void push();
  while (started.length > 0) {
    started.shift()?.();
    await delay(0);
  }
  expect(runs).toBe(2);
  await start({});
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
