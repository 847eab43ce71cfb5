/** Settings, folders, malformed requests, push and pull diagnostics, and shutdown. */
import { afterEach, expect, test } from 'vitest';
import type { Diagnostic, DocumentDiagnosticReport } from 'vscode-languageserver';
import { CancellationTokenSource, ErrorCodes } from 'vscode-languageserver/node';
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

const start = async (options: LanguageClientOptions = {}): Promise<LanguageClient> => {
  client = await languageClient(options);
  return client;
};

const uri = `${workspaceUri}/auth.yaml`;
const configuration = (field = 'audience'): string =>
  `apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\njwt:\n- issuer:\n    url: https://issuer.example\n    ${field}: [app]\n  claimMappings:\n    username: {claim: sub, prefix: ""}\n`;

const pull = (
  { connection }: LanguageClient,
  previousResultId?: string,
): Promise<DocumentDiagnosticReport> =>
  connection.sendRequest('textDocument/diagnostic', { textDocument: { uri }, previousResultId });

const codesOf = async (of: LanguageClient): Promise<readonly unknown[]> => {
  const report = await pull(of);
  return report.kind === 'full' ? report.items.map(({ code }) => code) : ['unchanged'];
};

const change = ({ connection }: LanguageClient, version: number, text: string): Promise<void> =>
  connection.sendNotification('textDocument/didChange', {
    textDocument: { uri, version },
    contentChanges: [{ text }],
  });

test('announces the capabilities of all features, and multi-root workspaces', async () => {
  const { initialized } = await start();
  expect(initialized.serverInfo).toEqual({ name: 'authgraph' });
  expect(initialized.capabilities).toMatchObject({
    positionEncoding: 'utf-16',
    textDocumentSync: { openClose: true, change: 2 },
    diagnosticProvider: { identifier: 'authgraph' },
    workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
  });
});

test('rejects requests after shutdown', async () => {
  const { connection, open, log } = await start();
  await open(uri, configuration());
  const one = { textDocument: { uri } };
  await connection.sendRequest('textDocument/codeLens', one);
  await connection.sendRequest('shutdown');
  for (const [method, params] of [
    ['textDocument/codeLens', one],
    ['textDocument/diagnostic', one],
    ['textDocument/completion', { ...one, position: { line: 0, character: 0 } }],
    ['authgraph/samples', {}],
    ['authgraph/verdicts', { uri }],
    ['authgraph/whoami', { uri }],
    ['authgraph/memorySample', { name: 'jane', claims: '{}' }],
    ['authgraph/removeSample', { id: 'memory:1' }],
    ['authgraph/chooseSample', { name: 'jane' }],
    ['authgraph/doctor', { uri }],
  ] as const) {
    await expect(connection.sendRequest(method, params), method).rejects.toMatchObject({
      code: ErrorCodes.InvalidRequest,
    });
  }
  expect(log).toEqual([]);
});

test('does not send unchanged diagnostics again', async () => {
  const started = await start();
  await started.open(uri, configuration());
  const first = await pull(started);
  expect(first).toMatchObject({ kind: 'full' });
  expect(await pull(started, first.resultId)).toEqual({
    kind: 'unchanged',
    resultId: first.resultId,
  });
  await change(started, 2, configuration('audiences'));
  const second = await pull(started, first.resultId);
  expect(second).toMatchObject({ kind: 'full' });
  expect(second.resultId).not.toBe(first.resultId);
});

test('pulls settings, again after each change', async () => {
  const settings: { lint: object } = { lint: { level: { 'system-names': 'off' } } };
  const started = await start({ settings });
  await started.open(uri, configuration('audiences'));
  await expect.poll(() => codesOf(started)).toEqual([]);
  settings.lint = {};
  await started.connection.sendNotification('workspace/didChangeConfiguration', { settings: null });
  await expect.poll(() => codesOf(started)).toEqual(['AG4010']);
});

test('uses pushed settings if the client does not support pulling', async () => {
  const started = await start({
    settings: { lint: { level: { AG4010: 'off' } } },
    capabilities: { textDocument: { diagnostic: {} } },
  });
  await started.open(uri, configuration('audiences'));
  expect(await codesOf(started)).toEqual([]);
});

test.each([null, 7, 'x', [], { lint: 7 }, { samples: { files: [1] }, clock: {}, files: 'x' }])(
  'ignores malformed settings: %j',
  async (settings) => {
    const started = await start();
    await started.connection.sendNotification('workspace/didChangeConfiguration', {
      settings: { authgraph: settings },
    });
    await started.open(uri, configuration());
    expect(await codesOf(started)).toEqual(['AG1008', 'AG4010']);
    expect(started.log).toEqual([]);
  },
);

test('publishes diagnostics to clients that do not pull, and clears them on close', async () => {
  const pushed: (readonly unknown[])[] = [];
  const started = await start({ capabilities: {} });
  started.connection.onNotification(
    'textDocument/publishDiagnostics',
    (params: { uri: string; version?: number; diagnostics: readonly Diagnostic[] }) => {
      pushed.push([params.version, ...params.diagnostics.map(({ code }) => code)]);
    },
  );
  await started.open(uri, configuration());
  await expect.poll(() => pushed.at(-1)).toEqual([1, 'AG1008', 'AG4010']);
  await change(started, 2, configuration('audiences'));
  await change(started, 3, 'kind: ConfigMap\n');
  await expect.poll(() => pushed.at(-1)).toEqual([3]);
  await started.connection.sendNotification('textDocument/didClose', { textDocument: { uri } });
  await expect.poll(() => pushed.at(-1)).toEqual([undefined]);
});

test('publishes diagnostics again when settings change', async () => {
  const pushed: (readonly unknown[])[] = [];
  const started = await start({ capabilities: {} });
  started.connection.onNotification(
    'textDocument/publishDiagnostics',
    ({ diagnostics }: { diagnostics: readonly Diagnostic[] }) => {
      pushed.push(diagnostics.map(({ code }) => code));
    },
  );
  await started.open(uri, configuration());
  await expect.poll(() => pushed.at(-1)).toEqual(['AG1008', 'AG4010']);
  await started.connection.sendNotification('workspace/didChangeConfiguration', {
    settings: { authgraph: { lint: { level: { 'system-names': 'off' } } } },
  });
  await expect.poll(() => pushed.at(-1)).toEqual(['AG1008']);
});

const sampleNames = async ({ connection }: LanguageClient): Promise<readonly string[]> => {
  const { samples } = await connection.sendRequest<SamplesAnswer>('authgraph/samples', {});
  return samples.map(({ name }) => name);
};

test('searches again when folders change', async () => {
  const started = await start({
    files: new Map([[`${workspaceUri}/jane.claims.yaml`, 'sub: jane\n']]),
  });
  const folder = { uri: workspaceUri, name: 'workspace' };
  expect(await sampleNames(started)).toEqual(['jane']);
  const turn = (added: readonly object[], removed: readonly object[]): Promise<void> =>
    started.connection.sendNotification('workspace/didChangeWorkspaceFolders', {
      event: { added, removed },
    });
  await turn([], [folder]);
  expect(await sampleNames(started)).toEqual([]);
  await turn([folder], []);
  expect(await sampleNames(started)).toEqual(['jane']);
});

test('registers file watchers, and reads changed files again', async () => {
  const files = new Map([[`${workspaceUri}/jane.claims.yaml`, 'sub: jane\n']]);
  const registered: string[] = [];
  let watchers: unknown;
  const started = await start({
    files,
    capabilities: {
      workspace: {
        workspaceFolders: true,
        didChangeWatchedFiles: { dynamicRegistration: true },
        didChangeConfiguration: { dynamicRegistration: true },
      },
    },
  });
  started.connection.onRequest(
    'client/registerCapability',
    ({ registrations }: { registrations: readonly Registration[] }) => {
      registered.push(...registrations.map(({ method }) => method));
      watchers = registrations.find(({ method }) => method === watching)?.registerOptions.watchers;
      return null;
    },
  );
  // The first registration preceded the listener; changed globs are registered again.
  await started.connection.sendNotification('workspace/didChangeConfiguration', {
    settings: { authgraph: { samples: { files: ['**/*.yaml'] } } },
  });
  await expect.poll(() => registered).toContain(watching);
  // Deleted folders match no glob of files.
  expect(watchers).toContainEqual({ globPattern: '**/*', kind: 4 });
  expect(await sampleNames(started)).toEqual(['jane']);

  const notify = (name: string, type: number): Promise<void> =>
    started.connection.sendNotification('workspace/didChangeWatchedFiles', {
      changes: [{ uri: `${workspaceUri}/${name}`, type }],
    });
  files.set(`${workspaceUri}/zoe.claims.yaml`, 'sub: zoe\n');
  await notify('zoe.claims.yaml', 1);
  await expect.poll(() => sampleNames(started)).toEqual(['jane', 'zoe']);
  files.delete(`${workspaceUri}/jane.claims.yaml`);
  await notify('jane.claims.yaml', 3);
  await expect.poll(() => sampleNames(started)).toEqual(['zoe']);
  files.set(`${workspaceUri}/deep (1)/er/ada.claims.yaml`, 'sub: ada\n');
  await notify('deep (1)/er/ada.claims.yaml', 1);
  await expect.poll(() => sampleNames(started)).toEqual(['ada', 'zoe']);
  files.delete(`${workspaceUri}/deep (1)/er/ada.claims.yaml`);
  await notify('deep%20%281%29', 3);
  await expect.poll(() => sampleNames(started)).toEqual(['zoe']);
});

const watching = 'workspace/didChangeWatchedFiles';

interface Registration {
  readonly method: string;
  readonly registerOptions: { readonly watchers?: unknown };
}

test('reads files through the client in a browser', async () => {
  const received: unknown[] = [];
  const started = await start({
    initializationOptions: { files: 'client' },
    answers: new Map<string, (params: unknown) => unknown>([
      [
        'authgraph/findFiles',
        (params) => {
          received.push(params);
          return [`${workspaceUri}/jane.claims.yaml`, 7, `${workspaceUri}/gone.claims.yaml`];
        },
      ],
      [
        'authgraph/readFile',
        (params) => (JSON.stringify(params).includes('jane') ? { text: 'sub: jane\n' } : null),
      ],
    ]),
  });
  expect(await sampleNames(started)).toEqual(['gone', 'jane']);
  expect(received[0]).toMatchObject({
    globs: expect.arrayContaining(['**/*.claims.{json,yaml,yml}']),
  });
});

/** A client that finds its files on demand. */
const slowFiles = () => {
  const found = Promise.withResolvers<readonly string[]>();
  const answers = new Map<string, (params: unknown) => unknown>([
    ['authgraph/findFiles', () => found.promise],
    ['authgraph/readFile', () => ({ text: 'iss: https://issuer.example\nsub: jane\n' })],
  ]);
  return { answers, find: () => found.resolve([`${workspaceUri}/jane.claims.yaml`]) };
};

test.each([
  ['authgraph/verdicts', {}],
  ['authgraph/whoami', {}],
  ['authgraph/change', { against: configuration('audiences') }],
])('%s waits for the first search for samples', async (method, params) => {
  const { answers, find } = slowFiles();
  const started = await start({ initializationOptions: { files: 'client' }, answers });
  await started.open(uri, configuration('audiences'));
  const response = started.connection.sendRequest<{ rows: readonly object[] }>(method, {
    uri,
    ...params,
  });
  // Another answer arrives first, so the request does wait.
  expect(await Promise.race([response, codesOf(started)])).toEqual(['AG4010']);
  find();
  const { rows } = await response;
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).toContain('jane');
});

test('survives malformed answers about files', async () => {
  const started = await start({
    initializationOptions: { files: 'client' },
    answers: new Map<string, (params: unknown) => unknown>([
      ['authgraph/findFiles', () => ({ no: 'list' })],
    ]),
  });
  expect(await sampleNames(started)).toEqual([]);
  await started.open(uri, configuration());
  expect(await codesOf(started)).toEqual(['AG1008', 'AG4010']);
});

test('reports one warning for a document of more than a mebibyte', async () => {
  const started = await start();
  await started.open(uri, `${configuration()}${'# filling\n'.repeat(120_000)}`);
  const report = await pull(started);
  expect(report).toMatchObject({
    items: [{ code: 'AG1004', severity: 2, message: expect.stringContaining('the limit is') }],
  });
});

test('reports nothing for a long document of another kind', async () => {
  const started = await start();
  await started.open(uri, `kind: List\n${'# AuthenticationConfiguration\n'.repeat(60_000)}`);
  expect(await pull(started)).toMatchObject({ items: [] });
});

/** Each level references the previous one ten times. */
const aliasBomb = (levels: number): string =>
  Array.from({ length: levels }, (_, level) =>
    level === 0
      ? '  a0: &a0 [x]\n'
      : `  a${level}: &a${level} [${Array(10)
          .fill(`*a${level - 1}`)
          .join(', ')}]\n`,
  ).join('');

test.each([
  ['as the configuration', `${configuration('audiences')}bomb:\n${aliasBomb(9)}`, ['AG1001']],
  [
    'around one',
    `kind: ConfigMap\nbomb:\n${aliasBomb(9)}data:\n  a: AuthenticationConfiguration\n`,
    [],
  ],
  ['as a sample', `bomb:\n${aliasBomb(9)}`, [undefined]],
])('reports an alias bomb %s without expanding it', async (where, text, codes) => {
  const started = await start();
  const bomb = where === 'as a sample' ? `${workspaceUri}/bomb.claims.yaml` : uri;
  await started.open(bomb, text);
  const report = await started.connection.sendRequest<DocumentDiagnosticReport>(
    'textDocument/diagnostic',
    { textDocument: { uri: bomb } },
  );
  const found = report.kind === 'full' ? report.items.map(({ code }) => code) : [];
  expect(found).toEqual(codes.length === 0 ? [] : expect.arrayContaining(codes));
});

test('reports deep nesting', async () => {
  const started = await start();
  await started.open(uri, `${configuration('audiences')}x: ${'['.repeat(50_000)}\n`);
  expect(await pull(started)).toMatchObject({ items: [{ severity: 1 }] });
});

const malformed = [undefined, null, 7, 'x', [], {}, { textDocument: null }, { textDocument: {} }];

test('survives malformed requests', async () => {
  const { initialized } = await start();
  const started = client;
  if (started === undefined) throw new Error('unreachable: started');
  await started.open(uri, configuration());
  const methods = [
    'textDocument/diagnostic',
    'textDocument/hover',
    'textDocument/completion',
    'textDocument/codeAction',
    'textDocument/codeLens',
    'textDocument/inlayHint',
    'textDocument/definition',
    'textDocument/references',
    'textDocument/rename',
    'textDocument/documentSymbol',
    'textDocument/foldingRange',
    'textDocument/selectionRange',
    'textDocument/semanticTokens/full',
    'textDocument/formatting',
    'textDocument/documentLink',
    'textDocument/signatureHelp',
    'workspace/executeCommand',
    'authgraph/samples',
    'authgraph/chooseSample',
    'authgraph/memorySample',
    'authgraph/removeSample',
    'authgraph/verdicts',
    'authgraph/whoami',
    'authgraph/graph',
    'authgraph/nothing',
  ];
  const places = [-1, 1e9, 0.5, Number.NaN, '1'].map((line) => ({
    textDocument: { uri },
    position: { line, character: line },
    range: { start: { line, character: 0 }, end: { line: 0, character: line } },
    context: {},
  }));
  for (const method of methods) {
    for (const params of [...malformed, ...places]) {
      // Every request gets a result or an error.
      await started.connection.sendRequest(method, params).catch(() => undefined);
    }
  }
  for (const method of [
    'textDocument/didChange',
    'textDocument/didOpen',
    'textDocument/didClose',
    'textDocument/didSave',
    'workspace/didChangeWatchedFiles',
    'workspace/didChangeWorkspaceFolders',
    'workspace/didChangeConfiguration',
    '$/cancelRequest',
    '$/nothing',
  ]) {
    for (const params of malformed) await started.connection.sendNotification(method, params);
  }
  expect(initialized.capabilities).toBeDefined();
  expect(await codesOf(started)).toEqual(['AG1008', 'AG4010']);
});

test('answers a request that was canceled before it ran with RequestCancelled', async () => {
  const started = await start();
  await started.open(uri, configuration() + '# filling\n'.repeat(50_000));
  const source = new CancellationTokenSource();
  const first = pull(started);
  const second = started.connection.sendRequest(
    'textDocument/diagnostic',
    { textDocument: { uri } },
    source.token,
  );
  source.cancel();
  await expect(second).rejects.toMatchObject({ code: -32800 });
  expect(await first).toMatchObject({ kind: 'full' });
});
