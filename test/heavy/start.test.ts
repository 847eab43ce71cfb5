/** The built program: optimizations of its start change no output. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';

const engine = join(import.meta.dirname, '../../engine');
const { path: folder, write } = temporaryFolder();

const source = ['--conditions=source', '--no-warnings', join(engine, 'src/cli/main.ts')];
const built = [join(engine, 'dist/cli/main.js')];
const modulesAlone = [join(folder, 'dist/cli/main.js')];

const run = (program: readonly string[], args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...program, ...args], {
    cwd: folder,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
};

const config = `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer: {url: https://issuer.example, audiences: [app]}
  claimMappings:
    username: {expression: '"i:" + claims.sub'}
    groups: {expression: 'dyn(claims.roles).map(r, "r:" + r)'}
  userValidationRules:
  - {expression: '!user.username.matches("^i:x")', message: no x}
`;

beforeAll(() => {
  write('auth.yaml', config);
  const claims = { iss: 'https://issuer.example', sub: 'jane', roles: ['a', 'b'] };
  write('jane.json', JSON.stringify(claims));
  write('xenia.json', JSON.stringify({ ...claims, sub: 'xenia' }));
  write('untrusted.json', JSON.stringify({ ...claims, iss: 'https://a' }));
  expect(run(source, ['compile', 'auth.yaml', '--out', 'graph.json']).stderr).toMatch(/^wrote /);
  const text = readFileSync(join(folder, 'graph.json'), 'utf8');
  write('changed.json', text.replace('"r:"', '"s:"'));
  const made = ['cache', 'bundle'].map((name) => join(engine, 'dist/cli', name));
  cpSync(join(engine, 'dist'), join(folder, 'dist'), {
    recursive: true,
    filter: (path) => !made.includes(path),
  });
  cpSync(join(engine, 'package.json'), join(folder, 'package.json'));
  symlinkSync(join(engine, '../node_modules'), join(folder, 'node_modules'), 'junction');
});

describe.each(['graph.json', 'auth.yaml', 'changed.json', 'nothing.json'])('with %s', (file) => {
  test.each([
    ['--claims', 'jane.json'],
    ['--claims', 'jane.json', '--explain'],
    ['--claims', 'xenia.json', '--explain', '-o', 'json'],
    ['--claims', 'untrusted.json', '-o', 'yaml'],
    ['--token-file', 'jane.json', '--fetch'],
    ['--help'],
    ['--clams', 'jane.json'],
  ])('the built program prints the same as its source: %s %s %s', (...args) => {
    const asked = ['whoami', '-c', file, ...args];
    const answer = run(source, asked);
    expect(answer.stderr).not.toContain('internal error of authgraph');
    expect(run(built, asked)).toEqual(answer);
  });
});

test('nothing of it is needed', () => {
  expect(existsSync(join(folder, 'dist/cli/bundle'))).toBe(false);
  const asked = ['whoami', '-c', 'graph.json', '--claims', 'jane.json'];
  expect(run(modulesAlone, asked)).toEqual(run(source, asked));
});

test('other commands and mistakes', () => {
  for (const args of [[], ['--version'], ['chek'], ['check', 'auth.yaml'], ['graph', 'graph.json']])
    expect(run(built, args)).toEqual(run(source, args));
});

// A limit of time would not hold on every machine; a limit of loaded modules does.
test('claims with an artifact load no module of Node that is slow to load', () => {
  const listing = join(folder, 'listing.cjs');
  writeFileSync(
    listing,
    `process.on('exit', () => require('node:fs').writeFileSync('loaded.txt', process.moduleLoadList.join('\\n')));`,
  );
  const program = ['--require', listing, ...built];
  const { status } = run(program, ['whoami', '-c', 'graph.json', '--claims', 'jane.json']);
  expect(status).toBe(0);
  const loaded = readFileSync(join(folder, 'loaded.txt'), 'utf8').split('\n');
  const slow = [
    'crypto',
    'stream',
    'net',
    'tty',
    'internal/fs/promises',
    'internal/abort_controller',
  ];
  expect(loaded).toContain('NativeModule fs');
  expect(loaded.filter((name) => slow.includes(name.replace('NativeModule ', '')))).toEqual([]);
});

test('no file of the published package names a place on the machine that built it', () => {
  const { stdout } = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: engine,
    encoding: 'utf8',
  });
  const [{ files }]: readonly [{ readonly files: readonly { readonly path: string }[] }] =
    JSON.parse(stdout);
  const paths = files.map(({ path }) => path);
  expect(paths).toContain('dist/cli/bundle/start.js');
  expect(paths).toContain('dist/cli/cache/README.txt');
  const root = join(engine, '..');
  expect(paths.filter((path) => readFileSync(join(engine, path)).includes(root))).toEqual([]);
});
