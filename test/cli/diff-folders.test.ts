/** `authgraph diff` with two folders: by path, on disk and in Git revisions. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  isContentOf,
  listRevision,
  parseRevisionPath,
  readRevision,
} from '../../engine/src/cli/git-revision.ts';
import type { Io } from '../../engine/src/cli/io.ts';
import { nodeIo } from '../../engine/src/cli/node-io.ts';
import { runCli } from '../../engine/src/cli/run.ts';
import { capturedIo, runCaptured } from '../support/captured-io.ts';
import { schemaErrors } from '../support/json-schema.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const configuration = (prefix: string): string => `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer: { url: https://a.example, audiences: [app] }
  claimMappings:
    username: { claim: sub, prefix: '${prefix}' }
`;
const files = {
  'old/dev.yaml': configuration('dev:'),
  'old/prod.yaml': configuration('prod:'),
  'old/gone.yaml': configuration('gone:'),
  'old/values.yaml': 'replicas: 1\n',
  'new/dev.yaml': configuration('dev:'),
  'new/prod.yaml': configuration('corp:'),
  'new/more/added.yaml': configuration('added:'),
  'new/values.yaml': 'replicas: 2\n',
  'bad/prod.yaml': configuration('a:').replace('https', 'http'),
  'claims.json': '{"iss": "https://a.example", "sub": "ann"}',
};
const run = (...args: readonly string[]) => runCaptured(['diff', ...args], { files });

test('configurations with the same path are compared', async () => {
  const { code, stdout, stderr } = await run('old', 'new', '--claims', 'claims.json');
  expect(stdout).toMatch(/^new\/prod\.yaml\n~ changed {2}claims → corp:ann /);
  expect(stdout).toContain('\nproved: no one gains access\nproved: no one loses access\n');
  expect(stdout).toMatch(
    /\nremoved: old\/gone\.yaml\nadded: new\/more\/added\.yaml\n4 configurations: 1 compared, 1 same, 1 added, 1 removed\n$/,
  );
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  expect((await run('old', 'old')).code).toBe(0);
});

test('--fail-on decides about changes and about removed configurations', async () => {
  const without = (name: string, ...args: readonly string[]) =>
    runCaptured(['diff', 'old', 'new', ...args], {
      files: Object.fromEntries(Object.entries(files).filter(([path]) => path !== name)),
    });
  const codesOf = (name: string) =>
    Promise.all(
      ['gain', 'lose'].map(async (kind) => [
        (await without(name, '--fail-on', kind)).code,
        (await without(name, '--fail-on', 'never', '--require-proof', kind)).code,
      ]),
    );
  expect(await codesOf('new/more/added.yaml')).toEqual([
    [0, 0],
    [1, 1],
  ]);
  expect(await codesOf('old/gone.yaml')).toEqual([
    [1, 1],
    [0, 0],
  ]);
  expect((await run('old', 'new', '--fail-on', 'never')).code).toBe(0);
});

test('JSON has the schema of each difference', async () => {
  const { stdout } = await run('old', 'new', '-o', 'json');
  const data = JSON.parse(stdout);
  expect(schemaErrors('diff-folders.v1', data)).toEqual([]);
  expect(data.configurations).toMatchObject([
    { name: 'new/dev.yaml', kind: 'same' },
    { name: 'old/gone.yaml', kind: 'removed' },
    { name: 'new/more/added.yaml', kind: 'added' },
    { name: 'new/prod.yaml', kind: 'compared' },
  ]);
  expect(schemaErrors('diff.v2', data.configurations[3].difference)).toEqual([]);
});

test('Markdown has a list and the difference of each configuration', async () => {
  const { stdout } = await run('old', 'new', '-o', 'markdown');
  expect(stdout).toContain('### Access difference: `old` → `new`\n\n- `new/dev.yaml`: same\n');
  expect(stdout).toContain('### Access difference: `old/prod.yaml` → `new/prod.yaml`\n');
});

test.each([
  [['old', 'new/dev.yaml'], 'new/dev.yaml is not a folder'],
  [['old/dev.yaml', 'new'], 'old/dev.yaml is not a folder'],
  [['old', 'bad'], 'bad/prod.yaml has errors and cannot be compared'],
  [['old', 'new', '-o', 'html'], '--output html compares two files'],
  [['old', 'new', '--corpus', 'claims.json'], '--corpus compares two files'],
])('what cannot be compared has the exit code 2: %j', async (args, message) => {
  const { code, stderr } = await run(...args);
  expect(stderr).toContain(message);
  expect(code).toBe(2);
});

const { path: repository } = temporaryFolder();
const git = (...args: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@a.example', ...args], {
    cwd: repository,
    encoding: 'utf8',
  });
const write = (name: string, text: string): void => {
  mkdirSync(join(repository, name, '..'), { recursive: true });
  writeFileSync(join(repository, name), text);
};

test('the folder of a revision of a hostile repository is listed and compared', async () => {
  git('init', '-q');
  write('clusters/dev.yaml', configuration('dev:'));
  write('clusters/prod.yaml', configuration('prod:'));
  write('clusters/a b/ü\n.yaml', configuration('gone:'));
  write('clusters/.hidden/x.yaml', configuration('x:'));
  write('clusters/node_modules/x.yaml', configuration('x:'));
  write('clusters/notes.txt', '');
  symlinkSync('dev.yaml', join(repository, 'clusters/link.yaml'));
  git('add', '.');
  git('commit', '-qm', 'first');
  const program = `touch ${join(repository, 'ran')}; cat`;
  for (const key of ['core.fsmonitor', 'core.pager', 'pager.ls-tree', 'alias.ls-tree'])
    git('config', key, key === 'alias.ls-tree' ? `!${program}` : program);
  const list = (name: string) => {
    const parsed = parseRevisionPath(name);
    return parsed === undefined ? Promise.resolve(undefined) : listRevision(parsed, repository);
  };
  const listed = await list('HEAD:clusters');
  if (listed?.kind !== 'listing') throw new Error(JSON.stringify(listed));
  expect([...listed.blobByPath.keys()].sort()).toEqual(['a b/ü\n.yaml', 'dev.yaml', 'prod.yaml']);
  const blob = listed.blobByPath.get('dev.yaml') ?? '';
  expect(isContentOf(blob, Buffer.from(configuration('dev:')))).toBe(true);
  expect(isContentOf(blob, Buffer.from(configuration('prod:')))).toBe(false);
  expect(await list('HEAD:clusters/dev.yaml')).toBeUndefined();
  expect(await list('HEAD:nowhere')).toMatchObject({ kind: 'failure', isAbsent: true });
  expect(await list('none:clusters')).not.toHaveProperty('isAbsent');

  write('clusters/prod.yaml', configuration('corp:'));
  rmSync(join(repository, 'clusters/a b'), { recursive: true });
  const read: string[] = [];
  const { io, out } = capturedIo();
  const node = nodeIo();
  const here: Io = {
    ...io,
    listFolder: node.listFolder,
    readText: node.readText,
    listRevision: list,
    async readRevision(name) {
      read.push(name);
      const parsed = parseRevisionPath(name);
      const found = parsed && (await readRevision(parsed, repository));
      return found?.kind === 'bytes'
        ? { kind: 'text', text: new TextDecoder().decode(found.bytes) }
        : found;
    },
  };
  const folder = join(repository, 'clusters');
  for (const args of [
    ['diff', 'HEAD:typo', folder],
    ['diff', 'HEAD:clusters', 'HEAD:typo'],
    ['fleet', folder, '--base', 'HEAD:typo'],
  ]) {
    const captured = capturedIo();
    const failed = await runCli(args, {
      ...here,
      stdout: captured.io.stdout,
      stderr: captured.io.stderr,
    });
    expect([failed, captured.out.stdout]).toEqual([2, '']);
    expect(captured.out.stderr).toMatch(/^error: read HEAD:typo from Git: /);
  }
  const derived = capturedIo();
  const listRevisionHere: Io['listRevision'] = (name) =>
    list(name.endsWith('/clusters') ? 'HEAD:nowhere' : name);
  await runCli(['fleet', folder, '--base', 'HEAD'], {
    ...here,
    stdout: derived.io.stdout,
    stderr: derived.io.stderr,
    listRevision: listRevisionHere,
  });
  expect(derived.out.stdout).toMatch(/dev\.yaml .* new /);
  const code = await runCli(['diff', 'HEAD:clusters', folder], here);
  expect(out.stderr).toBe('');
  expect(out.stdout).toContain('~ access changed');
  // The target of the link is compared; the link itself is not a file of the revision.
  const [removed, added, summary] = out.stdout.trimEnd().split('\n').slice(-3);
  expect(removed).toBe('removed: HEAD:clusters/a b/ü\\u000a.yaml');
  expect(added).toMatch(/^added: .*link\.yaml$/);
  expect(summary).toBe('4 configurations: 1 compared, 1 same, 1 added, 1 removed');
  // What did not change is recognized by its ID.
  expect(read.sort()).toEqual(['HEAD:clusters/a b/ü\n.yaml', 'HEAD:clusters/prod.yaml']);
  expect(code).toBe(1);
  expect(existsSync(join(repository, 'ran'))).toBe(false);
}, 60_000);
