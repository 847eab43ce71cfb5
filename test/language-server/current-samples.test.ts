/**
 * The current samples: each authenticator shows the one selected last for its issuer, and each
 * workspace folder of a window has samples and counts of its own.
 */
import { afterEach, describe, expect, test } from 'vitest';
import type { CodeLens, Hover, InlayHint } from 'vscode-languageserver';
import type {
  SamplesAnswer,
  VerdictsReport,
  WhoamiReport,
} from '../../language-server/src/protocol.ts';
import { type SampleRequests, serveSamples } from '../../language-server/src/sample-requests.ts';
import { createSampleStore } from '../../language-server/src/samples.ts';
import { type LanguageClient, languageClient } from '../support/language-client.ts';

let client: LanguageClient | undefined;
afterEach(async () => {
  expect(client?.log ?? []).toEqual([]);
  await client?.close();
  client = undefined;
});

const issuerOf = (provider: number): string => `https://provider-${provider}.example`;

const entry = (provider: number): string => `
  - issuer:
      url: ${issuerOf(provider)}
      audiences: [cluster]
    claimValidationRules:
      - expression: claims.active == true
        message: not active
    claimMappings:
      username:
        expression: '"${provider}:" + claims.sub'`;

const configurationOf = (providers: readonly number[]): string =>
  `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:${providers.map(entry).join('')}
`;

const claimsOf = (provider: number, sub: string, active: boolean): string =>
  `iss: ${issuerOf(provider)}\naud: cluster\nsub: ${sub}\nactive: ${active}\n`;

const start = async (
  files: Readonly<Record<string, string>>,
  folders: readonly string[],
): Promise<LanguageClient> => {
  client = await languageClient({ folders, files: new Map(Object.entries(files)) });
  return client;
};

const choose = ({ connection }: LanguageClient, choice: object): Promise<SamplesAnswer> =>
  connection.sendRequest('authgraph/chooseSample', choice);

const samplesOf = ({ connection }: LanguageClient, params: object): Promise<SamplesAnswer> =>
  connection.sendRequest('authgraph/samples', params);

/** The names of the samples; the current one is marked. */
const namesFor = async (of: LanguageClient, params: object): Promise<readonly string[]> => {
  const { samples, current } = await samplesOf(of, params);
  return samples.map(({ id, name }) => (id === current ? `* ${name}` : name));
};

/** The values of the usernames, also of rejected samples. */
const hintsIn = async ({ connection }: LanguageClient, uri: string): Promise<readonly string[]> => {
  const hints = await connection.sendRequest<readonly InlayHint[]>('textDocument/inlayHint', {
    textDocument: { uri },
    range: { start: { line: 0, character: 0 }, end: { line: 1000, character: 0 } },
  });
  return hints.map(({ label }) => String(label)).filter((label) => label.startsWith('→'));
};

const lensesIn = async (
  { connection }: LanguageClient,
  uri: string,
): Promise<readonly string[]> => {
  const lenses = await connection.sendRequest<readonly CodeLens[]>('textDocument/codeLens', {
    textDocument: { uri },
  });
  return lenses
    .map(({ command }) => command?.title ?? '')
    .filter((title) => title !== 'Explain' && title !== 'Show graph');
};

describe('ten authenticators', () => {
  const folder = 'file:///workspace';
  const uri = `${folder}/auth.yaml`;
  const providers = Array.from({ length: 10 }, (_, index) => index);
  const text = configurationOf(providers);
  /** The first sample by name of each issuer is rejected. */
  const files = Object.fromEntries(
    providers.flatMap((provider) => [
      [`${folder}/ada-${provider}.claims.yaml`, claimsOf(provider, 'ada', false)],
      [`${folder}/bob-${provider}.claims.yaml`, claimsOf(provider, 'bob', true)],
      [`${folder}/cid-${provider}.claims.yaml`, claimsOf(provider, 'cid', true)],
    ]),
  );
  const open = async (): Promise<LanguageClient> => {
    const started = await start(files, [folder]);
    await started.open(uri, text);
    await samplesOf(started, {});
    return started;
  };
  const bobs = providers.map((provider) => `→ "${provider}:bob"`);

  test('all show the values of a sample that they accept', async () => {
    const started = await open();
    expect(await hintsIn(started, uri)).toEqual(bobs);
    const verdicts = (await lensesIn(started, uri)).filter((title) => title.startsWith('✓'));
    expect(verdicts).toEqual(
      providers.map((provider) => `✓ bob-${provider} → ${provider}:bob · 1 group`),
    );
  });

  test('each shows the sample that was selected last for its issuer', async () => {
    const started = await open();
    for (const name of ['cid-3', 'cid-7', 'ada-5', 'cid-5', 'bob-7', 'cid-7']) {
      await choose(started, { name });
    }
    expect(await hintsIn(started, uri)).toEqual(
      bobs.map((hint, provider) => ([3, 5, 7].includes(provider) ? `→ "${provider}:cid"` : hint)),
    );
    await choose(started, { name: 'ada-3' });
    expect(await hintsIn(started, uri)).toEqual([
      ...bobs.slice(0, 3),
      '→ "3:ada"',
      bobs[4],
      '→ "5:cid"',
      bobs[6],
      '→ "7:cid"',
      ...bobs.slice(8),
    ]);
    expect((await samplesOf(started, { uri })).current).toBe(`${folder}/ada-3.claims.yaml`);
    const { rows } = await started.connection.sendRequest<WhoamiReport>('authgraph/whoami', {
      uri,
    });
    expect(rows.map(({ sample }) => sample.name)).toEqual(['ada-3']);
  });

  test('each has its own value in hovers and completion', async () => {
    const started = await open();
    await choose(started, { name: 'cid-9' });
    for (const [provider, name] of [
      [0, 'bob'],
      [9, 'cid'],
    ] as const) {
      const lines = text.split('\n');
      const line = lines.findIndex((each) => each.includes(`"${provider}:" + claims.sub`));
      const position = { line, character: lines[line]?.indexOf('sub') ?? 0 };
      const hover = await started.connection.sendRequest<Hover>('textDocument/hover', {
        textDocument: { uri },
        position,
      });
      expect(JSON.stringify(hover.contents)).toContain(`**\`${name}-${provider}\`** → `);
      const { items } = await started.connection.sendRequest<{
        items: readonly { label: string; labelDetails?: { description?: string } }[];
      }>('textDocument/completion', { textDocument: { uri }, position });
      expect(JSON.stringify(items.find(({ label }) => label === 'sub'))).toContain(name);
    }
  });

  test('selections are applied again after a restart, the last one last', async () => {
    const started = await open();
    const earlier = ['unknown', 'cid-1', 'cid-2', `${folder}/ada-2.claims.yaml`];
    expect((await choose(started, { name: 'cid-0', earlier })).current).toBe(
      `${folder}/cid-0.claims.yaml`,
    );
    expect((await hintsIn(started, uri)).slice(0, 4)).toEqual([
      '→ "0:cid"',
      '→ "1:cid"',
      '→ "2:ada"',
      '→ "3:bob"',
    ]);
    await expect(choose(started, { name: 'unknown', earlier: ['cid-4'] })).rejects.toThrow(
      'there is no such sample',
    );
    expect((await hintsIn(started, uri))[4]).toBe('→ "4:cid"');
  });

  test.each([
    ['a list of numbers', [1, 2]],
    ['no list', 'cid-4'],
    ['too many', Array.from({ length: 100_000 }, () => 'x')],
  ])('earlier selections that are %s are ignored', async (_, earlier) => {
    const started = await open();
    await choose(started, { name: 'cid-0', earlier });
    expect((await hintsIn(started, uri)).slice(0, 2)).toEqual(['→ "0:cid"', '→ "1:bob"']);
  });

  test('none shows values while no sample is selected', async () => {
    const started = await open();
    await choose(started, { name: 'cid-3' });
    await choose(started, {});
    expect(await hintsIn(started, uri)).toEqual([]);
    await choose(started, { name: 'ada-0' });
    expect((await hintsIn(started, uri)).slice(0, 4)).toEqual(['→ "0:ada"', ...bobs.slice(1, 4)]);
  });

  test('an authenticator without an accepted sample shows its first one', async () => {
    const rejected = Object.fromEntries(
      Object.entries(files).filter(([name]) => !/(?:bob|cid)-4/.test(name)),
    );
    const started = await start(rejected, [folder]);
    await started.open(uri, text);
    await samplesOf(started, {});
    expect((await hintsIn(started, uri))[4]).toBe('→ "4:ada"');
  });
});

test('samples that are restored late are older than the one selected meanwhile', async () => {
  const requests = new Map<string, (params: object, token: object) => Promise<SamplesAnswer>>();
  const store = createSampleStore(() => undefined);
  const searched = Promise.withResolvers<void>();
  serveSamples({
    connection: { onRequest: requests.set.bind(requests) },
    handlers: { ensureActive: () => undefined, guarded: () => undefined },
    store,
    whenIdle: () => searched.promise,
  } as unknown as SampleRequests);
  const ids = ['a', 'b', 'c'].map((name) => {
    const stored = store.remember({ name, claims: '{}' });
    return 'id' in stored ? stored.id : '';
  });
  const send = requests.get('authgraph/chooseSample');
  const restored = send?.({ name: 'b', earlier: ['a', 'gone'] }, {});
  await send?.({ name: 'c' }, {});
  searched.resolve();
  expect((await restored)?.current).toBe(ids[2]);
  expect(store.set.recent.map(({ name }) => name)).toEqual(['c', 'b', 'a']);
});

describe('two workspace folders', () => {
  const [one, other] = ['file:///projects/one', 'file:///projects/other'] as const;
  const text = configurationOf([0]);
  const files = {
    [`${one}/samples/ada.claims.yaml`]: claimsOf(0, 'ada', false),
    [`${one}/samples/bob.claims.yaml`]: claimsOf(0, 'bob-of-one', true),
    [`${other}/samples/ada.claims.yaml`]: claimsOf(0, 'ada-of-other', true),
    [`${other}/samples/zoe.claims.yaml`]: claimsOf(0, 'zoe', true),
  };
  const [ofOne, ofOther] = [`${one}/auth.yaml`, `${other}/auth.yaml`];
  const open = async (
    more: Readonly<Record<string, string>> = {},
    folders: readonly string[] = [one, other],
  ): Promise<LanguageClient> => {
    const started = await start({ ...files, ...more }, folders);
    await started.open(ofOne, text);
    await started.open(ofOther, text);
    await samplesOf(started, {});
    return started;
  };

  test('have samples with distinct names', async () => {
    const started = await open();
    expect(await namesFor(started, {})).toEqual(['* bob', 'one · ada', 'other · ada', 'zoe']);
    expect(await namesFor(started, { uri: ofOne })).toEqual(['* bob', 'one · ada']);
    expect(await namesFor(started, { uri: ofOther })).toEqual(['* other · ada', 'zoe']);
  });

  test('count and show only their own samples', async () => {
    const started = await open();
    expect(await lensesIn(started, ofOne)).toEqual([
      '✓ bob → 0:bob-of-one · 1 group',
      '1 of 2 samples accepted',
    ]);
    expect(await lensesIn(started, ofOther)).toEqual([
      '✓ other · ada → 0:ada-of-other · 1 group',
      '2 of 2 samples accepted',
    ]);
    const { rows } = await started.connection.sendRequest<VerdictsReport>('authgraph/verdicts', {
      uri: ofOther,
      samples: 'all',
    });
    expect(rows.map(({ sample }) => sample.name)).toEqual(['other · ada', 'zoe']);
  });

  test('have current samples of their own', async () => {
    const started = await open();
    await choose(started, { name: 'zoe' });
    expect(await hintsIn(started, ofOne)).toEqual(['→ "0:bob-of-one"']);
    expect(await hintsIn(started, ofOther)).toEqual(['→ "0:zoe"']);
    await choose(started, { name: 'one · ada' });
    expect(await hintsIn(started, ofOne)).toEqual(['→ "0:ada"']);
    expect(await hintsIn(started, ofOther)).toEqual(['→ "0:zoe"']);
    expect(await namesFor(started, { uri: ofOther })).toEqual(['other · ada', '* zoe']);
    expect(await namesFor(started, {})).toEqual(['bob', '* one · ada', 'other · ada', 'zoe']);
  });

  test('share samples in memory', async () => {
    const started = await open();
    const id = await started.connection.sendRequest('authgraph/memorySample', {
      name: 'pasted',
      claims: JSON.stringify({ iss: issuerOf(0), aud: 'cluster', sub: 'pasted', active: true }),
    });
    await choose(started, { id });
    for (const uri of [ofOne, ofOther]) {
      expect(await hintsIn(started, uri)).toEqual(['→ "0:pasted"']);
    }
  });

  test('use the samples of the workspace, or of the folders in their settings, if they have none', async () => {
    const third = 'file:///projects/third';
    const settings = 'sampleFolders: [../../one/samples]\n';
    const started = await open({ [`${third}/fixed/.authgraph.yaml`]: settings }, [
      one,
      other,
      third,
    ]);
    await started.open(`${third}/auth.yaml`, text);
    await started.open(`${third}/fixed/auth.yaml`, text);
    expect(await namesFor(started, { uri: `${third}/auth.yaml` })).toEqual(
      await namesFor(started, {}),
    );
    expect(await namesFor(started, { uri: `${third}/fixed/auth.yaml` })).toEqual([
      '* bob',
      'one · ada',
    ]);
  });

  test('are followed when a folder is removed', async () => {
    const started = await open();
    await started.connection.sendNotification('workspace/didChangeWorkspaceFolders', {
      event: { added: [], removed: [{ uri: other, name: 'other' }] },
    });
    expect(await namesFor(started, { uri: ofOne })).toEqual(['* ada', 'bob']);
  });
});
