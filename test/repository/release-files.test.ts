/**
 * The bytes of a release depend on its files alone: two runs write the same package, archive and blob of an executable,
 * although their folders, umask, time zone, language, times and order of files differ. test/system/release.test.ts
 * compares whole releases.
 */
import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { writeSourceTree } from '../../deploy/release/source-tree.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const release = pathToFileURL(join(import.meta.dirname, '../../deploy/release')).href;
const { path: folder } = temporaryFolder();

/** Writes the files of a release in the current folder, whose folder `source` is the tree of a commit. */
const script = `
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { writeArchive } from '${release}/archive.ts';
import { programFile, seaConfig } from '${release}/executables/sea-config.ts';
import { packWorkspace } from '${release}/npm-packages.ts';
import { runProgram } from '${release}/run-program.ts';

const [source, scratch, out] = ['source', 'scratch', 'out'].map((name) => resolve(name));
mkdirSync(scratch);
mkdirSync(out);
await packWorkspace({ source, scratch, out, report: () => {} }, 'engine');
await writeArchive(join(out, 'archive.tar.gz'), { folder: source, entries: ['engine'], epoch: 1e9 });
writeFileSync(programFile, readFileSync('source/engine/dist/main.js'));
const assets = { 'docs/page.md': join(source, 'engine/README.md'), 'threads/a.js': join(source, 'LICENSE') };
writeFileSync('sea.json', seaConfig({ node: process.execPath, executable: join(out, 'blob'), assets }));
await runProgram(process.execPath, ['--experimental-sea-config', 'sea.json']);
`;

interface Machine {
  /** Path of its folder. */
  readonly place: string;
  readonly umask: number;
  /** Seconds since 1970. */
  readonly time: number;
  readonly environment: Readonly<Record<string, string>>;
  readonly order: (names: readonly string[]) => readonly string[];
}

const files: Readonly<Record<string, string>> = {
  LICENSE: 'License\n',
  'engine/README.md': '# Engine\n',
  'engine/bin/program.js': '#!/usr/bin/env node\n',
  'engine/dist/Zeta.js': 'export {};\n',
  'engine/dist/a_b.js': 'export {};\n',
  'engine/dist/ä.js': 'export {};\n',
  'engine/dist/main.js': 'console.log(1);\n',
  'engine/package.json': JSON.stringify({
    name: '@authgraph/packed',
    version: '1.2.3',
    files: ['bin', 'dist'],
    bin: { packed: 'bin/program.js' },
  }),
};

const run = async ({ place, umask, time, environment, order }: Machine): Promise<void> => {
  for (const name of order(Object.keys(files))) {
    const path = join(place, 'source', name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, files[name] ?? '');
    chmodSync(path, (name.includes('/bin/') ? 0o777 : 0o666) & ~umask);
    utimesSync(path, time, time);
  }
  const node = [process.execPath, '--no-warnings', '--input-type=module', '-e', script];
  const args = ['-euc', `umask ${umask.toString(8)}; exec "$@"`, 'sh', ...node];
  await promisify(execFile)('sh', args, { cwd: place, env: { ...process.env, ...environment } });
};

const one: Machine = {
  place: join(folder, 'one'),
  umask: 0o002,
  time: 1_700_000_000,
  environment: { TZ: 'UTC', LC_ALL: 'C.UTF-8' },
  order: (names) => names,
};
const another: Machine = {
  place: join(folder, 'another place/deeper'),
  umask: 0o077,
  time: 1_000_000_001,
  environment: { TZ: 'Asia/Kathmandu', LC_ALL: 'C' },
  order: (names) => names.toReversed(),
};

beforeAll(() => Promise.all([one, another].map(run)), 120_000);

test.each(['authgraph-packed-1.2.3.tgz', 'archive.tar.gz', 'blob'])('%s', (name) => {
  const [first = '', second = ''] = [one, another].map(({ place }) => join(place, 'out', name));
  expect(readFileSync(first).length).toBeGreaterThan(100);
  expect(digestOf(second)).toBe(digestOf(first));
});

const digestOf = (path: string): string =>
  createHash('sha256').update(readFileSync(path)).digest('hex');

test('the tree of a commit has the line endings of the commit, whatever Git is configured to do', async () => {
  const repository = join(folder, 'repository');
  mkdirSync(repository);
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.example', ...args], {
      cwd: repository,
    });
  writeFileSync(join(repository, 'text'), 'one\ntwo\n');
  writeFileSync(join(repository, 'configured'), 'one\ntwo\n');
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '--message=files');
  const attributes = join(folder, 'attributes');
  writeFileSync(attributes, 'configured text eol=crlf\n');
  const settings = join(folder, 'gitconfig');
  writeFileSync(settings, `[core]\nautocrlf = true\nattributesFile = ${attributes}\n`);
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv('GIT_CONFIG_GLOBAL', settings);
  const tree = join(folder, 'tree');
  await writeSourceTree(tree, { root: repository, revision: 'HEAD' });
  const [text, configured] = ['text', 'configured'].map((name) =>
    readFileSync(join(tree, name), 'utf8'),
  );
  expect([text, configured]).toEqual(['one\ntwo\n', 'one\ntwo\n']);
});
