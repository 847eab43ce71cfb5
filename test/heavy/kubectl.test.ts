/** `kubectl auth whoami` against our server. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultSettings } from '../../engine/src/compile/settings.ts';
import { nodePorts } from '../../engine/src/node/ports.ts';
import { type Serving, startServing } from '../../engine/src/server/configuration/serving.ts';
import { defaultServeOptions } from '../../engine/src/server/flags/options.ts';
import { type RunningServer, startServer } from '../../engine/src/server/server.ts';
import { type LabEnvironment, makeLabEnvironment } from '../lab/lab-environment.ts';
import { kubectlBuildMs, kubectlProgram, kubectlRelease } from '../support/kubectl.ts';

const folder = mkdtempSync(join(tmpdir(), 'authgraph-kubectl-'));
const ports = nodePorts();
let program: string;
let lab: LabEnvironment;
let serving: Serving;
let server: RunningServer;

beforeAll(async () => {
  program = kubectlProgram();
  lab = await makeLabEnvironment();
  const start = await startServing({
    configuration: { kind: 'text', name: 'authn.yaml', text: lab.configuration('k8s.io') },
    settings: defaultSettings,
    ports,
    link: { mode: 'product', jwksRefetch: 'throttled' },
    report: () => {},
  });
  if (start.kind !== 'serving') throw new Error(JSON.stringify(start));
  serving = start.serving;
  await serving.waitForDiscovery(AbortSignal.timeout(10_000));
  server = await startServer({
    options: { ...defaultServeOptions(), bindAddress: '127.0.0.1', securePort: 0 },
    holder: serving.holder,
    ports,
  });
  writeFileSync(join(folder, 'ca.pem'), server.authorityPem ?? '');
}, kubectlBuildMs);

afterAll(async () => {
  await server?.close(1000);
  await serving?.close();
  await ports.http.close();
  await lab?.close();
  rmSync(folder, { recursive: true });
});

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const run = promisify(execFile);

const kubectl = async (token: string, ...args: readonly string[]): Promise<Ran> => {
  const connection = [
    '--kubeconfig=/dev/null',
    `--server=${server.url}`,
    `--certificate-authority=${join(folder, 'ca.pem')}`,
    `--token=${lab.tokens.get(token) ?? ''}`,
  ];
  try {
    const { stdout, stderr } = await run(program, [...connection, ...args], {
      env: { PATH: process.env.PATH, HOME: folder },
    });
    return { code: 0, stdout, stderr };
  } catch (cause) {
    const failed = cause as { code: number; stdout: string; stderr: string };
    return { code: failed.code, stdout: failed.stdout, stderr: failed.stderr };
  }
};

test('is the documented release', async () => {
  const { stdout } = await run(program, ['version', '--client', '-o', 'json']);
  const version: string = JSON.parse(stdout).clientVersion.gitVersion;
  // A program built from its module alone does not know its own version.
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
