/** kubectl authenticates with every kind of credential, and impersonates; all modules are enabled. */
import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeCert } from '../attacks/lib/der.mjs';
import { type LabEnvironment, makeLabEnvironment } from '../lab/lab-environment.ts';
import { testAuthority } from '../support/certificates.ts';
import { kubectlBuildMs, kubectlProgram } from '../support/kubectl.ts';
import { type Ran, runProgram, type ServeProcess, serveProcess } from '../support/serve-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const { path: folder, write } = temporaryFolder();
let kubectl = '';
let lab: LabEnvironment;
let server: ServeProcess;
const credentials = new Map<string, readonly string[]>();

const roles = `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: act }
rules:
- { apiGroups: [''], resources: [users], resourceNames: [bob], verbs: [impersonate] }
- { apiGroups: [''], resources: [groups], resourceNames: [dev], verbs: [impersonate] }
- { apiGroups: [authentication.k8s.io], resources: [userextras/reason], verbs: [impersonate] }
- { apiGroups: [authentication.k8s.io], resources: [uids], resourceNames: ['7'], verbs: [impersonate] }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: act }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: act }
subjects: [{ apiGroup: rbac.authorization.k8s.io, kind: User, name: sue }]
`;

const bootstrap = `apiVersion: v1
kind: Secret
metadata: { name: bootstrap-token-abcdef, namespace: kube-system }
type: bootstrap.kubernetes.io/token
stringData:
  token-id: abcdef
  token-secret: 0123456789abcdef
  usage-bootstrap-authentication: 'true'
  auth-extra-groups: system:bootstrappers:worker
`;

beforeAll(async () => {
  kubectl = kubectlProgram();
  lab = await makeLabEnvironment();
  const authority = testAuthority();
  const serving = authority.issue();
  const people = makeCert({ subject: [['CN', 'people']], ca: true });
  const proxies = makeCert({ subject: [['CN', 'proxies']], ca: true });
  const carol = makeCert(
    {
      subject: [
        ['O', 'dev'],
        ['O', 'ops'],
        ['CN', 'carol'],
      ],
    },
    people,
  );
  const stranger = makeCert({ subject: [['CN', 'carol']] });
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  for (const [name, text] of [
    ['authentication.yaml', lab.configuration('k8s.io')],
    ['ca.crt', authority.pem],
    ['tls.crt', serving.pem],
    ['tls.key', serving.keyPem],
    ['people.crt', people.pem],
    ['proxies.crt', proxies.pem],
    ['carol.crt', carol.pem],
    ['carol.key', carol.keyPem],
    ['stranger.crt', stranger.pem],
    ['stranger.key', stranger.keyPem],
    ['sa.key', privateKey.export({ type: 'sec1', format: 'pem' }).toString()],
    ['tokens.csv', 'root,admin,1,system:masters\nsue,sue,2,"dev,ops"\n'],
    ['roles.yaml', roles],
    ['bootstrap.yaml', bootstrap],
  ] as const) {
    write(name, text);
  }
  server = await serveProcess(folder, [
    ...['--authentication-config=authentication.yaml', '--store=memory'],
    ...['--tls-cert-file=tls.crt', '--tls-private-key-file=tls.key'],
    ...['--client-ca-file=people.crt', '--requestheader-client-ca-file=proxies.crt'],
    ...['--requestheader-username-headers=X-Remote-User', '--requestheader-allowed-names=proxy'],
    ...['--token-auth-file=tokens.csv', '--enable-bootstrap-token-auth', '--rbac-file=roles.yaml'],
    // The lab's tokens are for `kube`.
    ...['--service-account-issuer=https://issuer.example', '--api-audiences=kube'],
    ...['--service-account-key-file=sa.key', '--service-account-signing-key-file=sa.key'],
  ]);
  credentials.set('root', ['--token=root']);
  credentials.set('a static token', ['--token=sue']);
  credentials.set('a certificate', ['--client-certificate=carol.crt', '--client-key=carol.key']);
  credentials.set('a certificate of a stranger', [
    '--client-certificate=stranger.crt',
    '--client-key=stranger.key',
  ]);
  credentials.set('a JWT', [`--token=${lab.tokens.get('good')}`]);
  credentials.set('an expired JWT', [`--token=${lab.tokens.get('expired')}`]);
  credentials.set('a bootstrap token', ['--token=abcdef.0123456789abcdef']);
  credentials.set('a bootstrap token that is wrong', ['--token=abcdef.0123456789abcdee']);
  expect((await as('root', 'apply', '-f', 'bootstrap.yaml')).code).toBe(0);
  expect((await as('root', 'create', 'namespace', 'team')).code).toBe(0);
  expect((await as('root', 'create', 'serviceaccount', 'bot', '-n', 'team')).code).toBe(0);
  const { stdout } = await as('root', 'create', 'token', 'bot', '-n', 'team');
  credentials.set('a service account', [`--token=${stdout.trim()}`]);
  credentials.set('a service account with the audience of another server', [
    `--token=${(await as('root', 'create', 'token', 'bot', '-n', 'team', '--audience=vault')).stdout.trim()}`,
  ]);
}, kubectlBuildMs);

afterAll(async () => {
  await server?.stop();
  await lab?.close();
});

const as = (credential: string, ...args: readonly string[]): Promise<Ran> =>
  runProgram(
    kubectl,
    [
      ...['--kubeconfig=/dev/null', `--server=${server.url}`, '--certificate-authority=ca.crt'],
      ...(credentials.get(credential) ?? []),
      ...args,
    ],
    { folder },
  );

const anything = expect.anything();

const people: readonly (readonly [credential: string, user: Readonly<Record<string, unknown>>])[] =
  [
    ['root', { username: 'admin', uid: '1', groups: ['system:masters', 'system:authenticated'] }],
    [
      'a static token',
      { username: 'sue', uid: '2', groups: ['dev', 'ops', 'system:authenticated'] },
    ],
    [
      'a certificate',
      {
        username: 'carol',
        groups: ['dev', 'ops', 'system:authenticated'],
        extra: {
          'authentication.kubernetes.io/credential-id': [expect.stringMatching(/^X509SHA256=/)],
        },
      },
    ],
    [
      'a JWT',
      {
        username: 'oidc:jane',
        uid: 'j-1',
        groups: ['g1', 'g2', 'system:authenticated'],
        extra: { 'example.com/dept': ['eng'], 'example.com/roles': ['r1', 'r2'] },
      },
    ],
    [
      'a bootstrap token',
      {
        username: 'system:bootstrap:abcdef',
        groups: ['system:bootstrappers', 'system:bootstrappers:worker', 'system:authenticated'],
      },
    ],
    [
      'a service account',
      {
        username: 'system:serviceaccount:team:bot',
        uid: anything,
        groups: ['system:serviceaccounts', 'system:serviceaccounts:team', 'system:authenticated'],
        extra: { 'authentication.kubernetes.io/credential-id': [expect.stringMatching(/^JTI=/)] },
      },
    ],
  ];

describe.each(people)('with %s', (credential, user) => {
  test('whoami as JSON', async () => {
    const { code, stdout, stderr } = await as(credential, 'auth', 'whoami', '-o', 'json');
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout).status.userInfo).toEqual(user);
  });

  test('whoami as YAML, as a table and as a name', async () => {
    expect((await as(credential, 'auth', 'whoami', '-o', 'yaml')).stdout).toContain(
      `    username: ${user.username}\n`,
    );
    expect((await as(credential, 'auth', 'whoami')).stdout).toMatch(
      new RegExp(`^Username +${user.username}$`, 'm'),
    );
    expect((await as(credential, 'auth', 'whoami', '-o', 'name')).stdout).toBe(
      'selfsubjectreview.authentication.k8s.io/<unknown>\n',
    );
  });
});

test.each([
  'a certificate of a stranger',
  'an expired JWT',
  'a bootstrap token that is wrong',
  'a service account with the audience of another server',
])('with %s requests are unauthenticated', async (credential) => {
  expect(await as(credential, 'auth', 'whoami')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'error: You must be logged in to the server (Unauthorized)\n',
  });
});

describe('impersonation', () => {
  const who = async (...args: readonly string[]) => {
    const { stdout } = await as('a static token', 'auth', 'whoami', '-o', 'json', ...args);
    return JSON.parse(stdout).status.userInfo;
  };

  test('is allowed as far as the roles allow', async () => {
    expect(await who('--as=bob')).toEqual({ username: 'bob', groups: ['system:authenticated'] });
    expect(
      await who('--as=bob', '--as-group=dev', '--as-uid=7', '--as-user-extra=reason=on call'),
    ).toEqual({
      username: 'bob',
      uid: '7',
      groups: ['dev', 'system:authenticated'],
      extra: { reason: ['on call'] },
    });
  });

  test.each([
    [['--as=root'], 'User "sue" cannot impersonate resource "users"'],
    [['--as=bob', '--as-group=system:masters'], 'User "sue" cannot impersonate resource "groups"'],
    [['--as=bob', '--as-uid=8'], 'User "sue" cannot impersonate resource "uids"'],
    [
      ['--as=bob', '--as-user-extra=scopes=all'],
      'User "sue" cannot impersonate resource "userextras/scopes"',
    ],
  ])('is forbidden beyond the roles: %s', async (args, words) => {
    const { code, stdout, stderr } = await as(
      'a static token',
      'get',
      '--raw',
      '/version',
      ...args,
    );
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(words);
  });

  test('lets an administrator impersonate everyone, with fewer permissions too', async () => {
    const { stdout } = await as('root', 'auth', 'whoami', '-o', 'json', '--as=ann', '--as-group=x');
    expect(JSON.parse(stdout).status.userInfo).toEqual({
      username: 'ann',
      groups: ['x', 'system:authenticated'],
    });
    expect((await as('root', 'get', 'secrets', '--as=ann')).stderr).toContain(
      'User "ann" cannot list resource "secrets"',
    );
  });
});
