/** Keys on disk: private, complete or absent, and never from another user. */
import { chmodSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { nodeKeyCache } from '../../../engine/src/node/key-cache.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let folder = '';
let warnings: string[] = [];

beforeEach(() => {
  folder = temporaryFolder(onTestFinished).path;
  warnings = [];
});

const cache = (directory = join(folder, 'cache')) =>
  nodeKeyCache({
    directory,
    log: {
      event: (_level, message, fields) => warnings.push(`${message}: ${fields?.reason}`),
    },
  });

const theFile = (): string => {
  const [name = ''] = readdirSync(join(folder, 'cache'));
  return join(folder, 'cache', name);
};

test('reads the keys of each issuer in the next process', async () => {
  await cache().write('https://a.example', '{"keys":[1]}');
  await cache().write('https://a.example', '{"keys":[2]}');
  await cache().write('https://b.example', '{"keys":[3]}');
  expect(await cache().read('https://a.example')).toBe('{"keys":[2]}');
  expect(await cache().read('https://b.example')).toBe('{"keys":[3]}');
  expect(await cache().read('https://c.example')).toBeUndefined();
  expect(warnings).toEqual([]);
});

test('creates a private directory and private files, and leaves nothing else', async () => {
  await cache().write('https://a.example/../../etc', 'x');
  expect(statSync(join(folder, 'cache')).mode & 0o777).toBe(0o700);
  expect(statSync(theFile()).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(folder, 'cache')).length).toBe(1);
});

test('does not read a file that other users may write', async () => {
  await cache().write('https://a.example', 'x');
  chmodSync(theFile(), 0o666);
  expect(await cache().read('https://a.example')).toBeUndefined();
  expect(warnings).toEqual(['cached keys not read: writable by other users']);
});

test('neither reads nor writes a directory that other users may write', async () => {
  await cache().write('https://a.example', 'x');
  chmodSync(join(folder, 'cache'), 0o777);
  expect(await cache().read('https://a.example')).toBeUndefined();
  await cache().write('https://a.example', 'y');
  expect(warnings).toEqual([
    'cached keys not read: writable by other users',
    'keys not cached: writable by other users',
  ]);
});

test('does not follow a link', async () => {
  await cache().write('https://a.example', 'x');
  const path = theFile();
  rmSync(path);
  writeFileSync(join(folder, 'other'), 'y', { mode: 0o600 });
  symlinkSync(join(folder, 'other'), path);
  expect(await cache().read('https://a.example')).toBeUndefined();
  expect(warnings.length).toBe(1);
});

test('logs a warning if the directory cannot be written', async () => {
  writeFileSync(join(folder, 'file'), '');
  await cache(join(folder, 'file', 'cache')).write('https://a.example', 'x');
  expect(warnings.length).toBe(1);
  expect(warnings[0]).toMatch(/^keys not cached: /);
});

test('does not store more than an issuer may serve', async () => {
  await cache().write('https://a.example', 'x'.repeat(3 * 1024 * 1024));
  expect(await cache().read('https://a.example')).toBeUndefined();
  expect(warnings).toEqual(['keys not cached: the keys are too large']);
});

test('keeps the later of two writes, and reads see it', async () => {
  const one = cache();
  const large = one.write('https://a.example', 'x'.repeat(1_000_000));
  const small = one.write('https://a.example', 'y');
  expect(await one.read('https://a.example')).toBe('y');
  await Promise.all([large, small]);
  expect(await one.read('https://a.example')).toBe('y');
});
