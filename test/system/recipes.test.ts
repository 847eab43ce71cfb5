/**
 * The recipes for kubeadm, kind and k3s: kube-apiserver accepts their flags and files, and calls the server of
 * deploy/static-pod, which runs with the arguments of its manifest. kubeadm, kind and k3s themselves are not run. systemd
 * accepts the unit.
 */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { goBuildMs } from '../../deploy/go-programs/go-program.ts';
import { issueCertificate } from '../../engine/src/server/tls/issue-certificate.ts';
import { testAuthority } from '../support/certificates.ts';
import { freePort } from '../support/free-port.ts';
import { type IdentityProvider, startIdentityProvider } from '../support/identity-provider.ts';
import { runProgram, type ServeProcess, serveProcess } from '../support/serve-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { deployFolder } from './chart.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { nodeDirectory, recipes, recipesOf } from './recipes.ts';

const temporary = temporaryFolder();
const { path: folder } = temporary;
const onNode = (argument: string): string =>
  argument.replaceAll(nodeDirectory, join(folder, 'node'));
const webhookSample = join(import.meta.dirname, '../../samples/webhook-backend/webhook.kubeconfig');
let provider: IdentityProvider;
let server: ServeProcess;
let port = 0;

beforeAll(async () => {
  const issuer = testAuthority('issuer');
  provider = await startIdentityProvider(issuer, 'my-cluster');
  port = await freePort();
  const validity = { notBefore: Date.now() - 1_000, notAfter: Date.now() + 86_400_000 };
  const authority = (commonName: string) =>
    issueCertificate({ commonName, role: 'authority', ...validity });
  const [serving, clients] = [authority('serving'), authority('clients')];
  const tls = issueCertificate(
    { commonName: 'localhost', role: 'server', hosts: ['127.0.0.1'], ...validity },
    serving,
  );
  const caller = issueCertificate(
    { commonName: 'kube-apiserver', role: 'client', ...validity },
    clients,
  );
  const webhook = readFileSync(webhookSample, 'utf8')
    .replace('authgraph-ca.crt', 'ca.crt')
    .replace('127.0.0.1:7443', `127.0.0.1:${port}`);
  for (const [name, content] of [
    [
      'authentication.yaml',
      JSON.stringify({
        apiVersion: 'apiserver.config.k8s.io/v1',
        kind: 'AuthenticationConfiguration',
        jwt: [
          {
            issuer: {
              url: provider.issuer,
              audiences: ['my-cluster'],
              certificateAuthority: issuer.pem,
            },
            claimMappings: { username: { claim: 'sub', prefix: 'robot:' } },
          },
        ],
      }),
    ],
    ['tls.crt', tls.certificatePem],
    ['tls.key', tls.privateKeyPem],
    ['client/ca.crt', clients.certificatePem],
    ['ca.crt', serving.certificatePem],
    ['kube-apiserver.crt', caller.certificatePem],
    ['kube-apiserver.key', caller.privateKeyPem],
    ['webhook.kubeconfig', webhook],
  ] as const) {
    const path = join(folder, 'node', name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content, { mode: 0o600 });
  }
  const { spec } = parse(readFileSync(join(deployFolder, 'static-pod/authgraph.yaml'), 'utf8'));
  const [, ...flags]: readonly string[] = spec.containers[0].args;
  server = await serveProcess(
    folder,
    flags.map((flag) => onNode(flag).replace('--secure-port=7443', `--secure-port=${port}`)),
    { port },
  );
}, goBuildMs);

afterAll(async () => {
  await server?.stop();
  await provider?.stop();
});

describe.each(recipes)('%s', (name) => {
  const versions = recipesOf(name);
  const [{ flags, directories } = { flags: [], directories: [] }] = versions;
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster(temporary, flags.map(onNode));
  }, goBuildMs);
  afterAll(() => cluster?.stop());

  test('every version of the recipe has the same flags', () => {
    for (const version of versions) expect(version).toEqual({ flags, directories });
  });

  test('kube-apiserver can read the files that the flags name', () => {
    const files = flags
      .filter((flag) => flag.includes('=/'))
      .map((flag) => flag.replace(/.*?=/, ''));
    expect(files).not.toHaveLength(0);
    for (const file of files) {
      expect(directories.some((directory) => `${file}/`.startsWith(directory))).toBe(true);
    }
  });

  test('kube-apiserver authenticates tokens by the server of the static pod', async () => {
    const who = async (token: string) =>
      await cluster.kubectlAs(
        token,
        'auth',
        'whoami',
        '-o',
        'jsonpath={.status.userInfo.username}',
      );
    expect(await who(await provider.token())).toMatchObject({ code: 0, stdout: 'robot:robot' });
    expect((await who('eyJhbGciOiJub25lIn0.e30.')).stderr).toContain('Unauthorized');
  });
});

describe('the unit of systemd', () => {
  const unit = readFileSync(join(deployFolder, 'systemd/authgraph.service'), 'utf8');

  test('systemd accepts it, and finds little that it could do to the machine', async () => {
    const file = temporary.write(
      'authgraph.service',
      // systemd checks that the programs and the documentation exist.
      unit.replaceAll('/usr/bin/authgraph', process.execPath),
    );
    chmodSync(file, 0o644);
    const verify = await runProgram('systemd-analyze', ['verify', file], { folder });
    expect(verify).toEqual({ code: 0, stdout: '', stderr: '' });
    const security = await runProgram(
      'systemd-analyze',
      ['security', '--offline=yes', '--threshold=15', file],
      { folder },
    );
    expect([security.code, security.stdout.split('\n').at(-2)]).toEqual([
      0,
      expect.stringContaining('OK'),
    ]);
  });
});
