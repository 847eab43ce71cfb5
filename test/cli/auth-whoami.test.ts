/** `authgraph auth whoami` with our server, and with servers that have only older APIs. */
import { createServer } from 'node:https';
import { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunningServer } from '../../engine/src/server/server.ts';
import { makeCert } from '../attacks/lib/der.mjs';
import { runCaptured } from '../support/captured-io.ts';
import { testAuthority } from '../support/certificates.ts';
import { startFake } from '../support/fake-generation.ts';
import { type LoopbackServer, listenOnLoopback } from '../support/loopback-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const { path: folder, write } = temporaryFolder();
const authority = testAuthority();
let server: RunningServer;
let flags: readonly string[] = [];

beforeAll(async () => {
  server = await startFake();
  const ca = write('ca.crt', server.authorityPem ?? '');
  flags = ['--kubeconfig=/dev/null', `--server=${server.url}`, `--certificate-authority=${ca}`];
});
afterAll(() => server.close(0));

const whoami = (args: readonly string[], files: Readonly<Record<string, string>> = {}) =>
  runCaptured(['auth', 'whoami', ...args], { files });

const withToken = (token: string, ...args: readonly string[]) =>
  whoami([...flags, '--token-file=token', ...args], { token });

test('prints the table of kubectl', async () => {
  expect(await withToken('tok-alice\n')).toMatchObject({
    code: 0,
    stderr: '',
    stdout: `ATTRIBUTE                 VALUE
Username                  alice
UID                       u1
Groups                    [dev ops system:authenticated]
Extra: example.com/team   [a b]
`,
  });
});

test('prints the object as JSON and YAML', async () => {
  const { stdout } = await withToken('tok-alice', '-o', 'json');
  const [line = ''] = stdout.split('\n').slice(1, 2);
  expect(line).toBe('    "kind": "SelfSubjectReview",');
  expect(JSON.parse(stdout)).toEqual({
    kind: 'SelfSubjectReview',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: { creationTimestamp: expect.stringMatching(/^\d{4}-.*Z$/) },
    status: {
      userInfo: {
        username: 'alice',
        uid: 'u1',
        groups: ['dev', 'ops', 'system:authenticated'],
        extra: { 'example.com/team': ['a', 'b'] },
      },
    },
  });
  expect((await withToken('tok-alice', '-o', 'yaml')).stdout).toMatch(
    /^apiVersion: authentication\.k8s\.io\/v1\nkind: SelfSubjectReview\nmetadata:\n {2}creationTimestamp: "[^"]*"\nstatus:\n {2}userInfo:\n {4}extra:\n/,
  );
});

test('a rejected credential is a result, an unreachable server is not', async () => {
  const refused = await withToken('wrong');
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toBe('error: You must be logged in to the server (Unauthorized)\n');
  const ca = flags[2] ?? '';
  const gone = await whoami(['--kubeconfig=/dev/null', '--server=https://127.0.0.1:1', ca]);
  expect(gone.code).toBe(2);
  expect(gone.stderr).toContain(
    'Unable to connect to the server https://127.0.0.1:1: dial tcp 127.0.0.1:1: connect: connection refused',
  );
});

test('sends no credential to a server that cannot be verified', async () => {
  const { code, stderr } = await whoami(
    ['--kubeconfig=/dev/null', `--server=${server.url}`, '--token-file=token'],
    { token: 'tok-alice' },
  );
  expect(code).toBe(2);
  expect(stderr).toContain('x509');
});

test('contradictory and missing flags', async () => {
  const none = await runCaptured(['auth', 'whoami'], { variables: { HOME: folder } });
  expect([none.code, none.stderr]).toEqual([
    2,
    'error: no server has been specified, and there is no kubeconfig with a current context\n  Specify a kubeconfig with --kubeconfig FILE, or a server with --server URL.\n',
  ]);
  expect((await withToken('tok-alice', '--as-group=dev')).stderr).toContain(
    'requesting uid, groups or user-extra for  without impersonating a user',
  );
  expect((await withToken('tok-alice', '--as=bob', '--as-user-extra=x')).stderr).toContain(
    'invalid argument "x" for "--as-user-extra" flag: must be KEY=VALUE',
  );
  expect((await withToken('')).stderr).toContain('token contains no token');
});

const kubeconfig = (user: object, cluster: object = {}): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'main',
    clusters: [
      {
        name: 'ours',
        cluster: {
          server: server.url,
          'certificate-authority': 'ca.crt',
          ...cluster,
        },
      },
    ],
    users: [
      { name: 'someone', user },
      { name: 'admin', user: { token: 'tok-admin' } },
    ],
    contexts: [
      { name: 'main', context: { cluster: 'ours', user: 'someone' } },
      { name: 'other', context: { cluster: 'ours', user: 'admin' } },
    ],
  });

const usernameOf = (stdout: string): string =>
  /^Username +(.*)$/m.exec(stdout)?.[1] ?? `none: ${stdout}`;

describe('kubeconfig files', () => {
  test('the files of $KUBECONFIG together, the first one wins', async () => {
    const first = write('first', kubeconfig({ token: 'tok-alice' }));
    const second = write('second', kubeconfig({ token: 'tok-monitor' }));
    const run = async (list: string, ...args: readonly string[]) =>
      usernameOf(
        (await runCaptured(['auth', 'whoami', ...args], { variables: { KUBECONFIG: list } }))
          .stdout,
      );
    expect(await run(`${first}:${second}`)).toBe('alice');
    expect(await run(`${folder}/missing:${second}:${first}`)).toBe('monitor');
    expect(await run(first, '--context=other')).toBe('admin');
    expect(await run(first, '--user=admin')).toBe('admin');
    expect(await run(second, `--kubeconfig=${first}`)).toBe('alice');
  });

  test('names that do not exist are errors of kubectl', async () => {
    const file = write('names', kubeconfig({ token: 'tok-alice' }));
    const run = async (...args: readonly string[]) =>
      (await whoami([`--kubeconfig=${file}`, ...args])).stderr;
    expect(await run('--context=x')).toBe('error: context "x" does not exist\n');
    expect(await run('--user=x')).toBe('error: auth info "x" does not exist\n');
    expect(await run('--cluster=x')).toBe('error: cluster "x" does not exist\n');
    expect((await whoami([`--kubeconfig=${folder}/missing`])).stderr).toBe(
      `error: stat ${folder}/missing: no such file or directory\n`,
    );
  });
});

describe('credential plugins', () => {
  const script = (text: string): object => ({
    apiVersion: 'client.authentication.k8s.io/v1',
    command: process.execPath,
    args: ['-e', text],
    env: [{ name: 'WANTED', value: 'tok-alice' }],
    interactiveMode: 'Never',
    installHint: 'install it',
  });
  const print = `process.stdout.write(JSON.stringify({
    apiVersion: JSON.parse(process.env.KUBERNETES_EXEC_INFO).apiVersion, kind: 'ExecCredential',
    status: { token: process.env.WANTED } }))`;
  const run = async (exec: object, user: object = {}) => {
    const file = write('plugin', kubeconfig({ exec, ...user }));
    return whoami([`--kubeconfig=${file}`]);
  };

  test('gets the environment of the kubeconfig, and its token is used', async () => {
    const { code, stdout } = await run(script(print));
    expect([code, usernameOf(stdout)]).toEqual([0, 'alice']);
  });

  test('gets the cluster if it wants to', async () => {
    const check = `const { cluster } = JSON.parse(process.env.KUBERNETES_EXEC_INFO).spec;
      if (!Buffer.from(cluster['certificate-authority-data'], 'base64').toString().includes('BEGIN')) process.exit(4);
      if (cluster.config.audience !== 'x' || !cluster.server.startsWith('https:')) process.exit(5);
      ${print}`;
    const exec = { ...script(check), provideClusterInfo: true };
    const extension = { name: 'client.authentication.k8s.io/exec', extension: { audience: 'x' } };
    const file = write('plugin', kubeconfig({ exec }, { extensions: [extension] }));
    expect(usernameOf((await whoami([`--kubeconfig=${file}`])).stdout)).toBe('alice');
  });

  test('is not run for a server without TLS', async () => {
    const file = write('plugin', kubeconfig({ exec: script('process.exit(3)') }));
    const { stderr } = await whoami([`--kubeconfig=${file}`, '--server=http://127.0.0.1:1']);
    expect(stderr).toContain('connection refused');
  });

  test('is not run if the user has another credential', async () => {
    const { stdout } = await run(script('process.exit(3)'), { token: 'tok-admin' });
    expect(usernameOf(stdout)).toBe('admin');
  });

  test.each<[string, object, string]>([
    ['failure', script('process.exit(3)'), 'failed with exit code 3'],
    [
      'no status',
      script(
        'console.log(`{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential"}`)',
      ),
      "exec plugin didn't return a status field",
    ],
    [
      'other version',
      {
        ...script(
          print.replace(
            'JSON.parse(process.env.KUBERNETES_EXEC_INFO).apiVersion',
            '`client.authentication.k8s.io/v1beta1`',
          ),
        ),
      },
      'exec plugin is configured to use API version client.authentication.k8s.io/v1, plugin returned version client.authentication.k8s.io/v1beta1',
    ],
    ['no JSON', script('console.log("tok-secret")'), 'decoding stdout: '],
    [
      'too much',
      script('process.stdout.write("x".repeat(3e6))'),
      'printed more than 1048576 bytes',
    ],
    [
      'unknown program',
      { ...script(''), command: 'no-such-plugin' },
      'exec: executable no-such-plugin not found',
    ],
    [
      'old version',
      { ...script(''), apiVersion: 'client.authentication.k8s.io/v1alpha1' },
      'exec plugin: invalid apiVersion "client.authentication.k8s.io/v1alpha1"',
    ],
    ['terminal', { ...script(''), interactiveMode: 'Always' }, 'standard input is not a terminal'],
  ])('%s', async (_, exec, message) => {
    const { code, stderr } = await run(exec);
    expect(code).toBe(2);
    expect(stderr).toContain('getting credentials: ');
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('tok-');
  });
});

describe('client certificates', () => {
  const clients = makeCert({ subject: [['CN', 'clients']], ca: true });
  const client = makeCert({ subject: [['CN', 'carla']] }, clients);
  let mutual: LoopbackServer;
  let address: readonly string[] = [];

  beforeAll(async () => {
    const { pem, keyPem } = authority.issue();
    const options = { cert: pem, key: keyPem, ca: clients.pem, requestCert: true };
    mutual = await listenOnLoopback(
      createServer({ ...options, rejectUnauthorized: false }, ({ socket }, response) => {
        const username =
          socket instanceof TLSSocket ? String(socket.getPeerCertificate().subject?.CN) : '';
        response.writeHead(201, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ status: { userInfo: { username } } }));
      }),
    );
    address = [
      `--server=https://127.0.0.1:${mutual.port}`,
      `--certificate-authority=${write('mutual.crt', authority.pem)}`,
    ];
  });
  afterAll(() => mutual.close());

  test('from files', async () => {
    const { stdout } = await whoami([
      ...['--kubeconfig=/dev/null', ...address],
      `--client-certificate=${write('client.crt', client.pem)}`,
      `--client-key=${write('client.key', client.keyPem)}`,
    ]);
    expect(usernameOf(stdout)).toBe('carla');
  });

  test('from a credential plugin', async () => {
    const credential = {
      apiVersion: 'client.authentication.k8s.io/v1',
      kind: 'ExecCredential',
      status: { clientCertificateData: client.pem, clientKeyData: client.keyPem },
    };
    const file = write('credential.json', JSON.stringify(credential));
    const { apiVersion } = credential;
    const exec = { apiVersion, command: '/bin/cat', args: [file], interactiveMode: 'Never' };
    const { stdout } = await whoami([
      `--kubeconfig=${write('mutual', kubeconfig({ exec }))}`,
      ...address,
    ]);
    expect(usernameOf(stdout)).toBe('carla');
  });

  test('a certificate without a key is an error', async () => {
    const { code, stderr } = await whoami([
      ...['--kubeconfig=/dev/null', ...address],
      `--client-certificate=${write('client.crt', client.pem)}`,
    ]);
    expect(code).toBe(2);
    expect(stderr).toContain('client-key-data or client-key must be specified for ');
  });
});

describe('other servers', () => {
  let old: LoopbackServer;
  let url = '';
  let answer: (method: string, path: string) => readonly [number, unknown] = () => [404, {}];
  const seen: string[] = [];
  const review = (apiVersion: string) => ({
    kind: 'SelfSubjectReview',
    apiVersion,
    status: { userInfo: { username: 'old' } },
  });

  beforeAll(async () => {
    const { pem, keyPem } = authority.issue();
    write('old.crt', authority.pem);
    old = await listenOnLoopback(
      createServer({ cert: pem, key: keyPem }, ({ method = '', url: path = '' }, response) => {
        seen.push(`${method} ${path}`);
        const [status, body] = answer(method, path);
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(typeof body === 'string' ? body : JSON.stringify(body));
      }),
    );
    url = `https://127.0.0.1:${old.port}/base`;
  });
  afterAll(() => old.close());

  const ask = async (answers: typeof answer, ...args: readonly string[]) => {
    answer = answers;
    seen.length = 0;
    return whoami(
      [
        ...['--kubeconfig=/dev/null', `--server=${url}`],
        ...[`--certificate-authority=${folder}/old.crt`, ...args],
      ],
      {},
    );
  };

  test.each(['v1beta1', 'v1alpha1'])('falls back to %s', async (version) => {
    const apiVersion = `authentication.k8s.io/${version}`;
    const { code, stdout } = await ask((_, path) =>
      path.includes(`/${version}/`) ? [201, review(apiVersion)] : [404, {}],
    );
    expect([code, stdout]).toEqual([0, 'ATTRIBUTE   VALUE\nUsername    old\n']);
    expect(seen.at(-1)).toBe(`POST /base/apis/${apiVersion}/selfsubjectreviews`);
  });

  test('finds the domain platform.io by discovery', async () => {
    const { code, stdout } = await ask(
      (_, path) => {
        if (path === '/base/apis')
          return [200, { groups: [{ name: 'authentication.platform.io' }, { name: 'x' }] }];
        return path.includes('platform.io/v1/')
          ? [201, review('authentication.platform.io/v1')]
          : [404, {}];
      },
      '-o',
      'json',
    );
    expect([code, JSON.parse(stdout).apiVersion]).toEqual([0, 'authentication.platform.io/v1']);
  });

  test('a chosen domain is the only one', async () => {
    const { code, stderr } = await ask(() => [404, {}], '--api-domain=platform.io');
    expect([code, stderr]).toEqual([
      1,
      'error: the selfsubjectreviews API is not enabled in the cluster\n',
    ]);
    expect(seen.every((line) => line.includes('authentication.platform.io'))).toBe(true);
  });

  test.each<[number, unknown, number, string]>([
    [403, { kind: 'Status', message: 'no' }, 1, 'or you do not have permission to call it: no'],
    [
      429,
      { kind: 'Status', reason: 'TooManyRequests', message: 'later' },
      1,
      'Error from server (TooManyRequests): later',
    ],
    [500, '<html>', 1, 'the server returned 500 Internal Server Error'],
    [302, '', 1, 'the server returned 302 Found'],
    [201, 'not json', 2, 'did not return a SelfSubjectReview'],
    [201, { status: { userInfo: { username: 7 } } }, 2, 'did not return a SelfSubjectReview'],
    [201, { status: { userInfo: { groups: [{}] } } }, 2, 'did not return a SelfSubjectReview'],
  ])('status %i with %j', async (status, body, code, message) => {
    const result = await ask(() => [status, body]);
    expect(result.code).toBe(code);
    expect(result.stderr).toContain(message);
  });

  test('names from a server cannot forge lines of the table', async () => {
    const { stdout } = await ask(() => [
      201,
      { status: { userInfo: { username: 'a\nUID   0\u001b[2J', groups: ['\u202eb'] } } },
    ]);
    expect(stdout).toBe(
      'ATTRIBUTE   VALUE\nUsername    a\\u000aUID   0\\u001b[2J\nGroups      [\\u202eb]\n',
    );
  });
});
