/** Files that are looked for: who waits for them, and for how long. */
import { expect, test, vi } from 'vitest';
import type { FoundFiles, WorkspaceFiles } from '../../language-server/src/files.ts';
import { createKnownFiles } from '../../language-server/src/known-files.ts';

const knownIn = (files: WorkspaceFiles, mostWaitMs: number) =>
  createKnownFiles({
    files: () => files,
    globs: () => ['**/*.yaml'],
    wanted: () => true,
    mostFiles: 10,
    mostBytes: 1000,
    mostWaitMs,
    changed: () => undefined,
  });

const never: WorkspaceFiles = {
  find: () => new Promise(() => undefined),
  read: () => Promise.resolve(undefined),
};

test('a search that never ends is waited for once, and no longer than the limit', async () => {
  vi.useFakeTimers();
  try {
    const known = knownIn(never, 10_000);
    known.search();
    const first = known.searched();
    await vi.advanceTimersByTimeAsync(10_000);
    await first;
    // The clock stands still: nobody waits a second time.
    await known.searched();
    expect(known.all.size).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test('whoever needs all of it is told that a search does not end', async () => {
  const known = knownIn(never, 5);
  expect(await known.complete()).toBe(true);
  known.search();
  expect(await known.complete()).toBe(false);
});

const finding = (count: number, isCut = false): WorkspaceFiles => ({
  find: () =>
    Promise.resolve({
      uris: Array.from({ length: count }, (_, at) => `file:///${at}.yaml`),
      isCut,
    }),
  read: (uri) => Promise.resolve({ uri, text: 'sub: jane\n' }),
});

test.each([
  ['all are read', finding(10), false],
  ['some are too many to read', finding(11), true],
  ['some were not found', finding(1, true), true],
])('a search after which %s says so', async (_, files, isCut) => {
  const known = knownIn(files, 2 ** 30);
  await known.search();
  expect(known.isCut).toBe(isCut);
});

test.each([
  ['known', ['file:///0.yaml'], false],
  ['one too many', ['file:///new.yaml'], true],
])('a file that is written and is %s', async (_, uris, isCut) => {
  const known = knownIn(finding(10), 2 ** 30);
  await known.search();
  await known.reread(uris);
  expect(known.isCut).toBe(isCut);
});

test('the first search is waited for to its end', async () => {
  const found = Promise.withResolvers<FoundFiles>();
  const known = knownIn(
    {
      find: () => found.promise,
      read: (uri) => Promise.resolve({ uri, text: 'sub: jane\n' }),
    },
    2 ** 30,
  );
  known.search();
  const searched = known.searched().then(() => known.all.size);
  found.resolve({ uris: ['file:///a.yaml'], isCut: false });
  expect(await searched).toBe(1);
});

test('a search that fails is over', async () => {
  const known = knownIn({ ...never, find: () => Promise.reject(new Error('gone')) }, 2 ** 30);
  known.search();
  await known.searched();
  expect(known.all.size).toBe(0);
});
