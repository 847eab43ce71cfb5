/** `authgraph config set-credentials` with files. */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runCli } from '../../engine/src/cli/run.ts';
import { readKubeconfig } from '../../engine/src/documents/kubeconfig/kubeconfig.ts';
import { capturedIo, runCaptured } from '../support/captured-io.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const issuer = ['--issuer-url=https://issuer.example', '--client-id=kubernetes'];
const set = (args: readonly string[], variables: Readonly<Record<string, string>> = {}) =>
  runCaptured(['config', 'set-credentials', ...args], { variables });

/** Returns the user as client-go reads it. */
const userOf = (path: string, name: string) => {
  const contents = { kind: 'read', bytes: readFileSync(path) } as const;
  const reading = readKubeconfig({ path, directory: '/', contents });
  return reading.kind === 'kubeconfig' ? reading.kubeconfig.users.get(name) : undefined;
};

const execOf = (path: string, name: string): Record<string, unknown> => {
  const exec = userOf(path, name)?.get('exec');
  return exec instanceof Map ? Object.fromEntries(exec) : {};
};

test('creates ~/.kube/config, which only the user can access', async () => {
  const { path: home } = temporaryFolder(onTestFinished);
  const { code, stdout } = await set(
    [
      'jane',
      ...issuer,
      '--grant-type=device-code',
      '--scope=email',
      '--scope=offline_access',
      '--timeout=90s',
      '--skip-open-browser',
      '--cache-dir=cache',
    ],
    { HOME: home },
  );
  const path = join(home, '.kube/config');
  expect([code, stdout]).toEqual([0, `User "jane" added to ${path}.\n`]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(execOf(path, 'jane')).toMatchObject({
    apiVersion: 'client.authentication.k8s.io/v1',
    command: 'authgraph',
    interactiveMode: 'Never',
    args: [
      'get-token',
      '--issuer-url=https://issuer.example',
      '--client-id=kubernetes',
      '--grant-type=device-code',
      '--scope=email',
      '--scope=offline_access',
      '--skip-open-browser',
      '--timeout=90s',
      `--cache-dir=${join(process.cwd(), 'cache')}`,
    ],
  });
});

test('the home directory in --cache-dir=~/… is that of the user', async () => {
  const { path: home } = temporaryFolder(onTestFinished);
  await set(['jane', ...issuer, '--cache-dir=~/cache'], { HOME: home });
  expect(execOf(join(home, '.kube/config'), 'jane').args).toContain(`--cache-dir=${home}/cache`);
});

test('changes the file that has the user, through a link, and keeps its mode', async () => {
  const { path: folder, write } = temporaryFolder(onTestFinished);
  const first = write('first', 'users: []\n');
  const second = write('second', '# mine\nusers:\n- name: jane\n  user:\n    token: x\n');
  chmodSync(second, 0o640);
  const link = join(folder, 'link');
  symlinkSync('second', link);
  const { stdout, stderr } = await set(['jane', ...issuer], { KUBECONFIG: `${first}:${link}` });
  expect(stdout).toBe(`User "jane" changed in ${link}.\n`);
  expect(stderr).toBe('Removed other credentials of the user: token\n');
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(readFileSync(second, 'utf8')).toMatch(
    /^# mine\nusers:\n- name: jane\n {2}user:\n {4}exec:\n/,
  );
  expect(statSync(second).mode & 0o777).toBe(0o640);
  expect(readFileSync(first, 'utf8')).toBe('users: []\n');
  await set(['joe', ...issuer], { KUBECONFIG: `${folder}/missing:${first}:${link}` });
  expect(userOf(first, 'joe')?.has('exec')).toBe(true);
  expect(existsSync(join(folder, 'missing'))).toBe(false);
});

test('waits for no lock of kubectl, and removes its own', async () => {
  const { path: folder, write } = temporaryFolder(onTestFinished);
  const file = write('config', 'users: []\n');
  const lock = write('config.lock', '');
  const locked = await set(['jane', ...issuer, `--kubeconfig=${file}`]);
  expect(locked.code).toBe(2);
  expect(locked.stderr).toContain(`${lock} exists: another program is changing the file`);
  expect(readFileSync(file, 'utf8')).toBe('users: []\n');
  const other = join(folder, 'other/config');
  expect((await set(['jane', ...issuer, `--kubeconfig=${other}`])).code).toBe(0);
  expect(existsSync(`${other}.lock`)).toBe(false);
});

test.each<[string, string]>([
  ['no YAML', 'users: [\n'],
  ['no kubeconfig', '- a\n'],
])('a file with %s stays as it is', async (_, text) => {
  const { write } = temporaryFolder(onTestFinished);
  const file = write('config', text);
  const { code, stderr } = await set(['jane', ...issuer, `--kubeconfig=${file}`]);
  expect(code).toBe(2);
  expect(stderr).toContain(`error: ${file}: `);
  expect(readFileSync(file, 'utf8')).toBe(text);
  expect(existsSync(`${file}.lock`)).toBe(false);
});

test('a directory is reported', async () => {
  const { path: folder } = temporaryFolder(onTestFinished);
  mkdirSync(join(folder, 'config'));
  const { code, stderr } = await set(['jane', ...issuer, `--kubeconfig=${folder}/config`]);
  expect([code, stderr]).toEqual([2, `error: read ${folder}/config: is a directory\n`]);
});

test('as a plugin of kubectl, kubectl runs the program', async () => {
  const { path: folder } = temporaryFolder(onTestFinished);
  const file = join(folder, 'config');
  writeFileSync(file, '');
  const { io, out } = capturedIo();
  const args = ['config', 'set-credentials', 'jane', ...issuer, `--kubeconfig=${file}`];
  expect(await runCli(args, { ...io, programName: 'kubectl authgraph' })).toBe(0);
  expect(out.stdout).toBe(`User "jane" added to ${file}.\n`);
  expect(execOf(file, 'jane')).toMatchObject({
    command: 'kubectl',
    args: ['authgraph', 'get-token', ...issuer],
  });
});

test.each<[string, readonly string[]]>([
  ['specify the name of the user', issuer],
  ['you must specify a non-empty user name', ['', ...issuer]],
  ['specify an issuer with --issuer-url URL', ['jane', '--client-id=x']],
  ['specify a file with --kubeconfig FILE', ['jane', ...issuer]],
])('%s', async (message, args) => {
  const { code, stderr } = await set(args);
  expect(code).toBe(2);
  expect(stderr).toContain(message);
});
