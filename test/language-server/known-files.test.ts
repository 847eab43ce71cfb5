/** Files that are looked for: who waits for them, and for how long. */
import { expect, test } from 'vitest';
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
  const known = knownIn(never, 5);
  known.search();
  await known.searched();
  // With a limit that no test would outlive: nobody waits a second time.
  await known.searched();
  expect(known.all.size).toBe(0);
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
