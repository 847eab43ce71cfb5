/**
 * Each command in a plain block of README.md and the pages: the commands of AuthGraph that work without a server are
 * run with sample files, and all others have a reason. Console blocks are run by console-blocks.test.ts.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { wordsOf } from '../../.ci/pages/console-blocks.ts';
import { exitCodes } from '../../engine/src/cli/exit-codes.ts';
import { runCaptured } from '../support/captured-io.ts';
import { notRunCommands } from './not-run-commands.ts';

const root = join(import.meta.dirname, '../..');
const pages = globSync(['README.md', 'docs/**/*.md', 'samples/*.md', 'deploy/**/*.md'], {
  cwd: root,
}).sort();
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const configuration = read('docs/examples/fixed.yaml');
const claims = read('docs/examples/jane.claims.json');
const flags =
  'apiVersion: kubeadm.k8s.io/v1beta4\nkind: ClusterConfiguration\napiServer:\n  extraArgs:\n' +
  '  - {name: oidc-issuer-url, value: https://issuer.example}\n  - {name: oidc-client-id, value: app}\n';

/** The files that pages name and readers have, and standard input. */
const files: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    globSync('{docs/examples,samples}/**/*.{yaml,json}', { cwd: root }).map((path) => [
      path,
      read(path),
    ]),
  ),
  ...Object.fromEntries(
    globSync('*.{yaml,json}', { cwd: join(root, 'samples/jwt') }).map((name) => [
      name,
      read(`samples/jwt/${name}`),
    ]),
  ),
  '-': configuration,
  'auth.yaml': configuration,
  'authentication.yaml': configuration,
  '/etc/kubernetes/auth/authentication.yaml': configuration,
  'old.yaml': configuration,
  'before.yaml': configuration,
  'new.yaml': read('docs/examples/proposed.yaml'),
  'auth.v1beta1.yaml': configuration.replace('/v1\n', '/v1beta1\n'),
  'kubeadm.yaml': flags,
  'config/auth.yaml': configuration,
  'clusters/auth.yaml': configuration,
  '../release-42/clusters/auth.yaml': configuration,
  'before/auth.yaml': configuration,
  'after/auth.yaml': read('docs/examples/proposed.yaml'),
  'servers.prom': read('docs/examples/servers.prom'),
  'claims.json': claims,
  'jane.claims.json': claims,
  'ci.claims.json': claims,
  'bob.claims.yaml': 'sub: bob\n',
  'roles.yaml': read('samples/impersonation/roles.json'),
  '../impersonation/roles.json': read('samples/impersonation/roles.json'),
};

/** The files of Git revisions that pages name. */
const revisions = {
  'HEAD:auth.yaml': configuration,
  'origin/main:auth.yaml': configuration,
  'origin/main:authentication.yaml': configuration,
  'origin/main:./clusters/auth.yaml': configuration,
  'HEAD:clusters/auth.yaml': configuration,
};

interface Block {
  readonly place: string;
  readonly text: string;
}

/** Returns the blocks without a language, and those of a shell. */
const blocksOf = (page: string): readonly Block[] =>
  Array.from(
    read(page).matchAll(/^( *)```(.*)\n([\s\S]*?)\n\1```$/gm),
    ({ index, 1: indent = '', 2: language = '', 3: text = '' }) => ({
      language,
      place: `${page}:${read(page).slice(0, index).split('\n').length}`,
      text: text.replaceAll(`\n${indent}`, '\n').slice(indent.length),
    }),
  ).filter(({ language }) => ['', 'sh', 'shell'].includes(language));

/** The tests that run the `bash` blocks of a page, one after another. */
const shellTests: ReadonlyMap<string, string> = new Map([
  ['docs/ci.md', 'test/heavy/ci-kit.test.ts'],
]);

/** Returns the commands of a block; those of a pipe, and of `&&` within it, are separate. */
const commandsOf = (text: string): readonly string[] =>
  text
    .replaceAll(/\\\n\s*/g, '')
    .replaceAll(/ <<(\w+)\n[\s\S]*?\n\1$/gm, '')
    .split('\n')
    .map((line) => line.replace(/\s+# .*$/, '').replace(/^(?:[A-Z_]+=\S+ )+/, ''))
    .filter((line) => line !== '' && !line.startsWith('#'))
    .flatMap((line) => (line.includes('$(') ? [line] : line.split(/ \| (?![^']*'$)/)))
    .map((command) => command.trim().replace(/^(?:npx |kubectl )(?=authgraph )/, ''));

const all = pages.flatMap((page) =>
  blocksOf(page).flatMap(({ place, text }) =>
    commandsOf(text).map((command) => ({ place, command })),
  ),
);
const isRun = ({ command }: { readonly command: string }): boolean =>
  command.startsWith('authgraph ') && !notRunCommands.some((row) => row.command.test(command));

test('each command is run, or has a reason why it is not', () => {
  expect(all.length).toBeGreaterThan(100);
  const unknown = all.filter(
    ({ command }) =>
      !command.startsWith('authgraph ') && !notRunCommands.some((row) => row.command.test(command)),
  );
  expect(unknown).toEqual([]);
});

test('the tests that run other commands exist', () => {
  const named = notRunCommands.flatMap(
    ({ reason }) => reason.match(/(?:test|bench)\/[\w./-]*\w/g) ?? [],
  );
  expect(named.length).toBeGreaterThan(15);
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('a test runs the bash blocks of a page', () => {
  for (const page of pages.filter((path) => /^ *```bash/m.test(read(path)))) {
    const path = shellTests.get(page);
    expect(path, page).toBeDefined();
    expect(read(path ?? '')).toContain(`'${page}'`);
  }
});

test.each(notRunCommands)('a page has a command that matches $command', (row) => {
  expect(all.some(({ command }) => row.command.test(command))).toBe(true);
});

/** Words after `authgraph`, without redirections; `*` stands for the file that a shell would find. */
const argumentsOf = (command: string): readonly string[] =>
  wordsOf(command.replace(/ [<>] .*$/, ''))
    .slice(1)
    .map((word) => (word.includes('*.yaml') ? word.replace('*.yaml', 'auth.yaml') : word));

describe('commands that work without a server', () => {
  const run = [...new Map(all.filter(isRun).map((row) => [row.command, row])).values()];
  test.each(run)('$place: $command', async ({ command }) => {
    // `new` writes files that do not exist yet.
    const given = command.startsWith('authgraph new') ? {} : files;
    const { code, stderr } = await runCaptured(argumentsOf(command), { files: given, revisions });
    expect(code === exitCodes.failed ? stderr : '').toBe('');
  });
});

describe('flags of the other commands of AuthGraph', () => {
  const rest = all.filter(
    (row) => row.command.startsWith('authgraph ') && !isRun(row) && row.command.includes(' --'),
  );
  test.each([...new Map(rest.map((row) => [row.command, row])).values()])(
    '$place: $command',
    async ({ command }) => {
      const words = argumentsOf(command);
      const named = words.filter((word) => word.startsWith('--')).map((word) => word.split('=')[0]);
      const name = words.slice(0, ['auth', 'config'].includes(words[0] ?? '') ? 2 : 1);
      const help = await runCaptured([...name, '--help=all']);
      const known = help.code === 0 ? help : await runCaptured([...name, '--help']);
      expect(named.filter((flag) => !known.stdout.includes(`${flag}`))).toEqual([]);
    },
  );
});
