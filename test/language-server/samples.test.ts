/** Samples: found, parsed, selected and removed. */
import { afterEach, expect, test } from 'vitest';
import type { SamplesAnswer } from '../../language-server/src/protocol.ts';
import { type LanguageClient, languageClient, workspaceUri } from '../support/language-client.ts';

let client: LanguageClient | undefined;
afterEach(async () => {
  expect(client?.log ?? []).toEqual([]);
  await client?.close();
  client = undefined;
});

const uriOf = (name: string): string => `${workspaceUri}/${name}`;

const start = async (
  files: Readonly<Record<string, string>>,
  settings: object = {},
): Promise<LanguageClient> => {
  client = await languageClient({
    settings,
    files: new Map(Object.entries(files).map(([name, text]) => [uriOf(name), text])),
  });
  return client;
};

const samplesOf = ({ connection }: LanguageClient): Promise<SamplesAnswer> =>
  connection.sendRequest<SamplesAnswer>('authgraph/samples', {});

/** One line per row: `* jane file problem`. */
const printed = async (of: LanguageClient): Promise<readonly string[]> => {
  const { samples, current } = await samplesOf(of);
  return samples.map(({ id, name, uri, problem }) =>
    [id === current ? '*' : '-', name, uri === undefined ? 'memory' : 'file', problem]
      .filter((word) => word !== undefined)
      .join(' '),
  );
};

test('lists samples by name, the first of which is current', async () => {
  const started = await start({
    'b/zoe.claims.yaml': 'sub: zoe\n',
    'jane.claims.json': '{"sub":"jane","iss":"https://issuer.example","exp":1767225600}',
    'auth.yaml': 'kind: AuthenticationConfiguration\n',
    'adam.claims.yml': 'sub: adam\n',
  });
  expect(await printed(started)).toEqual(['* adam file', '- jane file', '- zoe file']);
  const { samples } = await samplesOf(started);
  expect(samples[1]).toEqual({
    id: uriOf('jane.claims.json'),
    name: 'jane',
    uri: uriOf('jane.claims.json'),
    issuer: 'https://issuer.example',
    expires: 1767225600,
  });
});

test('adds the folder to samples of the same name', async () => {
  const started = await start({
    'a/jane.claims.yaml': 'sub: a\n',
    'b/jane.claims.yaml': 'sub: b\n',
    'zoe.claims.yaml': 'sub: zoe\n',
  });
  expect(await printed(started)).toEqual(['* a/jane file', '- b/jane file', '- zoe file']);
});

test('recognizes samples by the setting', async () => {
  const started = await start(
    { 'people/jane.json': '{"sub":"jane"}', 'zoe.claims.yaml': 'sub: zoe\n' },
    { samples: { files: ['people/*.json'] } },
  );
  expect(await printed(started)).toEqual(['* jane file']);
});

test.each([
  ['by id', { id: uriOf('zoe.claims.yaml') }, ['- adam file', '* zoe file']],
  ['by name', { name: 'zoe' }, ['- adam file', '* zoe file']],
  ['none', {}, ['- adam file', '- zoe file']],
])('selects a sample: %s', async (_, choice, expected) => {
  const started = await start({ 'zoe.claims.yaml': 'sub: zoe\n', 'adam.claims.yaml': 'sub: a\n' });
  await started.connection.sendRequest('authgraph/chooseSample', choice);
  expect(await printed(started)).toEqual(expected);
});

test('rejects an unknown sample', async () => {
  const started = await start({ 'zoe.claims.yaml': 'sub: zoe\n', 'adam.claims.yaml': 'sub: a\n' });
  await started.connection.sendRequest('authgraph/chooseSample', { name: 'zoe' });
  await expect(
    started.connection.sendRequest('authgraph/chooseSample', { name: 'unknown' }),
  ).rejects.toThrow('there is no such sample');
  expect(await printed(started)).toEqual(['- adam file', '* zoe file']);
});

test('uses an open document instead of its file until it is closed', async () => {
  const started = await start({ 'jane.claims.json': '{"sub":"jane","iss":"file"}' });
  const uri = uriOf('jane.claims.json');
  const issuers = async () => (await samplesOf(started)).samples.map(({ issuer }) => issuer);
  await started.open(uri, '{"sub":"jane","iss":"open"}', 'json');
  expect(await issuers()).toEqual(['open']);
  await started.connection.sendNotification('textDocument/didChange', {
    textDocument: { uri, version: 2 },
    contentChanges: [{ text: '{"sub":"jane","iss":"typed"}' }],
  });
  expect(await issuers()).toEqual(['typed']);
  await started.connection.sendNotification('textDocument/didClose', { textDocument: { uri } });
  expect(await issuers()).toEqual(['file']);
});

test('uses an unsaved sample while it is open', async () => {
  const started = await start({});
  const uri = 'untitled:new.claims.yaml';
  await started.open(uri, 'sub: new\n');
  expect(await printed(started)).toEqual(['* new file']);
  await started.connection.sendNotification('textDocument/didClose', { textDocument: { uri } });
  expect(await printed(started)).toEqual([]);
});

test('keeps the last valid claims of an incomplete sample, and reports the error', async () => {
  const started = await start({});
  const uri = uriOf('jane.claims.json');
  await started.open(uri, '{"sub":"jane","iss":"whole"}', 'json');
  await started.connection.sendNotification('textDocument/didChange', {
    textDocument: { uri, version: 2 },
    contentChanges: [{ text: '{"sub":"jane","iss":' }],
  });
  const { samples, current } = await samplesOf(started);
  expect(samples).toEqual([
    {
      id: uri,
      name: 'jane',
      uri,
      issuer: 'whole',
      problem: 'unexpected end of JSON input',
    },
  ]);
  expect(current).toBe(uri);
});

const token = `${btoa('{"alg":"RS256","typ":"JWT"}')}.${btoa('{"sub":"jane"}')}.c2lnbmF0dXJl`
  .replaceAll('=', '')
  .replaceAll('+', '-')
  .replaceAll('/', '_');

test.each([
  ['list.claims.yaml', '- sub\n', 'claims must be a map, such as `sub: jane`'],
  ['list.claims.json', '[1]', 'claims must be a JSON object, such as {"sub": "jane"}'],
  ['yaml.claims.json', 'sub: jane', 'claims must be a JSON object, such as {"sub": "jane"}'],
  ['empty.claims.yaml', '', 'claims must be a map, such as `sub: jane`'],
  ['broken.claims.json', '{"sub" "jane"}', `invalid character '"' after object key`],
  ['twice.claims.yaml', 'sub: a\nsub: b\n', 'line 2: key "sub" already set in map'],
  [
    'token.claims.json',
    `${token}\n`,
    'the file contains a token. Replace it with its claims: the decoded part between the first and the second dot.',
  ],
  [
    'long.claims.json',
    `{"sub":"${'x'.repeat(300_000)}"}`,
    "the file can't be read or is longer than 262144 characters",
  ],
])('lists the invalid sample %s with its error', async (name, text, problem) => {
  const started = await start({ [name]: text });
  const short = name.slice(0, name.indexOf('.'));
  expect(await printed(started)).toEqual([`- ${short} file ${problem}`]);
  await started.open(uriOf(name), text);
  const { items } = await started.connection.sendRequest<{ items: readonly object[] }>(
    'textDocument/diagnostic',
    { textDocument: { uri: uriOf(name) } },
  );
  expect(items).toMatchObject([{ message: `not a valid sample: ${problem}`, severity: 1 }]);
});

test('preserves numbers and unusual names of YAML claims', async () => {
  const started = await start({
    'unusual.claims.yaml':
      'sub: jane\niss: 9007199254740993\nexp: 1767225600\n__proto__: {admin: true}\nconstructor: 1\n',
  });
  const { samples } = await samplesOf(started);
  expect(samples).toMatchObject([{ name: 'unusual', expires: 1767225600 }]);
});

test('lists claims in memory until they are dropped', async () => {
  const started = await start({ 'zoe.claims.yaml': 'sub: zoe\n' });
  const { connection } = started;
  const id = await connection.sendRequest<string>('authgraph/memorySample', {
    name: 'pasted',
    claims: '{"sub":"jane","iss":"https://issuer.example.com"}',
  });
  await connection.sendRequest('authgraph/chooseSample', { id });
  expect(await printed(started)).toEqual(['* pasted memory', '- zoe file']);
  expect(await connection.sendRequest('authgraph/removeSample', { id })).toBe(true);
  expect(await connection.sendRequest('authgraph/removeSample', { id })).toBe(false);
  expect(await printed(started)).toEqual(['* zoe file']);
});

test.each([
  ['a token', { name: 'x', claims: token }, 'this is or contains a token'],
  [
    'claims that hold a token',
    { name: 'x', claims: `{"act":"${token}"}` },
    'this is or contains a token',
  ],
  ['a token as the name', { name: token, claims: '{}' }, 'this is or contains a token'],
  ['a list', { name: 'x', claims: '[1]' }, 'the claims are not a JSON object'],
  ['no name', { name: '', claims: '{}' }, 'a sample has a name'],
  ['a long name', { name: 'x'.repeat(201), claims: '{}' }, 'a sample has a name'],
  ['too much', { name: 'x', claims: `{"a":"${'x'.repeat(262_144)}"}` }, 'the claims are longer'],
  [
    'an object instead of a string',
    { name: 'x', claims: { sub: 'jane' } },
    'a sample has a name and',
  ],
  ['nothing', null, 'a sample has a name and'],
])('INV-E3 rejects %s', async (_, params, problem) => {
  const started = await start({});
  const stored = started.connection.sendRequest('authgraph/memorySample', params);
  await expect(stored).rejects.toThrow(problem);
  await expect(stored).rejects.not.toThrow(token);
  expect(await printed(started)).toEqual([]);
});

test('holds at most 100 samples in memory', async () => {
  const started = await start({});
  const remember = (name: string): Promise<string> =>
    started.connection.sendRequest<string>('authgraph/memorySample', { name, claims: '{}' });
  for (let made = 0; made < 100; made += 1) await remember(`s${made}`);
  await expect(remember('one more')).rejects.toThrow('no more than 100 samples');
});

/** A client that finds its files on demand. */
const startSlow = async () => {
  const found = Promise.withResolvers<readonly string[]>();
  const started = await languageClient({
    initializationOptions: { files: 'client' },
    answers: new Map<string, (params: unknown) => unknown>([
      ['authgraph/findFiles', () => found.promise],
      ['authgraph/readFile', () => ({ text: 'sub: jane\n' })],
    ]),
  });
  client = started;
  const find = (...names: readonly string[]): void =>
    found.resolve(names.map((name) => uriOf(`${name}.claims.yaml`)));
  const choose = (name: string): Promise<SamplesAnswer> =>
    started.connection.sendRequest('authgraph/chooseSample', { name });
  return { started, find, choose };
};

test('does not apply a selection that waited for the search after a later one', async () => {
  const { started, find, choose } = await startSlow();
  await started.open(uriOf('zoe.claims.yaml'), 'sub: zoe\n');
  const late = choose('jane');
  await choose('zoe');
  find('adam', 'jane');
  expect((await late).current).toBe(uriOf('zoe.claims.yaml'));
  expect(await printed(started)).toEqual(['- adam file', '- jane file', '* zoe file']);
});

test('applies the last of several selections that waited for the search', async () => {
  const { started, find, choose } = await startSlow();
  const choices = ['jane', 'zoe', 'unknown'].map(choose);
  find('adam', 'jane', 'zoe');
  const settled = await Promise.allSettled(choices);
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
  expect(await printed(started)).toEqual(['- adam file', '- jane file', '* zoe file']);
});

test('notifies the client and refreshes its hints', async () => {
  const started = await start({ 'zoe.claims.yaml': 'sub: zoe\n' });
  await samplesOf(started);
  const notified = new Promise<void>((resolve) => {
    started.connection.onNotification('authgraph/samplesChanged', () => resolve());
  });
  const refreshed = new Promise<void>((resolve) => {
    started.connection.onRequest('workspace/inlayHint/refresh', () => {
      resolve();
      return null;
    });
  });
  await started.connection.sendRequest('authgraph/chooseSample', {});
  await Promise.all([notified, refreshed]);
});
