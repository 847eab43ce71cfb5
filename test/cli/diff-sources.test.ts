/** What OLD and NEW of `authgraph diff` can be: ConfigMaps, flags, and files of Git revisions. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import {
  createGitCache,
  findInRevision,
  parseRevisionPath,
  readRevision,
} from '../../engine/src/cli/git-revision.ts';
import type { FileText } from '../../engine/src/cli/io.ts';
import { runCaptured } from '../support/captured-io.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const old = `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer: { url: https://a.example, audiences: [app] }
  claimMappings:
    username: { claim: sub, prefix: 'oidc:' }
`;
const renamed = old.replace("'oidc:'", "'corp:'");
const configMap = `apiVersion: v1
kind: ConfigMap
metadata: { name: auth }
data:
  auth.yaml: |
${renamed.replaceAll(/^/gm, '    ')}`;

test('a file of a revision is compared with a ConfigMap, whose lines are those of its file', async () => {
  const { code, stdout } = await runCaptured(
    ['diff', 'HEAD:auth.yaml', 'map.yaml#auth.yaml', '-o', 'json'],
    { files: { 'map.yaml': configMap }, revisions: { 'HEAD:auth.yaml': old } },
  );
  expect(code).toBe(1);
  const line = configMap.split('\n').findIndex((text) => text.includes('corp:')) + 1;
  expect(JSON.parse(stdout)).toMatchObject({
    changes: [
      {
        kind: 'changed',
        before: { username: expect.stringMatching(/^oidc:/) },
        cause: [{ file: 'map.yaml', line, field: 'jwt[0].claimMappings.username' }],
      },
    ],
    proved: ['gained', 'lost'],
  });
});

test('both sides can be flags in files', async () => {
  const manifest = (prefix: string): string => `apiVersion: v1
kind: Pod
metadata: { name: kube-apiserver }
spec:
  containers:
  - name: kube-apiserver
    command:
    - kube-apiserver
    - --oidc-issuer-url=https://a.example
    - --oidc-client-id=app
    - "--oidc-username-prefix=${prefix}"
`;
  const files = { 'a.yaml': manifest('oidc:'), 'b.yaml': manifest('corp:') };
  const { code, stdout } = await runCaptured(['diff', 'a.yaml', 'b.yaml'], { files });
  expect(code).toBe(1);
  expect(stdout).toContain('~ access changed');
  expect((await runCaptured(['diff', 'a.yaml', 'a.yaml'], { files })).code).toBe(0);
});

test('a revision is named like in Git, and is never an option or a drive', () => {
  expect(parseRevisionPath('HEAD~2:./a/b.yaml')).toEqual({
    revision: 'HEAD~2',
    path: './a/b.yaml',
  });
  expect(parseRevisionPath('a:b:c')).toEqual({ revision: 'a', path: 'b:c' });
  for (const other of [
    'auth.yaml',
    ':auth.yaml',
    'HEAD:',
    '-x:a',
    '--output=a:b',
    'C:\\a.yaml',
    'a:b\0',
  ]) {
    expect(parseRevisionPath(other)).toBeUndefined();
  }
});

test('a file of a hostile repository is read without running any of its programs', async () => {
  const { path: folder } = temporaryFolder();
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@a.example', ...args], {
      cwd: folder,
      encoding: 'utf8',
    });
  git('init', '-q');
  writeFileSync(join(folder, 'auth.yaml'), old);
  writeFileSync(join(folder, '.gitattributes'), '*.yaml diff=hostile filter=hostile\n');
  git('add', '.');
  git('commit', '-qm', 'first');
  const program = `touch ${join(folder, 'ran')}; cat`;
  for (const key of [
    'core.fsmonitor',
    'core.pager',
    'core.sshCommand',
    'diff.hostile.textconv',
    'diff.external',
    'filter.hostile.smudge',
    'filter.hostile.process',
    'alias.cat-file',
    'pager.cat-file',
  ]) {
    git('config', key, key === 'alias.cat-file' ? `!${program}` : program);
  }
  const read = await readRevision({ revision: 'HEAD', path: 'auth.yaml' }, folder);
  expect(read.kind === 'bytes' && new TextDecoder().decode(read.bytes)).toBe(old);
  expect(await readRevision({ revision: 'HEAD', path: 'gone.yaml' }, folder)).toMatchObject({
    reason: "read HEAD:gone.yaml from Git: path 'gone.yaml' does not exist in 'HEAD'",
  });
  expect(await readRevision({ revision: 'none', path: 'a\u001b[2J' }, folder)).toMatchObject({
    kind: 'failure',
    reason: expect.not.stringContaining('\u001b'),
  });
  expect(existsSync(join(folder, 'ran'))).toBe(false);
});

test('a revision that does not exist is reported as such', async () => {
  const { path: folder } = temporaryFolder();
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: folder });
  git('init', '-q');
  git('-c', 'user.name=a', '-c', 'user.email=a@a.example', 'commit', '-qm', 'x', '--allow-empty');
  const read = (revision: string, path: string) => readRevision({ revision, path }, folder);
  expect(await read('origin/main', 'auth.yaml')).toEqual({
    kind: 'failure',
    reason:
      'read origin/main:auth.yaml from Git: there is no revision origin/main in the repository',
    help: 'Run git fetch, or name a local branch, such as main:auth.yaml.',
  });
  expect(await read('a\u009b[2J', 'b\u001b[2J')).toMatchObject({
    reason: expect.not.stringMatching(/[\u001b\u009b]/),
    help: expect.not.stringMatching(/[\u001b\u009b]/),
  });
  // A URL is no name of a revision, and the path of a file that is missing may have the wrong form.
  for (const [revision, path] of [
    ['https', '//a.example/auth.yaml'],
    ['HEAD', 'auth.yaml'],
  ] as const) {
    expect(await read(revision, path)).toMatchObject({
      help: expect.stringMatching(/^The form is REVISION:PATH /),
    });
  }
});

test('git is not looked for in the current directory or in relative directories', async () => {
  const { path: folder } = temporaryFolder();
  const program = join(folder, 'git');
  const reply = `${'0'.repeat(40)} blob 3\nran\n`;
  writeFileSync(program, `#!/bin/sh\nprintf '${reply}'\n`, { mode: 0o755 });
  const read = () => readRevision({ revision: 'HEAD', path: 'auth.yaml' }, folder);
  vi.stubEnv('PATH', folder);
  expect(await read()).toMatchObject({ kind: 'bytes' });
  for (const path of ['', '.', `${delimiter}./`]) {
    vi.stubEnv('PATH', path);
    expect(await read()).toMatchObject({ reason: expect.stringMatching(/git is not installed$/) });
  }
  vi.unstubAllEnvs();
});

describe('the settings of a revision', () => {
  const settings = (version: string): string => `targetVersion: "${version}"\n`;
  // 1.33 has no v1.
  const beta = old.replace('k8s.io/v1', 'k8s.io/v1beta1');

  test('apply to its configuration, and those of the working tree to the other', async () => {
    const { code, stderr } = await runCaptured(['diff', 'HEAD:a/auth.yaml', 'a/auth.yaml'], {
      files: { 'a/.authgraph.yaml': settings('1.33'), 'a/auth.yaml': beta },
      revisions: { 'HEAD:a/auth.yaml': old, 'HEAD:.authgraph.yaml': settings('1.36') },
    });
    expect(stderr).toBe('');
    expect(code).toBe(0);
  });

  test.each([
    ['a file', ['diff', 'HEAD:a/auth.yaml', 'a/auth.yaml']],
    ['an unchanged file of a folder', ['diff', 'HEAD:a', 'a']],
  ])('decide whether %s can be loaded', async (_, args) => {
    const { code, stderr } = await runCaptured(args, {
      files: { 'a/auth.yaml': old },
      revisions: { 'HEAD:a/auth.yaml': old, 'HEAD:a/.authgraph.yaml': settings('1.33') },
    });
    expect(stderr).toContain('HEAD:a/auth.yaml');
    expect(code).toBe(2);
  });

  test('with a mistake cause a warning, because they cannot be fixed', async () => {
    const { code, stderr } = await runCaptured(['diff', 'HEAD:auth.yaml', 'auth.yaml'], {
      files: { 'auth.yaml': beta },
      revisions: {
        'HEAD:auth.yaml': beta,
        'HEAD:.authgraph.yaml': `targetVersio: x\n${settings('1.33')}`,
      },
    });
    expect(stderr).toMatch(/^warning: HEAD:\.authgraph\.yaml:1:1: .*targetVersio.*\n$/);
    expect(code).toBe(0);
  });

  const brokenText: FileText = {
    kind: 'text',
    text: settings('1.33'),
    broken: {
      code: 'AG0001',
      severity: 'error',
      source: 'server',
      name: 'not-utf-8',
      message: 'invalid UTF-8',
      help: '',
      related: [],
      fixes: [],
      span: { start: 0, end: 0 },
    },
  };
  test.each<[string, FileText, string]>([
    ['that is no UTF-8 text', brokenText, 'HEAD:.authgraph.yaml: invalid UTF-8'],
    [
      'that is too large',
      { kind: 'failure', reason: 'read HEAD:.authgraph.yaml: too large', isTooLarge: true },
      'read HEAD:.authgraph.yaml: too large',
    ],
  ])('in a file %s cause the same warning and are the default ones', async (_, file, warning) => {
    const { code, stderr } = await runCaptured(['diff', 'HEAD:auth.yaml', 'auth.yaml'], {
      files: { 'auth.yaml': old },
      revisions: { 'HEAD:auth.yaml': old, 'HEAD:.authgraph.yaml': file },
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: `warning: ${warning}\n` });
  });

  test('are those of the nearest folder of the repository', async () => {
    const { path: folder } = temporaryFolder();
    const git = (...args: readonly string[]): string =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@a.example', ...args], {
        cwd: folder,
        encoding: 'utf8',
      }).trim();
    git('init', '-q');
    for (const name of ['a/b', 'a/c', 'd/e']) mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, 'a/.authgraph.yaml'), settings('1.33'));
    symlinkSync('../.authgraph.yaml', join(folder, 'a/b/.authgraph.yaml'));
    const outside = { 'a/c': '../../../.authgraph.yaml', d: 'none.yaml', 'd/e': '../a' };
    for (const [name, target] of Object.entries(outside))
      symlinkSync(target, join(folder, name, '.authgraph.yaml'));
    for (const name of ['a/b/auth.yaml', 'd/auth.yaml']) writeFileSync(join(folder, name), old);
    git('add', '.');
    git('commit', '-qm', 'first');
    const find = (path: string, below = '', revision = 'HEAD') =>
      findInRevision({ revision, path }, '.authgraph.yaml', createGitCache(join(folder, below)));
    const top = git('rev-parse', '--show-toplevel');
    const target = 'HEAD:a/.authgraph.yaml';
    const found = { name: 'HEAD:a/b/.authgraph.yaml', target, top, unusable: [] };
    expect(await find('a/auth.yaml')).toEqual({ ...found, name: target });
    expect(await find('a/b/auth.yaml')).toEqual(found);
    expect(await find('a/b/auth.yaml', 'd')).toEqual(found);
    expect(await find('./b/auth.yaml', 'a')).toEqual(found);
    expect(await find('../b/auth.yaml', 'a/c')).toEqual(found);
    const unusable = ['HEAD:a/c/.authgraph.yaml'];
    expect(await find('a/c/auth.yaml')).toEqual({ ...found, name: target, unusable });
    expect(await find('d/e/auth.yaml')).toEqual({
      top,
      unusable: ['HEAD:d/e/.authgraph.yaml', 'HEAD:d/.authgraph.yaml'],
    });
    expect(await find('a/b/auth.yaml', '', 'none')).toBeUndefined();
  });

  test('are listed once for all folders of a revision', async () => {
    const { path: folder } = temporaryFolder();
    const log = join(folder, 'log');
    const program = join(folder, 'git');
    writeFileSync(program, `#!/bin/sh\necho "$@" >>${log}\n`, { mode: 0o755 });
    vi.stubEnv('PATH', folder);
    const git = createGitCache(folder);
    for (const path of ['a/auth.yaml', 'b/c/auth.yaml', './d/auth.yaml'])
      await findInRevision({ revision: 'HEAD', path }, '.authgraph.yaml', git);
    vi.unstubAllEnvs();
    const commands = readFileSync(log, 'utf8').split('\n');
    expect(commands.filter((line) => line.includes('rev-parse'))).toHaveLength(1);
    expect(commands.filter((line) => line.includes('ls-tree'))).toHaveLength(1);
  });
});
