/** The file cache: who waits for searches, and for how long. */
import { expect, test, vi } from 'vitest';
import { createFileCache } from '../../language-server/src/file-cache.ts';
import type { FoundFiles, WorkspaceFiles } from '../../language-server/src/files.ts';

const cacheOf = (files: WorkspaceFiles, mostWaitMs: number) =>
  createFileCache({
    files: () => files,
    globs: () => ['**/*.yaml'],
    isWanted: () => true,
    maxFiles: 10,
    maxBytes: 1000,
    maxWaitMs: mostWaitMs,
    onChange: () => undefined,
  });

const never: WorkspaceFiles = {
  find: () => new Promise(() => undefined),
  read: () => Promise.resolve(undefined),
};

test('waits only once, and with a timeout, for a search that never ends', async () => {
  vi.useFakeTimers();
  try {
    const cache = cacheOf(never, 10_000);
    cache.search();
    const first = cache.whenSearched();
    await vi.advanceTimersByTimeAsync(10_000);
    await first;
    // Time does not advance, so a second wait would hang.
    await cache.whenSearched();
    expect(cache.all.size).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test('reports that a search does not finish', async () => {
  const cache = cacheOf(never, 5);
  expect(await cache.waitForSearch()).toBe(true);
  cache.search();
  expect(await cache.waitForSearch()).toBe(false);
});

const finding = (count: number, isTruncated = false): WorkspaceFiles => ({
  find: () =>
    Promise.resolve({
      uris: Array.from({ length: count }, (_, at) => `file:///${at}.yaml`),
      isTruncated,
    }),
  read: (uri) => Promise.resolve({ uri, text: 'sub: jane\n' }),
});

test.each([
  ['all are read', finding(10), false],
  ['some are too many to read', finding(11), true],
  ['some were not found', finding(1, true), true],
])('isTruncated after a search in which %s', async (_, files, isTruncated) => {
  const cache = cacheOf(files, 2 ** 30);
  await cache.search();
  expect(cache.isTruncated).toBe(isTruncated);
});

test.each([
  ['known', ['file:///0.yaml'], false],
  ['one too many', ['file:///new.yaml'], true],
])('isTruncated after a change of a file that is %s', async (_, uris, isTruncated) => {
  const cache = cacheOf(finding(10), 2 ** 30);
  await cache.search();
  await cache.reread(uris);
  expect(cache.isTruncated).toBe(isTruncated);
});

test('a changed file that is too long now is known, one that is gone is not', async () => {
  let read: Awaited<ReturnType<WorkspaceFiles['read']>> = 'too long';
  const cache = cacheOf({ ...finding(1), read: () => Promise.resolve(read) }, 2 ** 30);
  await cache.reread(['file:///0.yaml']);
  expect(cache.all.get('file:///0.yaml')).toMatchObject({ text: undefined });
  read = undefined;
  await cache.reread(['file:///0.yaml']);
  expect(cache.all.size).toBe(0);
});

test('has the saved text of a known file before the file is read again', async () => {
  const cache = cacheOf(finding(1), 2 ** 30);
  await cache.search();
  cache.store('file:///0.yaml', 'sub: jane\n');
  expect(cache.all.get('file:///0.yaml')?.text).toBe('sub: jane\n');
  cache.store('file:///unknown.yaml', 'sub: joan\n');
  cache.store('file:///0.yaml', 'x'.repeat(1001));
  expect([...cache.all.values()].map(({ text }) => text)).toEqual(['sub: jane\n']);
});

test('waits for the first search to finish', async () => {
  const found = Promise.withResolvers<FoundFiles>();
  const cache = cacheOf(
    {
      find: () => found.promise,
      read: (uri) => Promise.resolve({ uri, text: 'sub: jane\n' }),
    },
    2 ** 30,
  );
  cache.search();
  const searched = cache.whenSearched().then(() => cache.all.size);
  found.resolve({ uris: ['file:///a.yaml'], isTruncated: false });
  expect(await searched).toBe(1);
});

test('treats a failed search as finished', async () => {
  const cache = cacheOf({ ...never, find: () => Promise.reject(new Error('gone')) }, 2 ** 30);
  cache.search();
  await cache.whenSearched();
  expect(cache.all.size).toBe(0);
});
