/**
 * The Helm chart: helm accepts and renders it with every file of values, kubeconform validates the manifests against the
 * schemas of kube-apiserver and of the operators, kube-apiserver stores them, and promtool evaluates the alerts.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { goBuildMs } from '../../deploy/go-programs/go-program.ts';
import { sendHttps } from '../support/https-request.ts';
import { runProgram, serveProcess } from '../support/serve-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { chartFolder, deployFolder, find, helm, objectsIn, render } from './chart.ts';
import { type Cluster, namespace, startCluster } from './cluster.ts';
import { customResourceDefinitions } from './custom-resources.ts';
import { schemaLocation, writeSchemas } from './openapi-schemas.ts';
import { kubeconformProgram, promtoolProgram } from './programs.ts';

const temporary = temporaryFolder();
const { path: folder } = temporary;
const valuesFiles = readdirSync(join(chartFolder, 'ci')).map((name) =>
  join(chartFolder, 'ci', name),
);
const everything = join(chartFolder, 'ci/everything-values.yaml');
const webhook = join(chartFolder, 'ci/webhook-values.yaml');
const clusterIp = '--set=service.clusterIP=10.0.0.200';
let cluster: Cluster;
const schemas = join(folder, 'schemas');

beforeAll(async () => {
  kubeconformProgram();
  await helm(folder, 'version');
  cluster = await startCluster(temporary);
  for (const definition of customResourceDefinitions()) {
    const { code, stderr } = await cluster.kubectl(
      ['apply', '--server-side', '-f', '-'],
      definition,
    );
    expect([code, stderr]).toEqual([0, expect.anything()]);
  }
  mkdirSync(schemas);
  const paths = [
    'api/v1',
    'apis/apps/v1',
    'apis/policy/v1',
    'apis/networking.k8s.io/v1',
    'apis/rbac.authorization.k8s.io/v1',
    'apis/monitoring.coreos.com/v1',
    'apis/cert-manager.io/v1',
  ];
  // Documents of custom resources are published a moment after their definitions.
  await vi.waitFor(
    () =>
      writeSchemas(schemas, paths, async (path) => {
        const { origin, certificateAuthority: authority, token } = cluster.apiServer;
        const port = Number(new URL(origin).port);
        const { status, body } = await sendHttps({ port, path, authority, token });
        if (status !== 200) throw new Error(`${path}: ${status}`);
        return body;
      }),
    { timeout: 30_000, interval: 500 },
  );
}, goBuildMs);
afterAll(() => cluster?.stop());

test('helm lint has no remarks', async () => {
  for (const file of [...valuesFiles, undefined]) {
    const values = file === undefined ? [] : ['--values', file];
    const { code, stdout, stderr } = await helm(folder, 'lint', '--strict', chartFolder, ...values);
    expect([code, stdout + stderr]).toEqual([0, expect.stringContaining('0 chart(s) failed')]);
    expect(stdout).not.toMatch(/\[(?:WARNING|ERROR)\]/);
  }
});

test.each([
  ['no authenticator', [], 'authenticationConfiguration.jwt is empty'],
  [
    'a misspelled value',
    ['--set=replicaCount=3'],
    "additional properties 'replicaCount' not allowed",
  ],
  ['a path that is no path', ['--set=webhook.path=authenticate'], '/webhook/path'],
  ['an unknown mode', ['--set=mode=DaemonSet'], '/mode'],
  ['a reviewer without a namespace', ['--set=tokenReviewers[0].kind=ServiceAccount'], 'namespace'],
  [
    'a static pod with the store of a cluster',
    ['--set=mode=StaticPod,store=kubernetes'],
    'no service account',
  ],
])('rendering fails for %s', async (_name, args, message) => {
  const values = args.length === 0 ? [] : ['--values', webhook];
  await expect(render(folder, ...values, ...args)).rejects.toThrow(message);
});

describe.each(valuesFiles.map((file) => [file.slice(file.lastIndexOf('/') + 1), file]))(
  'with %s',
  (_name, file = '') => {
    test('kubeconform accepts every manifest, strictly', async () => {
      const manifests = await render(folder, '--values', file);
      const args = [
        '-strict',
        '-summary',
        '-output=json',
        `-schema-location=${schemaLocation(schemas)}`,
      ];
      const { code, stdout } = await runProgram(kubeconformProgram(), args, {
        folder,
        input: manifests,
      });
      const { resources, summary } = JSON.parse(stdout);
      expect(resources).toEqual([]);
      expect(summary).toEqual({
        valid: objectsIn(manifests).length,
        invalid: 0,
        errors: 0,
        skipped: 0,
      });
      expect(code).toBe(0);
    });

    test('kube-apiserver accepts every manifest, without a warning', async () => {
      const manifests = await render(folder, '--values', file, clusterIp);
      const { code, stdout, stderr } = await cluster.kubectl(
        ['apply', '--server-side', '--dry-run=server', '--validate=strict', '-f', '-'],
        manifests,
      );
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout.trim().split('\n')).toHaveLength(objectsIn(manifests).length);
    });
  },
);

test('kubeconform rejects an unknown field, so its schemas are closed', async () => {
  const manifests = await render(folder, '--values', everything);
  const input = manifests.replaceAll('seccompProfile:', 'seccompProfil:');
  const args = ['-strict', `-schema-location=${schemaLocation(schemas)}`];
  const { code, stdout } = await runProgram(kubeconformProgram(), args, { folder, input });
  expect([code, stdout]).toEqual([1, expect.stringContaining('seccompProfil')]);
});

test('IPv6 addresses are valid in arguments and in the URL of the webhook', async () => {
  const args = ['--set=bindAddress=::,service.clusterIP=fd00::200'];
  const objects = objectsIn(await render(folder, '--values', webhook, ...args));
  const { spec } = find(objects, 'Deployment').spec.template;
  expect(spec.containers[0].args).toContain('--bind-address=::');
  const { data } = find(objects, 'ConfigMap', '-kube-apiserver');
  expect(data['webhook.kubeconfig']).toContain('server: https://[fd00::200]:443/authenticate\n');
});

test('the pod fulfills the Pod Security Standard "restricted"', async () => {
  const { spec } = find(objectsIn(await render(folder, '--values', everything)), 'Deployment');
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'restricted', namespace: 'restricted' },
    spec: { ...spec.template.spec, serviceAccountName: 'default' },
  };
  const label = 'pod-security.kubernetes.io/enforce=restricted';
  await cluster.kubectl(['create', 'namespace', 'restricted']);
  await cluster.kubectl(['label', 'namespace', 'restricted', label]);
  const create = (changes: object) =>
    cluster.kubectl(
      ['create', '-f', '-'],
      JSON.stringify({ ...pod, spec: { ...pod.spec, ...changes } }),
    );
  expect((await create({ hostNetwork: true })).stderr).toContain('violates PodSecurity');
  expect(await create({})).toEqual({ code: 0, stdout: 'pod/restricted created\n', stderr: '' });
});

test('deploy/static-pod/authgraph.yaml is the rendered manifest', async () => {
  const rendered = await render(folder, '--values', join(chartFolder, 'ci/static-pod-values.yaml'));
  const file = join(deployFolder, 'static-pod/authgraph.yaml');
  expect(existsSync(file) ? readFileSync(file, 'utf8') : '').toBe(rendered);
});

test('the service account can read what the store needs, and nothing else', async () => {
  const manifests = await render(folder, '--values', everything, clusterIp);
  const applied = await cluster.kubectl(['apply', '--server-side', '-f', '-'], manifests);
  expect([applied.code, applied.stderr]).toEqual([0, '']);
  const can = async (verb: string, resource: string): Promise<string> => {
    const as = `--as=system:serviceaccount:${namespace}:authgraph`;
    return (await cluster.kubectl(['auth', 'can-i', verb, resource, as, '-A'])).stdout.trim();
  };
  for (const kind of [
    'secrets',
    'nodes',
    'pods',
    'serviceaccounts',
    'namespaces',
    'clusterroles',
  ]) {
    for (const verb of ['list', 'watch'])
      expect([kind, await can(verb, kind)]).toEqual([kind, 'yes']);
    expect([kind, await can('update', kind)]).toEqual([kind, 'no']);
  }
  expect(await can('list', 'configmaps')).toBe('no');
});

test('a server with that service account is ready, and reads the roles of the cluster', async () => {
  const { stdout: token } = await cluster.kubectl(['create', 'token', 'authgraph']);
  const kubeconfig = JSON.parse(readFileSync(cluster.kubeconfig, 'utf8'));
  const [{ user }] = kubeconfig.users;
  user.token = token.trim();
  const file = temporary.write('service-account.kubeconfig', JSON.stringify(kubeconfig));
  const server = await serveProcess(
    folder,
    ['--store=kubernetes', `--store-kubeconfig=${file}`, '--client-ca-file=api-ca.crt'],
    { storeIsFilled: true },
  );
  onTestFinished(() => server.stop());
  // The cluster's role system:public-info-viewer allows it to everyone.
  const ready = async () => (await sendHttps({ port: server.port, path: '/readyz' })).status;
  await expect.poll(ready, { timeout: 20_000 }).toBe(200);
});

describe('alerts', () => {
  const files = join(chartFolder, 'files');

  test('promtool accepts the rules and their tests hold', async () => {
    const promtool = promtoolProgram();
    const check = await runProgram(promtool, ['check', 'rules', 'alerts.yaml'], { folder: files });
    expect([check.code, check.stdout + check.stderr]).toEqual([
      0,
      expect.stringContaining('5 rules found'),
    ]);
    const run = await runProgram(promtool, ['test', 'rules', 'alerts.test.yaml'], {
      folder: files,
    });
    expect([run.code, run.stdout + run.stderr]).toEqual([0, expect.stringContaining('SUCCESS')]);
  });

  test('the PrometheusRule of the chart has the same rules', async () => {
    const rendered = find(
      objectsIn(await render(folder, '--values', everything)),
      'PrometheusRule',
    );
    const [{ rules }] = rendered.spec.groups;
    expect(rules).toHaveLength(5);
    expect(JSON.stringify(rules)).toContain('{{ $labels.instance }}');
  });
});
