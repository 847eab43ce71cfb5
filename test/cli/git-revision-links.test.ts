/** Symbolic links in a Git revision are followed to files of the same revision, and never out of it. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { listRevision, readRevision } from '../../engine/src/cli/git-revision.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const secret = 'outside of the repository';
let repository = '';

const git = (args: readonly string[], input = ''): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@a.example', ...args], {
    cwd: repository,
    encoding: 'utf8',
    input,
  }).trim();

/** The targets of links by name. */
const links: Readonly<Record<string, string>> = {
  'auth.yaml': 'clusters/v2/auth.yaml',
  'chain.yaml': 'auth.yaml',
  'clusters/up.yaml': '../auth.yaml',
  'clusters/current': 'v2',
  'folder.yaml': 'clusters/v2',
  'absolute.yaml': '/etc/passwd',
  'above.yaml': '../secret.yaml',
  'clusters/above.yaml': '../../secret.yaml',
  'around.yaml': '../repository/clusters/v2/auth.yaml',
  'self.yaml': 'self.yaml',
  'ping.yaml': 'pong.yaml',
  'pong.yaml': 'ping.yaml',
  'gone.yaml': 'none.yaml',
  'ignored.yaml': 'untracked.yaml',
  'settings.yaml': '.git/config',
  'below.yaml': 'clusters/v2/auth.yaml/x',
  'two\nlines.yaml': 'auth.yaml',
  ...Object.fromEntries(
    Array.from({ length: 60 }, (_, at) => [`link${at}`, at === 0 ? 'auth.yaml' : `link${at - 1}`]),
  ),
};

/** Targets that no file system accepts. */
const rawLinks: Readonly<Record<string, string>> = {
  'long.yaml': 'a/'.repeat(1_000_000),
  'nul.yaml': '../secret.yaml\0clusters/v2/auth.yaml',
  'empty.yaml': '',
  'option.yaml': '--textconv',
  'escape.yaml': '\u001b[2J/../../secret.yaml',
};

beforeAll(() => {
  const { path } = temporaryFolder();
  repository = join(path, 'repository');
  mkdirSync(join(repository, 'clusters/v2'), { recursive: true });
  writeFileSync(join(path, 'secret.yaml'), secret);
  git(['init', '-q']);
  writeFileSync(join(repository, 'clusters/v2/auth.yaml'), 'first');
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(repository, name));
  git(['add', '.']);
  for (const [name, target] of Object.entries(rawLinks)) {
    const blob = git(['hash-object', '-w', '--stdin'], target);
    git(['update-index', '--add', '--cacheinfo', `120000,${blob},${name}`]);
  }
  git(['commit', '-qm', 'first']);
  // The working tree is not read.
  writeFileSync(join(repository, 'clusters/v2/auth.yaml'), 'second');
  writeFileSync(join(repository, 'untracked.yaml'), 'untracked');
}, 60_000);

const contentOf = async (path: string, folder = ''): Promise<string> => {
  const read = await readRevision({ revision: 'HEAD', path }, join(repository, folder));
  return read.kind === 'bytes' ? new TextDecoder().decode(read.bytes) : read.reason;
};

test.each([
  ['auth.yaml', ''],
  ['chain.yaml', ''],
  ['clusters/up.yaml', ''],
  ['clusters/current/auth.yaml', ''],
  ['./up.yaml', 'clusters'],
  ['../chain.yaml', 'clusters'],
  ['two\nlines.yaml', ''],
  ['link30', ''],
])('%j in %j leads to the file of the revision', async (path, folder) => {
  expect(await contentOf(path, folder)).toBe('first');
});

const outside = 'a symbolic link leads out of the repository';
const absent = 'a symbolic link leads to a file that does not exist in the revision';

test.each([
  ['absolute.yaml', outside],
  ['above.yaml', outside],
  ['clusters/above.yaml', outside],
  ['around.yaml', outside],
  ['nul.yaml', outside],
  ['self.yaml', 'too many levels of symbolic links'],
  ['ping.yaml', 'too many levels of symbolic links'],
  ['link59', 'too many levels of symbolic links'],
  ['gone.yaml', absent],
  ['ignored.yaml', absent],
  ['settings.yaml', absent],
  ['long.yaml', absent],
  ['option.yaml', absent],
  ['escape.yaml', absent],
  ['below.yaml', 'not a directory'],
  ['folder.yaml', 'is a directory'],
  ['clusters/v2', 'is a directory'],
  ['empty.yaml', 'is a directory'],
  ['none.yaml', "path 'none.yaml' does not exist in 'HEAD'"],
  ['clusters/current/none.yaml', "path 'clusters/current/none.yaml' does not exist in 'HEAD'"],
])('%s is refused', async (path, reason) => {
  expect(await contentOf(path)).toBe(`read HEAD:${path} from Git: ${reason}`);
});

test('a listing of a folder has no links', async () => {
  const listing = await listRevision({ revision: 'HEAD', path: 'clusters' }, repository);
  expect(listing).toEqual({
    kind: 'listing',
    blobByPath: new Map([['v2/auth.yaml', expect.any(String)]]),
  });
});
