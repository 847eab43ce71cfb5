/** Which files a command reads and writes in a repository with symbolic links. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  boundedFolder,
  leavesRepository,
  resolveBounded,
} from '../../engine/src/cli/bounded-paths.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Lays out a repository with links, next to a folder outside of it. */
const repository = (): string => {
  const { path, write } = temporaryFolder();
  for (const folder of ['repository/.git', 'repository/inside', 'outside'])
    mkdirSync(join(path, folder), { recursive: true });
  write('outside/file', 'secret');
  write('repository/inside/file', '');
  const links = {
    'to-file': '../outside/file',
    'to-nothing': '../outside/new',
    'to-folder': '../outside',
    'to-link': 'to-nothing',
    'to-itself': 'to-itself',
    'to-inside': 'inside/file',
    'to-new-inside': 'inside/new',
  };
  for (const [name, target] of Object.entries(links))
    symlinkSync(target, join(path, 'repository', name));
  return join(path, 'repository');
};

test.each([
  ['to-file', true],
  ['to-nothing', true],
  ['to-folder/new', true],
  ['to-link', true],
  ['to-itself', false],
  ['to-inside', false],
  ['to-new-inside', false],
  ['inside/../inside/file', false],
  ['new/file', false],
])('INV-F1 %s leaves the repository: %s', (name, leaves) => {
  const root = repository();
  expect(leavesRepository(join(root, name))).toBe(leaves);
  const { kind } = resolveBounded(boundedFolder(join(root, 'a.yaml')), name);
  expect(kind).toBe(leaves ? 'outside' : 'path');
});

test('a link outside of a repository may lead anywhere', () => {
  const { path } = temporaryFolder();
  symlinkSync('/tmp', join(path, 'link'));
  expect(leavesRepository(join(path, 'link'))).toBe(false);
});
