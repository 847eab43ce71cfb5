/**
 * The built program with kubectl: as its plugin, as its credential plugin with tokens of
 * `oidc-provider`, and `auth whoami` compared with kubectl's own.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testAuthority } from '../support/certificates.ts';
import { kubectlBuildMs, kubectlProgram } from '../support/kubectl.ts';
import { logInWithBrowser } from '../support/login-browser.ts';
import {
  type LoginProvider,
  robotClient,
  startLoginProvider,
  userClient,
} from '../support/login-provider.ts';
import { type Ran, type ServeProcess, serveProcess } from '../support/serve-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const { path: folder, write } = temporaryFolder();
const root = join(import.meta.dirname, '../..');
const authority = testAuthority('both servers');
let kubectl = '';
let provider: LoginProvider;
let server: ServeProcess;

beforeAll(async () => {
  kubectl = kubectlProgram();
  provider = await startLoginProvider(authority);
  const serving = authority.issue();
  write('ca.crt', authority.pem);
  write('tls.crt', serving.pem);
  write('tls.key', serving.keyPem);
  write('tokens.csv', 'admin-token,admin,u1,"system:masters,<a&b>"\n');
  write('robot', robotClient.secret);
  write(
    'authentication.yaml',
    `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer:
    url: ${provider.issuer}
    audiences: [${userClient}, "urn:test:api"]
    audienceMatchPolicy: MatchAny
    certificateAuthority: ${JSON.stringify(authority.pem)}
  claimMappings:
    username: {claim: sub, prefix: "oidc:"}
`,
  );
  server = await serveProcess(folder, [
    ...['--tls-cert-file=tls.crt', '--tls-private-key-file=tls.key'],
    ...['--token-auth-file=tokens.csv', '--authentication-config=authentication.yaml'],
    '--api-domain=k8s.io',
  ]);
  write(
    'config',
    `# the clusters of this test
apiVersion: v1
kind: Config
current-context: admin
clusters:
- name: ours
  cluster: {server: "${server.url}", certificate-authority: ca.crt}
users:
- name: admin
  user: {token: admin-token}
- name: wrong
  user: {token: x}
contexts:
- name: admin
  context: {cluster: ours, user: admin}
- name: robot
  context: {cluster: ours, user: robot}
- name: jane
  context: {cluster: ours, user: jane}
`,
  );
  mkdirSync(join(folder, 'bin'));
  symlinkSync(kubectl, join(folder, 'bin/kubectl'));
  for (const name of ['authgraph', 'kubectl-authgraph'])
    symlinkSync(join(root, `engine/bin/${name}.js`), join(folder, 'bin', name));
}, kubectlBuildMs);

afterAll(async () => {
  await server?.stop();
  await provider?.close();
});

/** Runs a program of the folder; `answer` gets standard error when it contains an address. */
const run = async (
  program: 'kubectl' | 'authgraph',
  args: readonly string[],
  answer?: (printed: string) => Promise<unknown>,
): Promise<Ran> => {
  const child = spawn(join(folder, 'bin', program), args, {
    cwd: folder,
    env: {
      ...process.env,
      KUBECONFIG: join(folder, 'config'),
      PATH: [join(folder, 'bin'), join(root, 'node_modules/.bin'), process.env.PATH].join(
        delimiter,
      ),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  let answered: Promise<unknown> | undefined;
  child.stdout.on('data', (chunk) => {
    stdout += String(chunk);
  });
  child.stderr.on('data', (chunk) => {
    stderr += String(chunk);
    if (answer !== undefined && /https:\/\/\S+\n$/.test(stderr)) answered ??= answer(stderr);
  });
  const [code] = await once(child, 'close');
  await answered;
  return { code, stdout, stderr };
};

describe('auth whoami prints what kubectl prints', () => {
  const withoutTime = (text: string): string => text.replaceAll(/\d{4}-\d\d-\d\dT[\d:]+Z/g, 'TIME');
  test.each<[readonly string[]]>([
    [[]],
    [['-o', 'json']],
    [['-o', 'yaml']],
    [
      [
        '--as=bob',
        '--as-uid=7',
        '--as-group=dev',
        '--as-group=a b',
        '--as-user-extra=example.com/x=1',
        '--as-user-extra=example.com/x=2',
        '--as-user-extra=A%b=c',
      ],
    ],
    [['--context=missing']],
    [['--user=missing']],
    [['--kubeconfig=missing']],
    [['--server=https://127.0.0.1:1']],
    [['--insecure-skip-tls-verify']],
    [['--as-group=dev']],
  ])('%j', async (args) => {
    const theirs = await run('kubectl', ['auth', 'whoami', ...args]);
    const ours = await run('authgraph', ['auth', 'whoami', ...args]);
    expect(withoutTime(ours.stdout)).toBe(withoutTime(theirs.stdout));
    expect(ours.code === 0).toBe(theirs.code === 0);
  });

  test.each<[readonly string[]]>([
    [['--context=missing']],
    [['--user=missing']],
    [['--cluster=missing']],
    [['--kubeconfig=missing']],
    [['--as-group=dev']],
    [['--user=wrong']],
  ])('the error of %j', async (args) => {
    const theirs = await run('kubectl', ['auth', 'whoami', ...args]);
    const ours = await run('authgraph', ['auth', 'whoami', ...args]);
    expect(ours.stderr).toBe(theirs.stderr);
  });
});

describe('as a plugin', () => {
  test('kubectl finds it, and help names it', async () => {
    const { stdout } = await run('kubectl', ['plugin', 'list']);
    expect(stdout).toContain(join(folder, 'bin/kubectl-authgraph'));
    const help = await run('kubectl', ['authgraph', 'get-token', '--help']);
    expect(help.stdout).toMatch(/^usage: kubectl authgraph get-token /);
    expect((await run('kubectl', ['authgraph', 'get-token'])).stderr).toContain(
      'See: kubectl authgraph get-token --help',
    );
  });

  test('whoami without a configuration asks the server', async () => {
    for (const words of [['whoami'], ['auth', 'whoami']]) {
      const { code, stdout } = await run('kubectl', ['authgraph', ...words]);
      expect([code, stdout]).toEqual([0, (await run('kubectl', ['auth', 'whoami'])).stdout]);
    }
    for (const words of [['-c', 'authentication.yaml'], ['authentication.yaml']]) {
      const simulated = await run('kubectl', ['authgraph', 'whoami', ...words]);
      expect(simulated.stderr).toContain('--claims');
    }
  });
});

describe('as a credential plugin of kubectl', () => {
  const issuer = () => [`--issuer-url=${provider.issuer}`, '--certificate-authority=ca.crt'];

  test('a client logs in with its secret', async () => {
    const set = await run('kubectl', [
      ...['authgraph', 'config', 'set-credentials', 'robot', ...issuer(), '--client-id=robot'],
      ...['--grant-type=client-credentials', '--client-secret-file=robot'],
      '--parameter=resource=urn:test:api',
    ]);
    expect([set.code, set.stderr]).toEqual([0, '']);
    const { code, stdout, stderr } = await run('kubectl', ['auth', 'whoami', '--context=robot']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain(' oidc:robot\n');
    const ours = await run('authgraph', ['auth', 'whoami', '--context=robot']);
    expect(ours.stdout).toContain(' oidc:robot\n');
  });

  test('a user logs in with a browser once, and the token is cached', async () => {
    await run('authgraph', [
      ...['config', 'set-credentials', 'jane', ...issuer(), `--client-id=${userClient}`],
      ...['--redirect-uri=http://127.0.0.1:0/callback', '--cache-dir=cache', '--skip-open-browser'],
    ]);
    const args = ['auth', 'whoami', '--context=jane'];
    const first = await run('kubectl', args, (printed) =>
      logInWithBrowser(/https:\/\/\S+/.exec(printed)?.[0] ?? '', {
        authority: authority.pem,
        login: 'jane',
      }),
    );
    expect(first.code).toBe(0);
    expect(first.stdout).toContain(' oidc:jane\n');
    const second = await run('kubectl', args);
    expect([second.code, second.stderr]).toEqual([0, '']);
    expect(readdirSync(join(folder, 'cache'))).toHaveLength(1);
  });

  test('a user who refuses gets the error of the issuer', async () => {
    await run('authgraph', [
      ...['config', 'set-credentials', 'jane', ...issuer(), `--client-id=${userClient}`],
      ...['--redirect-uri=http://127.0.0.1:0/callback', '--skip-open-browser'],
    ]);
    const refused = await run('kubectl', ['auth', 'whoami', '--context=jane'], (printed) =>
      logInWithBrowser(/https:\/\/\S+/.exec(printed)?.[0] ?? '', {
        authority: authority.pem,
        login: 'jane',
        refuses: true,
      }),
    );
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('access_denied');
    expect(refused.stderr).toContain('executable authgraph failed with exit code 2');
  });
});
