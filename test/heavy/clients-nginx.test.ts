/**
 * nginx as the authenticating proxy, with the configuration of the sample; `curl` and `kubectl` are its
 * clients. Needs nginx.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type MadeCertificate, makeCert } from '../attacks/lib/der.mjs';
import { testAuthority } from '../support/certificates.ts';
import { freePort } from '../support/free-port.ts';
import { authenticatedUser } from '../support/https-request.ts';
import { kubectlBuildMs, kubectlProgram } from '../support/kubectl.ts';
import { samples, serveFlagsOf } from '../support/sample-command.ts';
import {
  runProgram,
  runUntil,
  type ServeProcess,
  serveProcess,
  stopProcess,
} from '../support/serve-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const sample = join(samples, 'authenticating-proxy');
const passwords = new Map(
  ['alice', 'bob', 'carol'].map((name) => [name, randomBytes(12).toString('hex')]),
);
const { path: folder } = temporaryFolder();
let kubectl = '';
let server: ServeProcess;
let nginx: ChildProcess;
let front = 0;
const authority = testAuthority();
const frontAuthority = testAuthority();
const proxies = makeCert({ subject: [['CN', 'proxies']], ca: true });
const people = makeCert({ subject: [['CN', 'people']], ca: true });
const proxy = makeCert({ subject: [['CN', 'front-proxy']] }, proxies);

const roles = `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: see }
rules: [{ apiGroups: [''], resources: [serviceaccounts], verbs: [get, list, watch, create, patch] }]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: see }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: see }
subjects: [{ apiGroup: rbac.authorization.k8s.io, kind: Group, name: admins }]
`;

beforeAll(async () => {
  // If root starts nginx, its workers run as another user, and read the passwords.
  chmodSync(folder, 0o755);
  kubectl = kubectlProgram();
  front = await freePort();
  const back = await freePort();
  const serving = authority.issue();
  const frontServing = frontAuthority.issue();
  const table = [...passwords].map(([name, word]) => `${name}:{PLAIN}${word}\n`).join('');
  const nginxText = readFileSync(join(sample, 'nginx.conf'), 'utf8')
    .replace('127.0.0.1:6443', `127.0.0.1:${back}`)
    .replace('127.0.0.1:8443', `127.0.0.1:${front}`);
  copyFileSync(join(sample, 'authentication.yaml'), join(folder, 'authentication.yaml'));
  for (const [name, text] of [
    ['nginx.conf', nginxText],
    ['passwords', table],
    ['front.crt', frontServing.pem],
    ['front.key', frontServing.keyPem],
    ['front-proxy.crt', proxy.pem],
    ['front-proxy.key', proxy.keyPem],
    ['proxy-ca.crt', proxies.pem],
    ['people-ca.crt', people.pem],
    ['server-ca.crt', authority.pem],
    ['server.crt', serving.pem],
    ['server.key', serving.keyPem],
    ['front-ca.crt', frontAuthority.pem],
    ['roles.yaml', roles],
    ...[...passwords].map(([name, word]): [string, string] => [
      `${name}.kubeconfig`,
      kubeconfig(name, word),
    ]),
  ] as const) {
    writeFileSync(join(folder, name), text);
  }
  server = await serveProcess(
    folder,
    [
      ...serveFlagsOf('authenticating-proxy/authentication.yaml'),
      ...['--client-ca-file=people-ca.crt', '--rbac-file=roles.yaml', '--store=memory'],
      '--decision-log=decisions.jsonl',
    ],
    { port: back },
  );
  nginx = spawn(
    'nginx',
    ['-p', folder, '-c', 'nginx.conf', '-e', 'stderr', '-g', 'daemon off; pid nginx.pid;'],
    { cwd: folder, stdio: 'ignore' },
  );
  await vi.waitFor(() => whoIs({ user: 'alice' }), { timeout: 20_000 });
}, kubectlBuildMs);

afterAll(async () => {
  if (nginx !== undefined) await stopProcess(nginx, 'SIGTERM');
  await server?.stop();
});

const kubeconfig = (name: string, word: string): string => `apiVersion: v1
kind: Config
clusters: [{ name: front, cluster: { server: 'https://127.0.0.1:${front}', certificate-authority: front-ca.crt } }]
users: [{ name: ${name}, user: { username: ${name}, password: ${word} } }]
contexts: [{ name: front, context: { cluster: front, user: ${name} } }]
current-context: front
`;

const asked = (user: string, ...args: readonly string[]) =>
  runProgram(kubectl, [`--kubeconfig=${user}.kubeconfig`, ...args], { folder });

interface Question {
  /** Name of a user of nginx; without it the request has no password. */
  readonly user?: string;
  readonly password?: string;
  /** Alternating names and values, sent as they are. */
  readonly headers?: readonly string[];
  /** Sends the request to the server directly, without nginx. */
  readonly direct?: { readonly certificate?: MadeCertificate };
}

/** Returns the identity, or the status of the rejection. */
const whoIs = ({ user, password, headers = [], direct }: Question): Promise<unknown> => {
  const word = password ?? passwords.get(user ?? '') ?? '';
  const basic = `Basic ${Buffer.from(`${user}:${word}`).toString('base64')}`;
  const certificate = direct?.certificate;
  return authenticatedUser({
    ...(direct === undefined
      ? { port: front, authority: frontAuthority.pem }
      : { port: server.port, authority: authority.pem }),
    ...(certificate === undefined ? {} : { certificate }),
    headers: [...(user === undefined ? [] : ['Authorization', basic]), ...headers],
  });
};

const alice = {
  username: 'alice',
  uid: '1001',
  groups: ['employees', 'admins', 'system:authenticated'],
  extra: { 'example.com/department': ['research'] },
};
const bob = { username: 'bob', uid: '1002', groups: ['employees', 'system:authenticated'] };
const carol = { username: 'carol', groups: ['employees', 'system:authenticated'] };

describe('through nginx', () => {
  test('authenticates users as nginx names them', async () => {
    expect(await whoIs({ user: 'alice' })).toEqual(alice);
    expect(await whoIs({ user: 'bob' })).toEqual(bob);
    expect(await whoIs({ user: 'carol' })).toEqual(carol);
  });

  test('rejects requests without a valid password', async () => {
    expect(await whoIs({ user: 'alice', password: 'wrong' })).toBe(401);
    expect(await whoIs({ user: 'root', password: '' })).toBe(401);
    expect(await whoIs({})).toBe(401);
  });

  test.each([
    ['another name', ['X-Remote-User', 'root']],
    ['another name, in lower case and twice', ['x-remote-user', 'root', 'X-REMOTE-USER', 'root']],
    ['a group', ['X-Remote-Group', 'system:masters']],
    ['another UID', ['X-Remote-Uid', '0']],
    ['the same extra key', ['X-Remote-Extra-example.com%2fdepartment', 'board']],
    ['an extra key of no field that nginx names', ['X-Remote-Extra-Scopes', 'all']],
    ['underscores', ['X_Remote_User', 'root', 'X_Remote_Group', 'system:masters']],
    ['an impersonation', ['Impersonate-User', 'root', 'Impersonate-Group', 'system:masters']],
    ['fields that name fields of the connection', ['Connection', 'X-Remote-User, X-Remote-Group']],
    ['a certificate in a field', ['X-Client-Cert', 'x', 'X-Forwarded-User', 'root']],
  ])('ignores %s of the client', async (_name, headers) => {
    expect(await whoIs({ user: 'bob', headers })).toEqual(bob);
  });

  test('keeps users apart who share a connection behind nginx', async () => {
    for (let round = 0; round < 10; round += 1) {
      expect(await whoIs({ user: 'alice' })).toEqual(alice);
      expect(await whoIs({ user: 'carol' })).toEqual(carol);
    }
    const both = await Promise.all(
      Array.from({ length: 20 }, (_, index) => whoIs({ user: index % 2 === 0 ? 'alice' : 'bob' })),
    );
    expect(both).toEqual(both.map((_, index) => (index % 2 === 0 ? alice : bob)));
  });

  test('the log names the proxy as the module that decided, and never a password', async () => {
    await vi.waitFor(() => {
      const log = readFileSync(join(folder, 'decisions.jsonl'), 'utf8');
      expect(log).toContain('"module":"authenticating-proxy"');
      for (const word of passwords.values()) expect(log + server.output()).not.toContain(word);
    });
  });
});

describe('without nginx', () => {
  const claims = ['X-Remote-User', 'root', 'X-Remote-Group', 'system:masters'];
  const certificate = (spec: Parameters<typeof makeCert>[0], issuer = proxies) =>
    makeCert(spec, issuer);

  test.each([
    ['without a certificate', undefined],
    ['with a certificate of an unknown authority', makeCert({ subject: [['CN', 'front-proxy']] })],
    ['of the authority, under another name', certificate({ subject: [['CN', 'back-proxy']] })],
    [
      'of the authority, with the name as an organization',
      certificate({
        subject: [
          ['O', 'front-proxy'],
          ['CN', 'x'],
        ],
      }),
    ],
    [
      'of the authority, expired',
      certificate({ subject: [['CN', 'front-proxy']], notBefore: -7200, notAfter: -3600 }),
    ],
    [
      'of the authority, for servers',
      certificate({ subject: [['CN', 'front-proxy']], eku: ['serverAuth'] }),
    ],
  ])('%s ignores the user in the headers', async (_name, shown) => {
    const direct = shown === undefined ? {} : { certificate: shown };
    expect(await whoIs({ direct, headers: claims })).toBe(401);
  });

  test('a user with a certificate is that user, whatever the headers say', async () => {
    const mallory = certificate({ subject: [['CN', 'front-proxy']] }, people);
    const who = await whoIs({ direct: { certificate: mallory }, headers: claims });
    expect(who).toMatchObject({ username: 'front-proxy', groups: ['system:authenticated'] });
  });

  test('accepts repeated, encoded and empty headers of the proxy', async () => {
    const direct = { certificate: proxy };
    const who = (...headers: readonly string[]) => whoIs({ direct, headers });
    expect(
      await who(
        ...['X-Remote-User', 'ann', 'X-Remote-User', 'root'],
        ...[
          'X-Remote-Group',
          'b',
          'X-Remote-Group',
          '',
          'x-remote-group',
          'a',
          'X-Remote-Group',
          'c,d',
        ],
        ...['X-Remote-Extra-Example.com%2FTeam', 'x', 'X-Remote-Extra-example.com%2fteam', 'y'],
        ...['X-Remote-Extra-%', 'unusual'],
      ),
    ).toEqual({
      username: 'ann',
      groups: ['b', 'a', 'c,d', 'system:authenticated'],
      extra: { '%': ['unusual'], 'example.com/team': ['x', 'y'] },
    });
    expect(await who('X-Remote-Group', 'system:masters')).toBe(401);
    expect(await who('X-Remote-User', '')).toBe(401);
  });
});

describe('kubectl through nginx', () => {
  test('prints the user', async () => {
    const { stdout, stderr } = await asked('alice', 'auth', 'whoami');
    expect(stderr).toBe('');
    expect(stdout).toBe(
      [
        'ATTRIBUTE                       VALUE',
        'Username                        alice',
        'UID                             1001',
        'Groups                          [employees admins system:authenticated]',
        'Extra: example.com/department   [research]',
        '',
      ].join('\n'),
    );
  });

  test('is allowed what its groups are allowed', async () => {
    const list = ['get', 'serviceaccounts', '-o', 'name'];
    expect((await asked('alice', ...list)).stdout).toContain('serviceaccount/default');
    expect((await asked('bob', ...list)).stderr).toContain(
      'User "bob" cannot list resource "serviceaccounts"',
    );
  });

  test('receives changes in a watch', async () => {
    // The first line is from the list; the following ones are from the watch.
    const watching = runUntil(
      kubectl,
      ['--kubeconfig=alice.kubeconfig', 'get', 'sa', '-w', '-o', 'name'],
      { folder, fits: /serviceaccount\/late\n.*serviceaccount\/late\n/s },
    );
    let isSeen = false;
    watching.then(() => {
      isSeen = true;
    });
    expect((await asked('alice', 'create', 'serviceaccount', 'late')).code).toBe(0);
    for (let round = 0; round < 30 && !isSeen; round += 1) {
      await asked('alice', 'label', 'sa', 'late', '--overwrite', `round=${round}`);
    }
    expect(await watching).toMatch(/late\n.*late\n/s);
  });
});
