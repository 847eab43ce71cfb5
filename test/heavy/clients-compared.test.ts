/**
 * kubectl sends the same commands to our server and to kube-apiserver, one after the other, and prints
 * the same; then what it prints where we differ on purpose. Needs etcd, and kube-apiserver where
 * `test/support/kube-apiserver.ts` looks for it.
 */
import { generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { testAuthority } from '../support/certificates.ts';
import {
  type KubeApiserver,
  kubeApiserverProgram,
  startKubeApiserver,
} from '../support/kube-apiserver.ts';
import { kubectlBuildMs, kubectlProgram } from '../support/kubectl.ts';
import { type Ran, runProgram, type ServeProcess, serveProcess } from '../support/serve-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const program = kubeApiserverProgram();

const manifests: Readonly<Record<string, string>> = {
  'sa.yaml': `apiVersion: v1
kind: ServiceAccount
metadata: { name: app, namespace: team, labels: { a: b } }
`,
  'role.yaml': `apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: { name: r1, namespace: team }
rules: [{ apiGroups: [''], resources: [secrets], verbs: [get] }]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: { name: r1, namespace: team }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: Role, name: r1 }
subjects: [{ kind: ServiceAccount, name: app, namespace: team }]
`,
  'pod.yaml': `apiVersion: v1
kind: Pod
metadata: { name: p1, namespace: team }
spec: { serviceAccountName: app, containers: [{ name: c, image: x }] }
`,
  'legacy.yaml': `apiVersion: v1
kind: Secret
metadata:
  { name: s1, namespace: team, annotations: { kubernetes.io/service-account.name: app } }
type: kubernetes.io/service-account-token
`,
  'bootstrap.yaml': `apiVersion: v1
kind: Secret
metadata: { name: bootstrap-token-abcdef, namespace: kube-system }
type: bootstrap.kubernetes.io/token
stringData:
  { token-id: abcdef, token-secret: 0123456789abcdef, usage-bootstrap-authentication: 'true' }
`,
  'unknown-field.yaml': `apiVersion: v1
kind: ServiceAccount
metadata: { name: app2, namespace: team }
bogus: 1
`,
};

/**
 * The commands change the same objects from line to line; a line begins with the token of its user. What
 * a controller next to kube-apiserver would do is done there by hand.
 */
const alike = `
root auth whoami
sue auth whoami -o json
sue auth whoami -o yaml
sue auth whoami -o name
sue auth whoami -o wide
invalid auth whoami
root auth whoami --as=bob --as-group=g1 --as-group=g2 --as-uid=7 --as-user-extra=why=x --as-user-extra=why=y
root auth whoami --as=system:serviceaccount:team:app
root auth whoami --as-group=g1
sue auth whoami --as=bob
sue get ns --as=bob --as-group=g1
sue get ns --as=bob --as-uid=7
root create namespace team
root create ns team
controller create sa default -n team
root get ns
root get ns -o wide
root get ns -o name
root get ns team -o yaml
root get ns team -o json
root create -f sa.yaml
root create -f sa.yaml
root apply -f sa.yaml
root apply -f sa.yaml
root get sa -n team
root get sa -A -l a=b
root get sa -A -l a=b --show-labels
root get sa app -n team -o yaml
root get sa app -n team -o jsonpath={.metadata.name}
root get sa app -n team -o custom-columns=N:.metadata.name,NS:.metadata.namespace
root get sa -n team --sort-by=.metadata.name
root get sa -n team --field-selector=metadata.name=app
root get sa -n team --field-selector=spec.x=app
root get sa -n team -l a!=b
root get sa -n team -l 'a in (b,c)' --no-headers
root get sa -n team --chunk-size=1
root get sa,ns -n team
root describe sa app -n team
root label sa app -n team x=y
root label sa app -n team x=z
root annotate sa app -n team note=hello
root patch sa app -n team -p '{"metadata":{"labels":{"p":"1"}}}'
root patch sa app -n team --type=merge -p '{"metadata":{"labels":{"p":"2"}}}'
root patch sa app -n team --type=json -p '[{"op":"replace","path":"/metadata/labels/p","value":"3"}]'
root patch sa app -n team --type=json -p '[{"op":"replace","path":"/metadata/nope/p","value":"3"}]'
root apply --dry-run=server -f sa.yaml
root apply --dry-run=client -f sa.yaml
root diff -f sa.yaml
root apply --validate=strict -f unknown-field.yaml
root apply --validate=warn -f unknown-field.yaml
root apply -f role.yaml
root get role,rolebinding -n team
root get role,rolebinding -n team -o wide
root describe role r1 -n team
root describe rolebinding r1 -n team
root get clusterrole view
root get clusterrole system:basic-user -o yaml
root describe clusterrole system:discovery
root get clusterrolebinding system:basic-user -o wide
root create role r2 -n team --verb=get --resource=secrets --dry-run=server -o yaml
root create role r2 -n team --verb=get --resource=secrets --resource-name=x
root create rolebinding r2 -n team --role=r2 --user=sue --group=g
root create clusterrole c1 --verb=get --non-resource-url=/x
root create clusterrolebinding c1 --clusterrole=c1 --user=sue
root create clusterrole agg --aggregation-rule=x=y
root get clusterrole agg -o yaml
root auth reconcile -f role.yaml
root set subject rolebinding r1 -n team --user=ann
root apply -f pod.yaml
root get pod -n team
root get pod -n team -o wide
root apply -f legacy.yaml
root get secret -n team
root get secret s1 -n team -o yaml
root describe secret s1 -n team
root apply -f bootstrap.yaml
root get secret -n kube-system
abcdef.0123456789abcdef auth whoami
root create token app -n team
root create token app -n team --duration=10m --audience=vault -o yaml
root create token app -n team --duration=1m
root create token app -n team --bound-object-kind=Pod --bound-object-name=p1
root create token app -n team --bound-object-kind=Pod --bound-object-name=nope
root create token app -n team --bound-object-kind=Secret --bound-object-name=s1
root create token app -n team --bound-object-kind=Secret --bound-object-name=s1 --bound-object-uid=00000000-0000-0000-0000-000000000000
root create token nope -n team
sue create token app -n team
sue get ns
sue get secret -n kube-system
sue get --raw /metrics
root create sa sa2 -n team
root delete sa sa2 -n team
root delete sa sa2 -n team
root delete sa sa2 -n team --ignore-not-found
root replace -f sa.yaml
root get --raw /api
root get --raw /apis/authentication.k8s.io/v1
root delete pod p1 -n team --grace-period=0 --force
root wait --for=delete pod/p1 -n team --timeout=5s
root delete role,rolebinding --all -n team
root delete clusterrole c1 agg
root delete clusterrolebinding c1
root delete secret s1 -n team
root delete -f sa.yaml
root get sa app -n gone
`;

/** Messages of kubectl about resources that this server does not have. */
const apart: readonly (readonly [line: string, code: number, text: string])[] = [
  [
    'root auth can-i get secrets',
    1,
    'Error from server (NotFound): the server could not find the requested resource (post selfsubjectaccessreviews.authorization.k8s.io)',
  ],
  [
    'root auth can-i --list',
    1,
    'Error from server (NotFound): the server could not find the requested resource (post selfsubjectrulesreviews.authorization.k8s.io)',
  ],
  [
    'root apply --server-side -f sa.yaml',
    1,
    'error: Server-side apply not available on the server: (the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/strategic-merge-patch+json)',
  ],
  ['root get configmaps', 1, 'error: the server doesn\'t have a resource type "configmaps"'],
  ['root get deploy', 1, 'error: the server doesn\'t have a resource type "deploy"'],
  ['root create secret generic g1 -n default --from-literal=a=b', 1, 'Unsupported value: "Opaque"'],
  ['root api-versions', 0, 'authentication.k8s.io/v1\n'],
  ['root api-resources', 0, 'serviceaccounts       sa           v1 '],
  ['root explain clusterrole.rules', 0, 'FIELD: rules <[]PolicyRule>'],
  ['root explain sa', 0, 'automountServiceAccountToken\t<boolean>'],
  ['root version', 0, 'Server Version: v1.36.0+authgraph'],
  ['root get --raw /livez', 0, 'ok'],
  ['root get --raw /.well-known/openid-configuration', 0, '"issuer":"https://issuer.example"'],
];

describe('kubectl', () => {
  const { path: folder, write } = temporaryFolder();
  let kubectl = '';
  let ours: ServeProcess;
  let theirs: KubeApiserver;

  beforeAll(async () => {
    kubectl = kubectlProgram();
    const authority = testAuthority();
    const serving = authority.issue();
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    for (const [name, text] of [
      ['ours.crt', authority.pem],
      ['tls.crt', serving.pem],
      ['tls.key', serving.keyPem],
      ['sa.key', privateKey.export({ type: 'sec1', format: 'pem' }).toString()],
      ['tokens.csv', 'root,admin,1,system:masters\nsue,sue,2,dev\n'],
      ...Object.entries(manifests),
    ] as const) {
      write(name, text);
    }
    ours = await serveProcess(folder, [
      ...['--tls-cert-file=tls.crt', '--tls-private-key-file=tls.key', '--store=memory'],
      ...['--token-auth-file=tokens.csv', '--enable-bootstrap-token-auth'],
      ...['--service-account-issuer=https://issuer.example', '--target-version=1.36'],
      ...['--service-account-key-file=sa.key', '--service-account-signing-key-file=sa.key'],
      // The other side is an API server without a controller manager.
      '--controllers=*,token-cleaner-controller,-serviceaccount-token-controller',
    ]);
    theirs = await startKubeApiserver(program, [
      '--enable-bootstrap-token-auth',
      `--token-auth-file=${join(folder, 'tokens.csv')}`,
    ]);
    write('theirs.crt', theirs.certificateAuthority);
    await vi.waitFor(
      async () => expect((await at('theirs', 'root get --raw /readyz')).stdout).toBe('ok'),
      { timeout: 60_000, interval: 500 },
    );
  }, kubectlBuildMs);

  afterAll(async () => {
    await theirs?.stop();
    await ours?.stop();
  });

  const at = (where: 'ours' | 'theirs', line: string): Promise<Ran> => {
    const [token = '', ...words] = line.match(/'[^']*'|\S+/g) ?? [];
    const connection = [
      '--kubeconfig=/dev/null',
      `--server=${where === 'ours' ? ours.url : theirs.origin}`,
      `--certificate-authority=${where}.crt`,
      `--token=${token}`,
    ];
    const args = words.map((word) => word.replaceAll(/^'|'$/g, ''));
    return runProgram(kubectl, [...connection, ...args], { folder });
  };

  const lines = alike.split('\n').filter((line) => line !== '');

  test.each(lines)('%s', async (line) => {
    if (line.startsWith('controller ')) {
      expect((await at('theirs', line.replace('controller', 'root'))).code).toBe(0);
      return;
    }
    const [here, there] = await Promise.all([at('ours', line), at('theirs', line)]);
    expect(withoutChance(here)).toEqual(withoutChance(there));
  });

  test.each(apart)('on its own: %s', async (line, code, text) => {
    const ran = await at('ours', line);
    expect([ran.code, ran.stdout + ran.stderr]).toEqual([code, expect.stringContaining(text)]);
  });
});

/** Masks what differs by chance: times, ids, resource versions, addresses and column widths. */
const withoutChance = ({ code, stdout, stderr }: Ran): Ran => ({
  code,
  stdout: neutral(stdout),
  stderr: neutral(stderr),
});

const neutral = (text: string): string =>
  text
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, 'TIME')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UID')
    .replaceAll(/(resourceVersion(?:: "|":"|": "))\d+/g, '$1N')
    .replaceAll(/127\.0\.0\.1:\d+/g, 'HOST')
    .replaceAll(/\b(?:\d+m(?:\d+s)?|\d+s)\b/g, 'AGE')
    .replaceAll(/\bAGE {2,}/g, 'AGE  ')
    .replaceAll(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, 'JWT')
    .replaceAll(/[IEW]\d{4} [\d:.]+ +\d+ /g, 'LOG ')
    .replaceAll(/ +$/gm, '');
