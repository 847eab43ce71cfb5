/** Files that are looked for: who waits for them, and for how long. */
import { expect, test, vi } from 'vitest';
import type { FoundFiles, WorkspaceFiles } from '../../language-server/src/files.ts';
import { createFileCache } from '../../language-server/src/file-cache.ts';

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

test('a search that never ends is waited for once, and no longer than the limit', async () => {
  vi.useFakeTimers();
  try {
    const cache = cacheOf(never, 10_000);
    cache.search();
    const first = cache.whenSearched();
    await vi.advanceTimersByTimeAsync(10_000);
    await first;
    // The clock stands still: nobody waits a second time.
    await cache.whenSearched();
    expect(cache.all.size).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test('whoever needs all of it is told that a search does not end', async () => {
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
])('a search after which %s says so', async (_, files, isTruncated) => {
  const cache = cacheOf(files, 2 ** 30);
  await cache.search();
  expect(cache.isTruncated).toBe(isTruncated);
});

test.each([
  ['known', ['file:///0.yaml'], false],
  ['one too many', ['file:///new.yaml'], true],
])('a file that is written and is %s', async (_, uris, isTruncated) => {
  const cache = cacheOf(finding(10), 2 ** 30);
  await cache.search();
  await cache.reread(uris);
  expect(cache.isTruncated).toBe(isTruncated);
});

test('the first search is waited for to its end', async () => {
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

test('a search that fails is over', async () => {
  const cache = cacheOf({ ...never, find: () => Promise.reject(new Error('gone')) }, 2 ** 30);
  cache.search();
  await cache.whenSearched();
  expect(cache.all.size).toBe(0);
});
