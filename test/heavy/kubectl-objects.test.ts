/** kubectl writes, reads and watches the stored kinds of a server without a cluster. */
import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSelfSigned } from '../../engine/src/server/tls/self-signed.ts';
import { freePort } from '../support/free-port.ts';
import { kubectlBuildMs, kubectlProgram } from '../support/kubectl.ts';
import { runProgram } from '../support/serve-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const { path: folder } = temporaryFolder();
const at = (name: string): string => join(folder, name);
let program: string;
let server: ChildProcess;
let url: string;

const started = async (process_: ChildProcess): Promise<string> => {
  const { stdout, stderr } = process_;
  if (stdout === null || stderr === null) throw new Error('no output to read');
  const lines: string[] = [];
  const found = Promise.withResolvers<string>();
  for (const stream of [stdout, stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line);
      const address = / on (?<url>https:\S+)/.exec(line)?.groups?.url;
      if (address !== undefined) found.resolve(address);
    });
  }
  process_.once('exit', () => found.reject(new Error(lines.join('\n'))));
  return found.promise;
};

beforeAll(async () => {
  program = kubectlProgram();
  const made = createSelfSigned({ hosts: ['127.0.0.1'], now: Date.now() });
  writeFileSync(at('server.pem'), made.certificatePem);
  writeFileSync(at('server.key'), made.privateKeyPem);
  writeFileSync(at('ca.pem'), made.authorityPem);
  writeFileSync(at('tokens.csv'), 'root,root,r-1,system:masters\nsue,sue,s-1\n');
  const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
  writeFileSync(at('sa.key'), keys.privateKey.export({ type: 'pkcs8', format: 'pem' }));
  writeFileSync(at('sa.pub'), keys.publicKey.export({ type: 'spki', format: 'pem' }));
  const main = join(import.meta.dirname, '../../engine/src/cli/main.ts');
  server = spawn(process.execPath, [
    main,
    'serve',
    '--bind-address=127.0.0.1',
    `--secure-port=${await freePort()}`,
    '--api-domain=k8s.io',
    `--tls-cert-file=${at('server.pem')}`,
    `--tls-private-key-file=${at('server.key')}`,
    `--token-auth-file=${at('tokens.csv')}`,
    `--service-account-key-file=${at('sa.pub')}`,
    `--service-account-signing-key-file=${at('sa.key')}`,
    '--service-account-issuer=https://accounts.example',
    '--store=sqlite',
    `--store-path=${at('objects.db')}`,
  ]);
  url = await started(server);
}, kubectlBuildMs);

afterAll(async () => {
  if (server?.exitCode === null) {
    const ended = once(server, 'exit');
    server.kill('SIGTERM');
    await ended;
  }
});

const as =
  (token: string) =>
  (...args: readonly string[]) => {
    const connection = [
      '--kubeconfig=/dev/null',
      `--server=${url}`,
      `--certificate-authority=${at('ca.pem')}`,
      `--token=${token}`,
    ];
    return runProgram(program, [...connection, ...args], { folder });
  };

const kubectl = as('root');

const manifest = (name: string, text: string): string => {
  writeFileSync(at(name), text);
  return at(name);
};

test('creates, applies, changes and deletes', async () => {
  const made = await kubectl('create', 'namespace', 'team');
  expect(made).toMatchObject({ code: 0, stdout: 'namespace/team created\n' });
  const text = (label: string) => `apiVersion: v1
kind: ServiceAccount
metadata: { name: app, namespace: team, labels: { stage: ${label} } }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: reader }
rules: [{ apiGroups: [''], resources: [serviceaccounts], verbs: [get, list, watch] }]
`;
  const apply = async (label: string) =>
    (await kubectl('apply', '-f', manifest('app.yaml', text(label)))).stdout;
  const role = 'clusterrole.rbac.authorization.k8s.io/reader';
  expect(await apply('one')).toBe(`serviceaccount/app created\n${role} created\n`);
  expect(await apply('one')).toBe(`serviceaccount/app unchanged\n${role} unchanged\n`);
  expect(await apply('two')).toBe(`serviceaccount/app configured\n${role} unchanged\n`);
  await kubectl('label', 'sa', 'app', '-n', 'team', 'more=yes');
  await kubectl('patch', 'sa', 'app', '-n', 'team', '-p', '{"metadata":{"labels":{"stage":null}}}');
  const shown = await kubectl(
    'get',
    'sa',
    'app',
    '-n',
    'team',
    '-o',
    'jsonpath={.metadata.labels}',
  );
  expect(JSON.parse(shown.stdout)).toEqual({ more: 'yes' });
  const described = await kubectl('describe', 'clusterrole', 'reader');
  expect(described.stdout).toContain(
    'serviceaccounts  []                 []              [get list watch]',
  );
  expect((await kubectl('delete', '-f', at('app.yaml'))).code).toBe(0);
  const gone = await kubectl('get', 'sa', 'app', '-n', 'team');
  expect(gone.stderr).toBe('Error from server (NotFound): serviceaccounts "app" not found\n');
});

test('prints tables and the resources of the server', async () => {
  const table = await kubectl('get', 'namespaces');
  expect(table.stdout.split('\n')[0]).toMatch(/^NAME +STATUS +AGE$/);
  const served = await kubectl(
    'api-resources',
    '--api-group=rbac.authorization.k8s.io',
    '-o',
    'name',
  );
  expect(served.stdout.split('\n')).toContain('clusterroles.rbac.authorization.k8s.io');
  const explained = await kubectl('explain', 'serviceaccount');
  expect(explained.stdout).toContain('automountServiceAccountToken');
});

test('watches until it is stopped', async () => {
  const watching = kubectl(
    'get',
    'sa',
    '-n',
    'default',
    '-w',
    '-o',
    'name',
    '--request-timeout=8s',
  );
  await expect
    .poll(() => kubectl('create', 'serviceaccount', 'late', '-n', 'default'), { timeout: 10_000 })
    .toMatchObject({ stderr: expect.stringContaining('already exists') });
  const { stdout } = await watching;
  expect(stdout.split('\n')).toContain('serviceaccount/late');
});

test('a token of a service account authenticates as it, and is allowed what its role allows', async () => {
  await kubectl('create', 'serviceaccount', 'bot', '-n', 'default');
  const { stdout: token, stderr } = await kubectl('create', 'token', 'bot', '-n', 'default');
  expect(stderr).toBe('');
  const bot = as(token.trim());
  expect((await bot('auth', 'whoami')).stdout).toContain('system:serviceaccount:default:bot');
  const list = ['get', 'sa', '-n', 'default', '-o', 'name'];
  expect((await bot(...list)).stderr).toContain('cannot list resource "serviceaccounts"');
  await kubectl(
    'create',
    'role',
    'look',
    '-n',
    'default',
    '--verb=get,list',
    '--resource=serviceaccounts',
  );
  await kubectl(
    'create',
    'rolebinding',
    'look',
    '-n',
    'default',
    '--role=look',
    '--serviceaccount=default:bot',
  );
  await expect.poll(async () => (await bot(...list)).stdout).toContain('serviceaccount/bot');
});

test('users cannot grant permissions that they do not hold', async () => {
  await kubectl('create', 'clusterrole', 'roles', '--verb=create', '--resource=clusterroles');
  await kubectl('create', 'clusterrolebinding', 'roles', '--clusterrole=roles', '--user=sue');
  const grant = () => as('sue')('create', 'clusterrole', 'all', '--verb=*', '--resource=secrets');
  await expect
    .poll(async () => (await grant()).stderr)
    .toContain('is attempting to grant RBAC permissions not currently held');
});

test('server-side apply is rejected, with the accepted content types', async () => {
  const { code, stderr } = await kubectl('apply', '--server-side', '-f', at('app.yaml'));
  expect(code).toBe(1);
  expect(stderr).toContain('accepted media types include: application/json-patch+json');
});

test('a namespace goes with its content', async () => {
  await kubectl('create', 'namespace', 'short');
  await kubectl('create', 'serviceaccount', 'inside', '-n', 'short');
  expect(await kubectl('delete', 'namespace', 'short')).toMatchObject({ code: 0 });
  expect((await kubectl('get', 'sa', '-n', 'short', '-o', 'name')).stdout).toBe('');
});
