/** `kubectl auth whoami` against our server. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LabEnvironment, makeLabEnvironment } from '../lab/lab-environment.ts';
import { type ConfiguredServer, startConfiguredServer } from '../support/configured-server.ts';
import { kubectlBuildMs, kubectlProgram, kubectlRelease } from '../support/kubectl.ts';
import { type Ran, runProgram } from '../support/serve-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const { path: folder, write } = temporaryFolder();
let program: string;
let lab: LabEnvironment;
let server: ConfiguredServer;

beforeAll(async () => {
  program = kubectlProgram();
  lab = await makeLabEnvironment();
  server = await startConfiguredServer(lab.configuration('k8s.io'));
  write('ca.pem', server.authorityPem ?? '');
}, kubectlBuildMs);

afterAll(async () => {
  await server?.close();
  await lab?.close();
});

const kubectl = (token: string, ...args: readonly string[]): Promise<Ran> => {
  const connection = [
    '--kubeconfig=/dev/null',
    `--server=${server.url}`,
    `--certificate-authority=${join(folder, 'ca.pem')}`,
    `--token=${lab.tokens.get(token) ?? ''}`,
  ];
  return runProgram(program, [...connection, ...args], { folder });
};

test('is the documented release', async () => {
  const { stdout } = await runProgram(program, ['version', '--client', '-o', 'json'], { folder });
  const version: string = JSON.parse(stdout).clientVersion.gitVersion;
  // A program built from its module alone has no version.
  expect(version === kubectlRelease || version.startsWith('v0.0.0')).toBe(true);
});

test('whoami as a table', async () => {
  expect(await kubectl('good', 'auth', 'whoami')).toEqual({
    code: 0,
    stderr: '',
    stdout: [
      'ATTRIBUTE                  VALUE',
      'Username                   oidc:jane',
      'UID                        j-1',
      'Groups                     [g1 g2 system:authenticated]',
      'Extra: example.com/dept    [eng]',
      'Extra: example.com/roles   [r1 r2]',
      '',
    ].join('\n'),
  });
});

test('whoami as JSON', async () => {
  const { code, stdout } = await kubectl('good', 'auth', 'whoami', '-o', 'json');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual({
    kind: 'SelfSubjectReview',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: { creationTimestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) },
    status: {
      userInfo: {
        username: 'oidc:jane',
        uid: 'j-1',
        groups: ['g1', 'g2', 'system:authenticated'],
        extra: { 'example.com/dept': ['eng'], 'example.com/roles': ['r1', 'r2'] },
      },
    },
  });
});

test('whoami as YAML', async () => {
  const { code, stdout } = await kubectl('unicode', 'auth', 'whoami', '-o', 'yaml');
  expect(code).toBe(0);
  expect(stdout.replace(/"\d{4}-[^"]+"/, 'TIME')).toBe(`apiVersion: authentication.k8s.io/v1
kind: SelfSubjectReview
metadata:
  creationTimestamp: TIME
status:
  userInfo:
    extra:
      example.com/dept:
      - eng
      example.com/roles:
      - r1
      - r2
    groups:
    - g1
    - g2
    - system:authenticated
    uid: j-1
    username: oidc:jürgen-ß-名
`);
});

test('whoami as a name', async () => {
  expect(await kubectl('good', 'auth', 'whoami', '-o', 'name')).toMatchObject({
    code: 0,
    stdout: 'selfsubjectreview.authentication.k8s.io/<unknown>\n',
  });
});

test.each(['expired', 'rogue', 'none', 'hs', 'tampered', 'sysuser'])(
  'a token that is %s must log in',
  async (token) => {
    expect(await kubectl(token, 'auth', 'whoami')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'error: You must be logged in to the server (Unauthorized)\n',
    });
  },
);

test('discovery and health answer', async () => {
  expect((await kubectl('good', 'get', '--raw', '/livez')).stdout).toBe('ok');
  const { stdout } = await kubectl('good', 'api-versions');
  expect(stdout.split('\n')).toContain('authentication.k8s.io/v1');
  const refused = await kubectl('good', 'get', '--raw', '/metrics');
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('forbidden: User "oidc:jane" cannot get path "/metrics"');
});
