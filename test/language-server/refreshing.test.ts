/** Lenses and hints are refreshed after each change of samples, in as few messages as possible. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import type { CodeLens } from 'vscode-languageserver';
import { signatureMismatch } from '../../language-server/src/protocol.ts';
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

const uri = `${workspaceUri}/auth.yaml`;
const configuration = `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer: { url: https://a.example, audiences: [app] }
  claimMappings: { username: { claim: sub, prefix: "a:" } }
`;
const claims = (name: string): string => `iss: https://a.example\naud: app\nsub: ${name}\n`;
const nameUri = (name: string): string => `${workspaceUri}/${name}.claims.yaml`;

interface Watched {
  readonly started: LanguageClient;
  readonly files: Map<string, string>;
  /** Returns the refreshes of both kinds since the last call. */
  refreshCounts(): readonly [lenses: number, hints: number];
}

const start = async (options: LanguageClientOptions = {}): Promise<Watched> => {
  const files = new Map([
    [nameUri('jane'), claims('jane')],
    [nameUri('zoe'), claims('zoe')],
  ]);
  let lenses = 0;
  let hints = 0;
  const answers = new Map<string, (params: unknown) => unknown>([
    ...(options.answers ?? []),
    ['workspace/codeLens/refresh', () => ++lenses && null],
    ['workspace/inlayHint/refresh', () => ++hints && null],
  ]);
  client = await languageClient({ files, ...options, answers });
  await client.open(uri, configuration);
  return {
    started: client,
    files,
    refreshCounts() {
      const found = [lenses, hints] as const;
      lenses = 0;
      hints = 0;
      return found;
    },
  };
};

/** Waits until the messages of the startup have arrived. */
const settled = async (watched: Watched): Promise<void> => {
  await watched.started.connection.sendRequest('authgraph/samples', {});
  await quiet(watched);
};

/** Waits until no more refreshes arrive, and returns their number. */
const quiet = async ({ started, refreshCounts }: Watched): Promise<readonly [number, number]> => {
  let [lenses, hints] = [0, 0];
  for (let empty = 0; empty < 3; ) {
    await delay(5);
    await titles(started);
    const [moreLenses, moreHints] = refreshCounts();
    lenses += moreLenses;
    hints += moreHints;
    empty = moreLenses + moreHints === 0 ? empty + 1 : 0;
  }
  return [lenses, hints];
};

const titles = async ({ connection }: LanguageClient): Promise<readonly string[]> => {
  const lenses = await connection.sendRequest<readonly CodeLens[]>('textDocument/codeLens', {
    textDocument: { uri },
  });
  return lenses.map(({ command }) => command?.title ?? '');
};

const memory = {
  name: 'eve',
  claims: '{"iss": "https://a.example", "aud": "app", "sub": "eve", "exp": 4102444800}',
};

const paths: readonly (readonly [
  string,
  (watched: Watched) => Promise<unknown>,
  expected: string,
])[] = [
  [
    'a sample is chosen',
    ({ started }) => started.connection.sendRequest('authgraph/chooseSample', { name: 'zoe' }),
    '✓ zoe → a:zoe · 1 group',
  ],
  [
    'no sample is current',
    ({ started }) => started.connection.sendRequest('authgraph/chooseSample', {}),
    'Select a sample',
  ],
  [
    'a sample is added to memory',
    ({ started }) => started.connection.sendRequest('authgraph/memorySample', memory),
    '3 of 3 samples accepted',
  ],
  [
    'a sample is added with a checked signature',
    async ({ started }) => {
      const signed = { ...memory, signature: 'signature checked with keys.jwks.json' };
      await started.connection.sendRequest('authgraph/memorySample', signed);
    },
    '3 of 3 samples accepted',
  ],
  [
    'a sample is added with an invalid signature',
    async ({ started }) => {
      const { connection } = started;
      const signed = { ...memory, signature: `${signatureMismatch} keys.jwks.json` };
      const id = await connection.sendRequest('authgraph/memorySample', signed);
      expect(await titles(started)).toContain('2 of 3 samples accepted');
      await connection.sendRequest('authgraph/chooseSample', { id });
    },
    '✗ eve rejected: signature does not match',
  ],
  [
    'a sample is edited',
    async ({ started }) => {
      await started.open(nameUri('jane'), claims('janet'));
    },
    '✓ jane → a:janet · 1 group',
  ],
  [
    'a sample file changes on disk',
    async ({ started, files }) => {
      files.set(nameUri('jane'), claims('june'));
      await started.connection.sendNotification('workspace/didChangeWatchedFiles', {
        changes: [{ uri: nameUri('jane'), type: 2 }],
      });
    },
    '✓ jane → a:june · 1 group',
  ],
  [
    'a sample file is created',
    async ({ started, files }) => {
      files.set(nameUri('ada'), claims('ada'));
      await started.connection.sendNotification('workspace/didChangeWatchedFiles', {
        changes: [{ uri: nameUri('ada'), type: 1 }],
      });
    },
    '3 of 3 samples accepted',
  ],
  [
    'a sample file is deleted',
    async ({ started, files }) => {
      files.delete(nameUri('zoe'));
      await started.connection.sendNotification('workspace/didChangeWatchedFiles', {
        changes: [{ uri: nameUri('zoe'), type: 3 }],
      });
    },
    '1 of 1 sample accepted',
  ],
  [
    'the settings change',
    ({ started }) =>
      started.connection.sendNotification('workspace/didChangeConfiguration', {
        settings: { authgraph: { samples: { files: ['**/zoe.*'] } } },
      }),
    '✓ zoe → a:zoe · 1 group',
  ],
];

test.each(paths)('refreshes lenses and hints when %s', async (what, act, expected) => {
  const sent = what === 'the settings change';
  const watched = await start(sent ? { capabilities: capabilitiesWithoutPull } : {});
  await settled(watched);
  expect(await titles(watched.started)).not.toContain(expected);
  await act(watched);
  const [lenses, hints] = await quiet(watched);
  expect(lenses).toBeGreaterThanOrEqual(1);
  expect(hints).toBe(lenses);
  expect(await titles(watched.started)).toContain(expected);
});

/** The client sends settings instead of answering requests for them. */
const capabilitiesWithoutPull = {
  workspace: { codeLens: { refreshSupport: true }, inlayHint: { refreshSupport: true } },
};

test('removes a dropped sample from the lenses', async () => {
  const watched = await start();
  const { connection } = watched.started;
  await settled(watched);
  const id = await connection.sendRequest('authgraph/memorySample', memory);
  await connection.sendRequest('authgraph/chooseSample', { id });
  await quiet(watched);
  expect(await titles(watched.started)).toContain('✓ eve → a:eve · 1 group');
  await connection.sendRequest('authgraph/removeSample', { id });
  expect(await quiet(watched)).toEqual([1, 1]);
  expect((await titles(watched.started)).join()).not.toContain('eve');
});

test('combines concurrent changes into one refresh', async () => {
  const watched = await start();
  await settled(watched);
  const { connection } = watched.started;
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  try {
    await Promise.all(
      ['jane', 'zoe', 'jane', 'zoe'].map((name) =>
        connection.sendRequest('authgraph/chooseSample', { name }),
      ),
    );
    expect(watched.refreshCounts()).toEqual([0, 0]);
    vi.runOnlyPendingTimers();
  } finally {
    vi.useRealTimers();
  }
  expect(await quiet(watched)).toEqual([1, 1]);
});

test.each([
  ['finds samples', [nameUri('jane')], '✓ jane → a:jane · 1 group'],
  ['finds none', [], 'Select or create a sample'],
  ['fails', undefined, 'Select or create a sample'],
])('updates the lens after a first search that %s', async (_, found, expected) => {
  const search = Promise.withResolvers<readonly string[]>();
  const watched = await start({
    initializationOptions: { files: 'client' },
    answers: new Map<string, (params: unknown) => unknown>([
      ['authgraph/findFiles', () => search.promise],
      ['authgraph/readFile', () => ({ text: claims('jane') })],
    ]),
  });
  await quiet(watched);
  expect(await titles(watched.started)).toEqual(['Reading samples…', 'Show graph']);
  if (found === undefined) search.reject(new Error('no files'));
  else search.resolve(found);
  await expect.poll(() => titles(watched.started)).toContain(expected);
  expect((await quiet(watched))[0]).toBeGreaterThanOrEqual(1);
});
