/** A session with a language server that stops and restarts. */
import { setImmediate } from 'node:timers/promises';
import { memorySampleRequest } from '@authgraph/language-server/protocol';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Platform } from '../../extension/src/platform.ts';
import { startSession } from '../../extension/src/session.ts';
import { EventEmitter, editor, Uri } from './fake-vscode.ts';

vi.mock('vscode', () => import('./fake-vscode.ts'));
// The real module requires VS Code through Node.
vi.mock('vscode-languageclient', () => ({
  State: { Stopped: 1, Running: 2, Starting: 3 },
  DidChangeConfigurationNotification: { type: 'workspace/didChangeConfiguration' },
}));

const begin = async (platform: Pick<Platform, 'host' | 'files'> = onDisk) => {
  const requested: string[] = [];
  const starts: string[] = [];
  const stateChanged = new EventEmitter<{ readonly newState: number }>();
  const change = (newState: number): void => {
    client.state = newState;
    stateChanged.fire({ newState });
  };
  const client = {
    state: 1,
    start: async () => {
      if (client.state === 2) return;
      change(3);
      await setImmediate();
      starts.push(platform.files());
      change(2);
    },
    /** Throws like the real client. */
    stop: async () => {
      if (client.state === 3) throw new Error('Client is not running and cannot be stopped.');
      await setImmediate();
      change(1);
    },
    onDidChangeState: stateChanged.event,
    getFeature: () => ({ getProvider: () => undefined }),
    onNotification: () => ({ dispose: () => undefined }),
    onRequest: () => ({ dispose: () => undefined }),
    sendNotification: async (name: string) => {
      if (client.state === 1) throw new Error('Client is not running');
      requested.push(name);
    },
    sendRequest: async (name: string) => {
      requested.push(name);
      return name === memorySampleRequest ? `memory:${requested.length}` : { samples: [] };
    },
  };
  const registrations = {
    context: {
      extensionUri: Uri.file('/extension'),
      extension: { packageJSON: { contributes: { configuration: { properties: {} } } } },
      workspaceState: { get: () => undefined, update: async () => undefined },
    },
    identities: { visible: false, onDidChangeVisibility: new EventEmitter<void>().event },
    identitiesChanged: new EventEmitter<void>(),
    changeChanged: new EventEmitter<void>(),
    changes: {},
    resultChanged: new EventEmitter<unknown>(),
  };
  const session: Awaited<ReturnType<typeof startSession>> = await Reflect.apply(
    startSession,
    undefined,
    [registrations, { ...platform, createClient: () => client }],
  );
  return { session, requested, starts, change, client, changes: registrations.identitiesChanged };
};

const onDisk: Pick<Platform, 'host' | 'files'> = { host: 'desktop', files: () => 'server' };

beforeEach(() => editor.reset());

test('sends settings and samples to a restarted server', async () => {
  const { session, requested, change } = await begin();
  const token = `e30.${Buffer.from('{"sub":"ada"}').toString('base64url')}.`;
  editor.copies(token);
  await session.run('authgraph.sampleFromClipboard', []);
  requested.length = 0;
  change(1);
  expect(requested).toEqual([]);
  change(2);
  await vi.waitFor(() =>
    expect(requested.slice(0, 3)).toEqual([
      'workspace/didChangeConfiguration',
      memorySampleRequest,
      'authgraph/chooseSample',
    ]),
  );
  await session.stop();
});

test('reports a failed command without links', async () => {
  const { session } = await begin();
  const uri = Uri.file('/w/[jane](command:evil).claims.json').toString(true);
  await session.run('authgraph.editSample', [{ id: uri, name: 'jane', uri }]);
  expect(editor.messages.map(({ text }) => text)).toEqual([
    'AuthGraph: there is no /w/[jane] (command:evil).claims.json.',
  ]);
  await session.stop();
});

test('restarts the server when a virtual folder is added', async () => {
  let files: 'client' | 'server' = 'server';
  const { session, starts } = await begin({ host: 'desktop', files: () => files });
  editor.changeFolders();
  expect(starts).toEqual(['server']);
  files = 'client';
  editor.changeFolders();
  await vi.waitFor(() => expect(starts).toEqual(['server', 'client']));
  await session.stop();
});

test('restarts the server when other diagnostics are requested, and not for other settings', async () => {
  const { session, starts, requested } = await begin();
  editor.changeSetting('diagnostics.scope', 'workspace');
  await vi.waitFor(() => expect(starts).toHaveLength(2));
  requested.length = 0;
  editor.changeSetting('clock', 'now');
  await vi.waitFor(() => expect(requested).toContain('workspace/didChangeConfiguration'));
  expect(starts).toHaveLength(2);
  await session.stop();
});

test('restarts once at a time when settings, trust and folders change together', async () => {
  const failures: unknown[] = [];
  const onFailure = (cause: unknown): number => failures.push(cause);
  process.on('unhandledRejection', onFailure);
  const { session, starts, requested, changes } = await begin();
  let updates = 0;
  changes.event(() => {
    updates += 1;
  });
  editor.changeSetting('diagnostics.scope', 'workspace');
  editor.changeSetting('clock', 'now');
  editor.changeFolders();
  await setImmediate();
  editor.changeSetting('diagnostics.scope', 'openFiles');
  editor.changeSetting('clock', 'later');
  requested.length = 0;
  editor.grantTrust();
  await vi.waitFor(() => expect(starts.length).toBeGreaterThanOrEqual(3));
  await session.stop();
  expect(requested).toContain('workspace/didChangeConfiguration');
  expect(updates).toBeGreaterThanOrEqual(4);
  expect(editor.messages).toEqual([]);
  process.off('unhandledRejection', onFailure);
  expect(failures).toEqual([]);
});

test('restarts once for several changes that require the same server', async () => {
  const { session, starts } = await begin();
  editor.changeSetting('diagnostics.scope', 'workspace');
  editor.changeSetting('clock', 'now');
  await vi.waitFor(() => expect(starts).toHaveLength(2));
  await session.run('authgraph.restartServer', []);
  expect(starts).toHaveLength(3);
  await session.stop();
});

test('shows that the server does not start, and starts it after the next change', async () => {
  const { session, starts, client } = await begin();
  const { start } = client;
  client.start = () => Promise.reject(new Error('the server is missing'));
  editor.changeSetting('diagnostics.scope', 'workspace');
  await vi.waitFor(() =>
    expect(editor.messages.map(({ text }) => text)).toEqual(['AuthGraph: the server is missing.']),
  );
  client.start = start;
  editor.changeSetting('clock', 'now');
  await vi.waitFor(() => expect(starts).toHaveLength(2));
  await session.stop();
});

test.each([
  ['browser', 'client', "issuers can't be contacted from a browser: use an editor on the desktop"],
  [
    'desktop',
    'client',
    "issuers can't be contacted from a virtual workspace: open a folder on disk",
  ],
  ['desktop', 'server', undefined],
] as const)(
  'reports why issuers cannot be contacted: %s, files of the %s',
  async (host, files, why) => {
    const { session } = await begin({ host, files: () => files });
    await session.run('authgraph.checkIssuers', []);
    const first = editor.messages[0]?.text;
    if (why === undefined) expect(first).not.toContain('authgraph doctor');
    else expect(first).toBe(`AuthGraph: ${why}, or run authgraph doctor.`);
    await session.stop();
  },
);

const contextOf = (key: string): unknown =>
  editor.ran.findLast(([name, set]) => name === 'setContext' && set === `authgraph.${key}`)?.[2];

test('sets the context keys that the palette depends on', async () => {
  const { session } = await begin();
  const keys = ['hasConfiguration', 'hasSamples', 'hasMemorySamples', 'isLocal'];
  expect(keys.map(contextOf)).toEqual([false, false, false, true]);
  editor.type(editor.open('/w/auth.yaml', ''), 'kind: AuthenticationConfiguration\n');
  await vi.waitFor(() => expect(contextOf('hasConfiguration')).toBe(true));
  await session.stop();
});

test('sets the context key of a browser', async () => {
  const { session } = await begin({ host: 'browser', files: () => 'client' });
  expect(contextOf('isLocal')).toBe(false);
  await session.stop();
});
