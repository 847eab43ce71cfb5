/**
 * The chart in a cluster: kube-apiserver with its etcd, started with the flags of the recipe for kubeadm; the server, started
 * from the manifests that helm installed; tokens of an OpenID provider; kubectl as the user. A kubelet and kube-proxy are
 * missing here: `kubelet.ts` does the first one's part, and the Service's address is replaced in webhook.kubeconfig.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { goBuildMs } from '../../deploy/go-programs/go-program.ts';
import { issueCertificate } from '../../engine/src/server/tls/issue-certificate.ts';
import { testAuthority } from '../support/certificates.ts';
import { freePort } from '../support/free-port.ts';
import { sendHttps } from '../support/https-request.ts';
import { type IdentityProvider, startIdentityProvider } from '../support/identity-provider.ts';
import { kubectlProgram } from '../support/kubectl.ts';
import { runUntil } from '../support/serve-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { chartFolder, find, helm, objectsIn, render } from './chart.ts';
import { type Cluster, namespace, startCluster } from './cluster.ts';
import { type RunningPod, runPod } from './kubelet.ts';
import { nodeDirectory, recipesOf } from './recipes.ts';

const temporary = temporaryFolder();
const { path: folder, write } = temporary;
const day = 86_400_000;
const validity = { notBefore: Date.now() - day, notAfter: Date.now() + 30 * day };
const servingAuthority = issueCertificate({
  commonName: 'serving-ca',
  role: 'authority',
  ...validity,
});
const clientAuthority = issueCertificate({
  commonName: 'client-ca',
  role: 'authority',
  ...validity,
});
const clientOf = (commonName: string) =>
  issueCertificate({ commonName, role: 'client', ...validity }, clientAuthority);
const prometheus = clientOf('prometheus');
const host = `authgraph.${namespace}.svc`;
const serviceAddress = '10.0.0.200';

let port = 0;
let provider: IdentityProvider;
let cluster: Cluster;
let pod: RunningPod;

/** Values of the chart; the prefix of usernames distinguishes configurations. */
const valuesFile = (name: string, username: object): string =>
  write(
    name,
    JSON.stringify({
      authenticationConfiguration: {
        jwt: [
          {
            issuer: {
              url: provider.issuer,
              audiences: ['my-cluster'],
              certificateAuthority: issuerAuthority.pem,
            },
            claimMappings: { username, groups: { expression: '["robots"]' } },
          },
        ],
      },
      port,
      bindAddress: '127.0.0.1',
      service: { clusterIP: serviceAddress },
      decisionLog: true,
    }),
  );
const issuerAuthority = testAuthority('issuer');

const secret = (name: string, data: Readonly<Record<string, string>>): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace },
    stringData: data,
  });

const servingSecret = (): { readonly certificate: string; readonly manifest: string } => {
  const { certificatePem, privateKeyPem } = issueCertificate(
    { commonName: host, role: 'server', hosts: [host, '127.0.0.1', serviceAddress], ...validity },
    servingAuthority,
  );
  return {
    certificate: certificatePem,
    manifest: secret('authgraph-serving', {
      'tls.crt': certificatePem,
      'tls.key': privateKeyPem,
      'ca.crt': servingAuthority.certificatePem,
    }),
  };
};

beforeAll(async () => {
  port = await freePort();
  provider = await startIdentityProvider(issuerAuthority, 'my-cluster');
  const values = valuesFile('values.yaml', { claim: 'sub', prefix: 'robot:' });

  // The files of the control plane node, where the recipe says.
  const kubeconfig = find(
    objectsIn(await render(folder, '--values', values)),
    'ConfigMap',
    '-kube-apiserver',
  );
  const node = (name: string): string => `node-${name}`;
  const client = clientOf('kube-apiserver');
  write(node('ca.crt'), servingAuthority.certificatePem);
  write(node('kube-apiserver.crt'), client.certificatePem);
  write(node('kube-apiserver.key'), client.privateKeyPem);
  write(
    node('webhook.kubeconfig'),
    kubeconfig.data['webhook.kubeconfig']
      .replace(`https://${serviceAddress}:443/`, `https://127.0.0.1:${port}/`)
      .replaceAll(`${nodeDirectory}/`, `${join(folder, node(''))}`),
  );
  const [{ flags } = { flags: [] }] = recipesOf('kubeadm');
  const onNode = flags.map((flag) =>
    flag.replace(`=${nodeDirectory}/`, `=${join(folder, node(''))}`),
  );
  cluster = await startCluster(temporary, onNode);

  for (const manifest of [
    servingSecret().manifest,
    secret('authgraph-client-ca', { 'ca.crt': clientAuthority.certificatePem }),
  ]) {
    expect((await cluster.kubectl(['apply', '-f', '-'], manifest)).stderr).toBe('');
  }
  expect(await release('install', values)).toContain('STATUS: deployed');
  const { spec } = await cluster.get('deployment', 'authgraph');
  pod = await runPod(spec.template.spec, { folder, read: cluster.get });
}, goBuildMs);

afterAll(async () => {
  await pod?.server.stop();
  await cluster?.stop();
  await provider?.stop();
});

/** Runs `helm install` or `helm upgrade`; returns what it prints. */
const release = async (action: string, values: string): Promise<string> => {
  const args = [action, 'authgraph', chartFolder, `--namespace=${namespace}`, `--values=${values}`];
  const { code, stdout, stderr } = await helm(
    folder,
    ...args,
    `--kubeconfig=${cluster.kubeconfig}`,
  );
  if (code !== 0) throw new Error(stderr);
  return stdout;
};

const whoami = async (token: string): Promise<string> => {
  const { stdout, stderr } = await cluster.kubectlAs(token, 'auth', 'whoami', '-o', 'json');
  return stdout === '' ? stderr.trim() : JSON.parse(stdout).status.userInfo.username;
};
const unauthorized = 'error: You must be logged in to the server (Unauthorized)';

const metrics = async (certificate?: { readonly pem: string; readonly keyPem: string }) =>
  sendHttps({
    port,
    path: '/metrics',
    authority: servingAuthority.certificatePem,
    ...(certificate === undefined ? {} : { certificate }),
  });
const asPrometheus = { pem: prometheus.certificatePem, keyPem: prometheus.privateKeyPem };

test('the probes of the manifest succeed', async () => {
  await expect
    .poll(() => pod.probe(), { timeout: 20_000 })
    .toEqual({ startupProbe: 200, livenessProbe: 200, readinessProbe: 200 });
});

test('kubectl auth whoami prints the user of the configuration in the ConfigMap', async () => {
  const token = await provider.token();
  const { stdout } = await cluster.kubectlAs(token, 'auth', 'whoami', '-o', 'json');
  expect(JSON.parse(stdout).status.userInfo).toMatchObject({
    username: 'robot:robot',
    groups: ['robots', 'system:authenticated'],
  });
  expect(await whoami('not-a-token')).toBe(unauthorized);
});

test('get, apply and watch work for that user as far as roles allow', async () => {
  const token = await provider.token();
  const get = () => cluster.kubectlAs(token, 'get', 'configmaps', '-o', 'name');
  expect((await get()).stderr).toContain('User "robot:robot" cannot list resource "configmaps"');
  await cluster.kubectl([
    ...['create', 'role', 'configure', '--resource=configmaps'],
    '--verb=get,list,watch,create,patch',
  ]);
  await cluster.kubectl(['create', 'rolebinding', 'robots', '--role=configure', '--group=robots']);
  await expect
    .poll(async () => (await get()).stdout, { timeout: 20_000 })
    .toContain('configmap/authgraph-roles');

  const object = (value: string) =>
    write(
      'object.json',
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'mine' },
        data: { value },
      }),
    );
  const apply = (value: string) =>
    cluster.kubectlAs(token, 'apply', '--server-side', '-f', object(value));
  expect(await apply('first')).toMatchObject({
    code: 0,
    stdout: 'configmap/mine serverside-applied\n',
  });

  const watched = await runUntil(
    kubectlProgram(),
    [
      ...cluster.connection(token),
      'get',
      'configmap',
      'mine',
      '--watch',
      '-o',
      'jsonpath={.data.value}{"\\n"}',
    ],
    {
      folder,
      fits: /^first\nsecond\n/,
      // Not earlier: the list before the watch would contain the second value already.
      onFirstOutput: () => expect(apply('second')).resolves.toMatchObject({ code: 0 }),
    },
  );
  expect(watched).toBe('first\nsecond\n');
});

describe('keys and tokens of the issuer', () => {
  test('a token that is signed with a new key is accepted, without a restart', async () => {
    const before = await provider.token();
    provider.rotateKeys({ keep: true });
    const after = await provider.token();
    expect(await whoami(after)).toBe('robot:robot');
    expect(await whoami(before)).toBe('robot:robot');
  });

  test('while the issuer is down, known keys are enough, and a new key is rejected until it is back', async () => {
    const known = await provider.token();
    provider.rotateKeys();
    const unknown = await provider.token();
    await provider.stop();
    expect(await whoami(known)).toBe('robot:robot');
    expect(await whoami(unknown)).toBe(unauthorized);
    expect((await pod.probe()).readinessProbe).toBe(200);
    await provider.start();
    await expect
      .poll(() => whoami(unknown), { timeout: 40_000, interval: 1_000 })
      .toBe('robot:robot');
  });
});

test('a renewed serving certificate is used without a restart', async () => {
  const { certificate, manifest } = servingSecret();
  await cluster.kubectl(['apply', '-f', '-'], manifest);
  await pod.synchronize();
  const served = async (): Promise<string> => {
    const { connect } = await import('node:tls');
    return new Promise((resolve, reject) => {
      const socket = connect(
        { host: '127.0.0.1', port, ca: servingAuthority.certificatePem, servername: host },
        () => {
          resolve(socket.getPeerX509Certificate()?.toString().trim() ?? '');
          socket.destroy();
        },
      ).on('error', reject);
    });
  };
  await expect.poll(served, { timeout: 10_000 }).toBe(certificate.trim());
  expect(await whoami(await provider.token())).toBe('robot:robot');
});

describe('a bad configuration', () => {
  const reloads = async (): Promise<readonly string[]> => {
    const { body } = await metrics(asPrometheus);
    return [
      ...body.matchAll(
        /^apiserver_authentication_config_controller_automatic_reloads_total\{.*status="(\w+)".*\} (\d+)$/gm,
      ),
    ].map(([, status, count]) => `${status} ${count}`);
  };

  test('is reported, and the last good one stays active until helm rolls back', async () => {
    await release('upgrade', valuesFile('bad.yaml', { expression: 'claims.sub +' }));
    await pod.synchronize();
    await expect.poll(reloads, { timeout: 10_000 }).toEqual(['failure 1']);
    expect(pod.server.output()).toContain('jwt[0].claimMappings.username.expression');
    expect(await whoami(await provider.token())).toBe('robot:robot');

    const { code, stderr } = await helm(
      folder,
      ...[
        'rollback',
        'authgraph',
        `--namespace=${namespace}`,
        `--kubeconfig=${cluster.kubeconfig}`,
      ],
    );
    expect([code, stderr]).toEqual([0, '']);
    await pod.synchronize();
    expect(await whoami(await provider.token())).toBe('robot:robot');
  });

  test('does not prevent the next good one', async () => {
    await release('upgrade', valuesFile('good.yaml', { claim: 'sub', prefix: 'machine:' }));
    await pod.synchronize();
    await expect
      .poll(async () => whoami(await provider.token()), { timeout: 10_000 })
      .toBe('machine:robot');
    expect((await reloads()).toSorted()).toEqual(['failure 1', 'success 1']);
  });
});

describe('monitoring', () => {
  test('only the user prometheus reads the metrics', async () => {
    expect((await metrics()).status).toBe(401);
    const other = clientOf('kube-apiserver');
    expect((await metrics({ pem: other.certificatePem, keyPem: other.privateKeyPem })).status).toBe(
      403,
    );
    expect((await metrics(asPrometheus)).status).toBe(200);
  });

  test('the series of the alerts are there after these tests', async () => {
    const { body } = await metrics(asPrometheus);
    for (const series of [
      'apiserver_authentication_config_controller_automatic_reload_last_timestamp_seconds{status="failure"',
      'apiserver_authentication_config_controller_automatic_reload_last_timestamp_seconds{status="success"',
      'apiserver_authentication_jwt_authenticator_jwks_fetch_last_timestamp_seconds{result="failure"',
      'apiserver_authentication_jwt_authenticator_jwks_fetch_last_timestamp_seconds{result="success"',
      'apiserver_authentication_jwt_authenticator_latency_seconds_count{result="failure"',
      'apiserver_authentication_jwt_authenticator_latency_seconds_count{result="success"',
    ]) {
      expect(body.includes(`\n${series}`), series).toBe(true);
    }
  });

  test('no token is in the log', () => {
    expect(pod.server.output()).toContain('"message":"decision"');
    expect(pod.server.output()).not.toMatch(/eyJ[\w-]{10,}/);
  });
});
