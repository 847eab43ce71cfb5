/**
 * The server as the authentication webhook of kube-apiserver: kubectl calls kube-apiserver, which
 * calls us. Needs etcd, and kube-apiserver where `test/support/kube-apiserver.ts` looks for it.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { makeCert } from '../attacks/lib/der.mjs';
import { type LabEnvironment, makeLabEnvironment } from '../lab/lab-environment.ts';
import { testAuthority } from '../support/certificates.ts';
import { freePort } from '../support/free-port.ts';
import {
  type KubeApiserver,
  kubeApiserverProgram,
  startKubeApiserver,
} from '../support/kube-apiserver.ts';
import { kubectlBuildMs, kubectlProgram } from '../support/kubectl.ts';
import { type Ran, runProgram, type ServeProcess, serveProcess } from '../support/serve-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const program = kubeApiserverProgram();
const sample = readFileSync(
  join(import.meta.dirname, '../../samples/webhook-backend/webhook.kubeconfig'),
  'utf8',
);

describe.each(['v1', 'v1beta1'])('reviews of version %s', (version) => {
  const { path: folder, write } = temporaryFolder();
  let kubectl = '';
  let lab: LabEnvironment;
  let port = 0;
  let backend: ServeProcess;
  let apiServer: KubeApiserver;

  const startBackend = (path = '/authenticate', reviewer = 'kube-apiserver') =>
    serveProcess(
      folder,
      [
        '--authentication-config=authentication.yaml',
        '--client-ca-file=client-ca.crt',
        '--tls-cert-file=tls.crt',
        '--tls-private-key-file=tls.key',
        `--webhook-path=${path}`,
        `--token-review-open=user:${reviewer}`,
        '--decision-log=decisions.jsonl',
      ],
      port === undefined ? {} : { port },
    );

  beforeAll(async () => {
    kubectl = kubectlProgram();
    lab = await makeLabEnvironment();
    port = await freePort();
    const server = testAuthority();
    const clients = makeCert({ subject: [['CN', 'clients']], ca: true });
    const caller = makeCert({ subject: [['CN', 'kube-apiserver']] }, clients);
    const serving = server.issue();
    for (const [name, text] of [
      ['authentication.yaml', lab.configuration('k8s.io')],
      ['client-ca.crt', clients.pem],
      ['kube-apiserver.crt', caller.pem],
      ['kube-apiserver.key', caller.keyPem],
      ['authgraph-ca.crt', server.pem],
      ['tls.crt', serving.pem],
      ['tls.key', serving.keyPem],
      ['webhook.kubeconfig', sample.replace('127.0.0.1:7443', `127.0.0.1:${port}`)],
    ] as const) {
      write(name, text);
    }
    backend = await startBackend();
    apiServer = await startKubeApiserver(program, [
      `--authentication-token-webhook-config-file=${join(folder, 'webhook.kubeconfig')}`,
      `--authentication-token-webhook-version=${version}`,
    ]);
    write('api-ca.crt', apiServer.certificateAuthority);
    await vi.waitFor(
      async () => {
        const { stdout } = await asking(apiServer.token, 'get', '--raw', '/readyz');
        expect(stdout).toBe('ok');
      },
      { timeout: 60_000, interval: 500 },
    );
  }, kubectlBuildMs);

  afterAll(async () => {
    await apiServer?.stop();
    await backend?.stop();
    await lab?.close();
  });

  const asking = (token: string, ...args: readonly string[]): Promise<Ran> => {
    const connection = [
      '--kubeconfig=/dev/null',
      `--server=${apiServer.origin}`,
      `--certificate-authority=${join(folder, 'api-ca.crt')}`,
      `--token=${token}`,
    ];
    return runProgram(kubectl, [...connection, ...args], { folder });
  };
  const tokenOf = (name: string): string => lab.tokens.get(name) ?? '';
  const questions = (): number =>
    readFileSync(join(folder, 'decisions.jsonl'), 'utf8').split('"path":"/authenticate"').length -
    1;

  test('whoami at kube-apiserver prints the user of our configuration', async () => {
    const { stdout, code } = await asking(tokenOf('good'), 'auth', 'whoami');
    expect(code).toBe(0);
    expect(stdout).toBe(
      [
        'ATTRIBUTE                  VALUE',
        'Username                   oidc:jane',
        'UID                        j-1',
        'Groups                     [g1 g2 system:authenticated]',
        'Extra: example.com/dept    [eng]',
        'Extra: example.com/roles   [r1 r2]',
        '',
      ].join('\n'),
    );
  });

  test('roles of the cluster apply to that user', async () => {
    const list = ['get', 'namespaces', '-o', 'name'];
    expect((await asking(tokenOf('good'), ...list)).stderr).toContain(
      'User "oidc:jane" cannot list resource "namespaces"',
    );
    await asking(
      apiServer.token,
      ...['create', 'clusterrole', 'see', '--verb=list', '--resource=namespaces'],
    );
    await asking(
      apiServer.token,
      ...['create', 'clusterrolebinding', 'see', '--clusterrole=see', '--group=g1'],
    );
    await expect
      .poll(async () => (await asking(tokenOf('good'), ...list)).stdout, { timeout: 20_000 })
      .toContain('namespace/default');
  });

  test('a token that is never valid is reviewed once', async () => {
    const before = questions();
    for (let round = 0; round < 3; round += 1) {
      expect((await asking(tokenOf('expired'), 'auth', 'whoami')).stderr).toContain('Unauthorized');
    }
    await expect.poll(questions).toBe(before + 1);
  });

  test('a rule that rejects appears in the log of kube-apiserver, each time', async () => {
    const before = questions();
    for (let round = 0; round < 2; round += 1) {
      expect((await asking(tokenOf('hd'), 'auth', 'whoami')).stderr).toContain('Unauthorized');
    }
    await expect.poll(questions).toBe(before + 2);
    expect(apiServer.log()).toContain('hosted domain must be example.com (AG5019)');
    expect(apiServer.log()).not.toContain(tokenOf('hd').slice(0, 40));
  });

  test.each([
    [
      'a path that is not ours',
      '/elsewhere',
      'kube-apiserver',
      'cannot post path \\"/authenticate\\"',
    ],
    [
      'a caller without permission',
      '/authenticate',
      'somebody-else',
      'cannot create resource \\"tokenreviews\\"',
    ],
  ])('%s appears in the log of kube-apiserver', async (_name, path, reviewer, words) => {
    await backend.stop();
    backend = await startBackend(path, reviewer);
    const before = apiServer.log().length;
    expect((await asking(tokenOf('audstr'), 'auth', 'whoami')).stderr).toContain('Unauthorized');
    expect(apiServer.log().slice(before)).toContain(words);
  });

  test('while our server is down, static tokens work and ours get 401 at once; afterwards both work', async () => {
    await backend.stop();
    expect((await asking(apiServer.token, 'auth', 'whoami')).stdout).toContain('admin');
    const started = performance.now();
    expect((await asking(tokenOf('es'), 'auth', 'whoami')).stderr).toContain('Unauthorized');
    expect(performance.now() - started).toBeLessThan(10_000);
    backend = await startBackend();
    await expect
      .poll(async () => (await asking(tokenOf('es'), 'auth', 'whoami')).stdout, {
        timeout: 30_000,
      })
      .toContain('oidc:jane');
  });
});
