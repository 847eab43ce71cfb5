/** Configurations that are not open: which files count, and how often they are compiled. */
import { expect, test } from 'vitest';
import { createClosedConfigurations } from '../../language-server/src/closed-configurations.ts';
import { createCompileGuard } from '../../language-server/src/compile-guard.ts';
import { createConfigurations } from '../../language-server/src/configurations.ts';
import { defaultOptions } from '../../language-server/src/editor-options.ts';
import { initialState } from '../../language-server/src/editor-state.ts';
import type { WorkspaceFiles } from '../../language-server/src/files.ts';
import { foldersAt } from '../../language-server/src/folders.ts';
import type { FileKinds } from '../../language-server/src/input-files.ts';
import { limits } from '../../language-server/src/limits.ts';

const kind = 'kind: AuthenticationConfiguration\n';

const closedIn = (
  texts: Map<string, string>,
  open: readonly string[] = [],
  { isTruncated = false }: { readonly isTruncated?: boolean } = {},
) => {
  const compiled: string[] = [];
  const reads: string[] = [];
  const find = () => Promise.resolve({ uris: [...texts.keys()], isTruncated });
  const files: WorkspaceFiles = {
    find,
    read: (uri, mostBytes) => {
      reads.push(uri);
      const text = texts.get(uri);
      if (text === undefined) return Promise.resolve(undefined);
      return Promise.resolve(text.length > mostBytes ? 'too long' : { uri, text });
    },
  };
  const closed = createClosedConfigurations<{ readonly uri: string; readonly text: string }>({
    files: () => files,
    folders: () => foldersAt(['file:///']),
    globs: () => ['**/*'],
    openUris: () => open,
    isExpected: (uri) => uri.endsWith('expected.yaml'),
    isWatched: () => true,
    forget: () => undefined,
    compile(uri, text, before) {
      if (before?.text === text) return before;
      compiled.push(uri);
      return text.includes('empty') ? undefined : { uri, text };
    },
  });
  const read = async (signal = new AbortController().signal) =>
    (await closed.read(signal)).compiled.map(({ uri }) => uri);
  const skipped = async () => (await closed.read(new AbortController().signal)).skipped;
  return { ...closed, read, compiled, reads, passedOver: skipped };
};

test('keeps the configurations of the texts that were compared last', async () => {
  const { partsOfComparedText } = createConfigurations({
    state: initialState(),
    documents: { get: () => undefined, keys: () => [] },
    kinds: { isConfiguration: () => true } as unknown as FileKinds,
    optionsOf: () => defaultOptions,
    guard: createCompileGuard({ analyze: undefined, onSettled: () => undefined }),
    now: () => 0,
    onSkipped: () => undefined,
  });
  const compared = (at: number) => partsOfComparedText(`file:///${at}.yaml`, kind);
  const first = await compared(0);
  const second = await compared(1);
  for (let at = 2; at < limits.comparedTexts; at += 1) await compared(at);
  expect(await compared(0)).toBe(first);
  await compared(limits.comparedTexts);
  expect(await compared(0)).toBe(first);
  expect(await compared(1)).not.toBe(second);
});

test('compiles possible configurations, and again only after their text changed', async () => {
  const texts = new Map([
    ['file:///a.yaml', kind],
    ['file:///pod.yaml', 'kind: Pod\n'],
    ['file:///expected.yaml', 'jwt: []\n'],
    ['file:///empty.yaml', `# empty ${kind}`],
  ]);
  const { read, compiled } = closedIn(texts);
  expect(await read()).toEqual(['file:///a.yaml', 'file:///expected.yaml']);
  texts.set('file:///a.yaml', `${kind}jwt: []\n`);
  texts.delete('file:///expected.yaml');
  texts.delete('file:///empty.yaml');
  expect(await read()).toEqual(['file:///a.yaml']);
  expect(await read()).toEqual(['file:///a.yaml']);
  expect(compiled).toEqual([
    'file:///a.yaml',
    'file:///expected.yaml',
    'file:///empty.yaml',
    'file:///a.yaml',
  ]);
});

test('leaves out open documents, however their URI is escaped', async () => {
  const { read } = closedIn(new Map([['file:///a%20b.yaml', kind]]), ['file:///a b.yaml']);
  expect(await read()).toEqual([]);
});

test('compiles at most as many as the limit allows, and none for a canceled request', async () => {
  const many = Array.from({ length: limits.closedConfigurations + 20 }, (_, at) => at);
  const texts = new Map(many.map((at) => [`file:///${at}.yaml`, kind]));
  const { read, compiled, passedOver } = closedIn(texts);
  expect(await read()).toHaveLength(limits.closedConfigurations);
  expect(compiled).toHaveLength(limits.closedConfigurations);
  expect(await passedOver()).toEqual({
    kind: 'too many',
    uri: `file:///${limits.closedConfigurations}.yaml`,
  });
  expect(await closedIn(texts).read(AbortSignal.abort())).toEqual([]);
});

test('reports files that a limit hides, and no others', async () => {
  const long = ' '.repeat(limits.closedBytes + 1);
  const texts = new Map([
    ['file:///a.yaml', kind],
    ['file:///pod.yaml', 'kind: Pod\n'],
  ]);
  expect(await closedIn(texts).passedOver()).toBeUndefined();
  expect(await closedIn(texts, [], { isTruncated: true }).passedOver()).toEqual({
    kind: 'search truncated',
  });
  texts.set('file:///long.json', long);
  expect(await closedIn(texts).passedOver()).toEqual({
    kind: 'too long',
    uri: 'file:///long.json',
  });
  expect(await closedIn(texts, ['file:///long.json']).passedOver()).toBeUndefined();
});

test('stops reading at the limit of one search, and says that files are missing', async () => {
  const text = ' '.repeat(limits.closedBytes);
  const most = limits.closedReadLength / limits.closedBytes;
  const texts = new Map(Array.from({ length: 3 * most }, (_, at) => [`file:///${at}.json`, text]));
  const { passedOver, reads } = closedIn(texts);
  expect(await passedOver()).toEqual({ kind: 'search truncated' });
  expect(reads).toHaveLength(most);
});

test('stores texts up to a limit, and reads the others when there is room', async () => {
  const text = `${kind}${' '.repeat(limits.closedBytes - kind.length)}`;
  const most = limits.closedLength / limits.closedBytes;
  const uriAt = (at: number): string => `file:///${String.fromCharCode(97 + at)}.yaml`;
  const texts = new Map(Array.from({ length: most + 1 }, (_, at) => [uriAt(at), text]));
  const { recent, change } = closedIn(texts);
  const before = await recent();
  expect(before.compiled).toHaveLength(most);
  expect(before.skipped).toEqual({ kind: 'too many', uri: uriAt(most) });
  texts.delete(uriAt(0));
  change([uriAt(0)]);
  const after = await recent();
  expect(after.compiled.map(({ uri }) => uri)).toEqual([...texts.keys()]);
  expect(after.skipped).toBeUndefined();
});

test('reads a file again that changes while files are being read', async () => {
  const texts = new Map([['file:///a.yaml', kind]]);
  const { recent, change, reads } = closedIn(texts);
  const first = recent();
  await expect.poll(() => reads).toHaveLength(1);
  texts.set('file:///a.yaml', `${kind}# edited\n`);
  expect(change(['file:///a.yaml'])).toBe(true);
  await first;
  const { compiled } = await recent();
  expect(compiled.map(({ text }) => text)).toEqual([`${kind}# edited\n`]);
});

test('reads files again whose folder is deleted while they are being read', async () => {
  const texts = new Map([
    ['file:///a/b.yaml', kind],
    ['file:///c.yaml', kind],
  ]);
  const { recent, change, reads } = closedIn(texts);
  const first = recent();
  await expect.poll(() => reads).toHaveLength(2);
  texts.delete('file:///a/b.yaml');
  expect(change(['file:///a'])).toBe(true);
  await first;
  const { compiled } = await recent();
  expect(compiled.map(({ uri }) => uri)).toEqual(['file:///c.yaml']);
});

test('searches again after more changes than a search returns', async () => {
  const texts = new Map([['file:///a.yaml', kind]]);
  const { recent, change, reads } = closedIn(texts);
  await recent();
  const uris = Array.from({ length: limits.filesPerSearch + 1 }, (_, at) => `file:///${at}.yaml`);
  expect(change(uris)).toBe(true);
  reads.length = 0;
  await recent();
  expect(reads).toEqual(['file:///a.yaml']);
});
