/** Workspace files on a real disk: what is found, and what is never opened. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { limits } from '../../language-server/src/limits.ts';
import { nodeFiles } from '../../language-server/src/node-files.ts';

const place = mkdtempSync(join(tmpdir(), 'node-files-'));
const folder = join(place, 'a folder');
afterAll(() => rmSync(place, { recursive: true, force: true }));

const write = (path: string, text: string | Uint8Array): void => {
  mkdirSync(dirname(join(place, path)), { recursive: true });
  writeFileSync(join(place, path), text);
};

beforeAll(() => {
  write('a folder/jane.claims.json', '{"sub":"jane"}');
  write('a folder/deep/er/zoe.claims.yaml', 'sub: zoe\n');
  write('a folder/node_modules/x/evil.claims.json', '{}');
  write('a folder/.git/evil.claims.json', '{}');
  write('a folder/big.claims.json', 'x'.repeat(5000));
  write('a folder/bytes.claims.json', Uint8Array.of(0xff, 0xfe, 0xfd));
  write('outside/secret.claims.json', '{"sub":"secret"}');
  symlinkSync(join(place, 'outside/secret.claims.json'), join(folder, 'link.claims.json'));
  symlinkSync(join(folder, 'jane.claims.json'), join(folder, 'own.claims.json'));
  symlinkSync(join(place, 'outside'), join(folder, 'out'));
  symlinkSync(folder, join(folder, 'loop'));
  symlinkSync(join(folder, 'nowhere'), join(folder, 'dangling.claims.json'));
  execFileSync('mkfifo', [join(folder, 'pipe.claims.json')]);
});

const uriOf = (path: string): string => pathToFileURL(join(place, path)).href;
const files = () => nodeFiles([uriOf('a folder')]);
const globs = ['**/*.claims.{json,yaml}'];
const found = async (): Promise<readonly string[]> =>
  (await files().find(globs, new AbortController().signal)).uris.map((uri) =>
    uri.slice(uriOf('a folder').length + 1),
  );

test('INV-E1 finds matching files, but none in third-party folders, linked directories or pipes', async () => {
  expect(await found()).toEqual([
    'big.claims.json',
    'bytes.claims.json',
    'dangling.claims.json',
    'deep/er/zoe.claims.yaml',
    'jane.claims.json',
    'link.claims.json',
    'own.claims.json',
  ]);
});

test.each([
  ['a folder/jane.claims.json', '{"sub":"jane"}'],
  ['a folder/deep/er/zoe.claims.yaml', 'sub: zoe\n'],
  ['a folder/own.claims.json', '{"sub":"jane"}'],
])('reads %s', async (path, text) => {
  expect(await files().read(uriOf(path), 1000)).toEqual({ uri: uriOf(path), text });
});

test.each([
  ['a link out of the folder', 'a folder/link.claims.json'],
  ['a path through a linked directory', 'a folder/out/secret.claims.json'],
  ['a path out of the folder', 'a folder/../outside/secret.claims.json'],
  ['a file next to the folder', 'outside/secret.claims.json'],
  ['a link to nothing', 'a folder/dangling.claims.json'],
  ['a pipe', 'a folder/pipe.claims.json'],
  ['a directory', 'a folder/deep'],
  ['bytes that are not text', 'a folder/bytes.claims.json'],
  ['a missing file', 'a folder/nothing.json'],
])('does not read %s', async (_, path) => {
  expect(await files().read(uriOf(path), 1000)).toBeUndefined();
});

test('distinguishes a file over the limit from a missing one', async () => {
  expect(await files().read(uriOf('a folder/big.claims.json'), 1000)).toBe('too long');
});

test.each(['https://issuer.example/a.claims.json', 'untitled:a', 'file://host/share/a', '%'])(
  'does not read the URI %s',
  async (uri) => {
    expect(await files().read(uri, 1000)).toBeUndefined();
  },
);

test('finds nothing in folders that are not directories', async () => {
  const none = nodeFiles([
    'vscode-vfs://github/x',
    uriOf('nowhere'),
    uriOf('a folder/big.claims.json'),
  ]);
  expect(await none.find(globs, new AbortController().signal)).toEqual({
    uris: [],
    isTruncated: false,
  });
});

test('ends an aborted search', async () => {
  expect((await files().find(globs, AbortSignal.abort())).uris).toEqual([]);
});

test('returns at most 1,000 files, and reports that there are more', async () => {
  const find = () => nodeFiles([uriOf('many')]).find(globs, new AbortController().signal);
  for (let at = 0; at < limits.filesPerSearch; at += 1) write(`many/${at}.claims.json`, '{}');
  expect((await find()).isTruncated).toBe(false);
  for (let at = 0; at < 10; at += 1) write(`many/more-${at}.claims.json`, '{}');
  const many = await find();
  expect(many.uris).toHaveLength(limits.filesPerSearch);
  expect(many.isTruncated).toBe(true);
});

test('skips directories that are too deep, and reports it', async () => {
  const down = 'd/'.repeat(limits.depth);
  write(`deep/${down}far.claims.json`, '{}');
  const { uris, isTruncated } = await nodeFiles([uriOf('deep')]).find(
    globs,
    new AbortController().signal,
  );
  expect([uris, isTruncated]).toEqual([[], true]);
});
