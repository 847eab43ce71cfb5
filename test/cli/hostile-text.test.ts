/**
 * No command prints a control character, a line separator or a bidirectional control of untrusted
 * text: a file, a path, a flag, a token, or the response of an issuer or a server.
 */
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commands } from '../../engine/src/cli/run.ts';
import { createSigningKey, mintToken } from '../../engine/src/node/mint.ts';
import { runCaptured } from '../support/captured-io.ts';
import { testAuthority } from '../support/certificates.ts';
import { type LoopbackServer, listenOnLoopback } from '../support/loopback-server.ts';
import { serveProcess } from '../support/serve-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A color, a window title, C1, bidirectional controls, line and paragraph separators, NEL, DEL. */
const hostile =
  '\u001b[31mPWN\u001b]0;t\u0007\u009b2J\u202e\u2066\u200f\u200e\u061c\u2028\u2029\u0085\u007f\u0000';
/** The characters that may be written unescaped in YAML. */
const visibleInYaml = '\u202e\u2066\u200f\u061c\u2028\u0085';
const unprintable =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2028\u2029\u2066-\u2069]/;
const colors = /\u001b\[(?:[012]|(?:1;)?3[1-6])m/g;
const quoted = JSON.stringify(hostile).replaceAll(
  /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066]/g,
  (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
);

const authority = testAuthority();
const key = await createSigningKey('ES256', 'k1');
let server: LoopbackServer;
let origin = '';
/** The response of the server to every request. */
let page: { status: number; body: string; headers?: Record<string, string> };
const { path: folder } = temporaryFolder();

beforeAll(async () => {
  const certificate = authority.issue();
  const options = { cert: certificate.pem, key: certificate.keyPem };
  const pageServer = createServer(options, (request, response) => {
    request.resume();
    response.writeHead(page.status, { 'content-type': 'application/json', ...page.headers });
    response.end(page.body);
  });
  server = await listenOnLoopback(pageServer);
  origin = `https://localhost:${server.port}`;
  writeFileSync(decisionLog, decisions());
  page = {
    status: 200,
    body: JSON.stringify({ issuer: hostile, jwks_uri: `${hostile}`, error: hostile }),
  };
});
afterAll(() => server.close());

const certificateFile = join(folder, 'authority.pem');
writeFileSync(certificateFile, authority.pem);
const decisionLog = join(folder, 'decisions.jsonl');
const path = `a${hostile.replaceAll('\0', '')}.yaml`;

/** A configuration that compiles, with hostile names, audiences, messages, keys and comments. */
const good = (version = 'v1') => `# ${visibleInYaml}
apiVersion: apiserver.config.k8s.io/${version}
kind: AuthenticationConfiguration
jwt:
- issuer:
    url: ${origin}
    certificateAuthority: ${JSON.stringify(authority.pem)}
    audiences: [${quoted}, app${visibleInYaml}]
    audienceMatchPolicy: MatchAny
  claimValidationRules:
  - expression: 'claims.sub != ${quoted.replaceAll("'", "''")}'
    message: ${quoted}
  claimMappings:
    username: {claim: sub, prefix: ${quoted}}
    groups: {claim: ${quoted}, prefix: ""}
`;
const broken = () =>
  `${good()}  ${visibleInYaml}key: ${quoted}\n  userValidationRules: [{expression: ${quoted}}]\n`;
/** A test file with hostile names and values; its second case fails. */
const suite = () => `configuration: ${JSON.stringify(path)}
tests:
- name: ${quoted}
  claims: {sub: jane, ${quoted}: [${quoted}]}
  expect: {userIncludes: {groups: [${quoted}]}}
- name: 'fails: ${visibleInYaml}'
  claims: {sub: jane}
  expect: {rejected: ${quoted}}
`;
const claims = (sub: string) =>
  JSON.stringify({
    iss: origin,
    aud: [hostile],
    sub,
    exp: 4102444800,
    [hostile]: [hostile],
    other: hostile,
  });

/** A decision log with hostile claims and names, a refused token and a line that is none. */
const decisions = () =>
  [
    { decision: 'accepted', username: `${hostile}jane`, claims: JSON.parse(claims('jane')) },
    { decision: 'rejected', reason: hostile, claims: JSON.parse(claims(hostile)) },
    { decision: hostile, [hostile]: hostile },
  ]
    .map((record) =>
      JSON.stringify({
        time: '2026-01-31T12:00:00.000Z',
        module: 'jwt',
        message: 'decision',
        ...record,
      }),
    )
    .concat(hostile)
    .join('\n');

/**
 * Reports whether the output is a configuration or an artifact, which keeps every byte in a file
 * and is escaped on a terminal.
 */
const isDocument = (args: readonly string[], stdout: string): boolean =>
  (args[0] === 'migrate' || args[0] === 'compile') && !args.includes('json') && stdout !== '';

const outputOf = async (args: readonly string[], files: Readonly<Record<string, string>>) => {
  const terminal = { columns: 100 };
  const piped = await runCaptured(args, { files });
  if (!isDocument(args, piped.stdout)) expect(piped.stdout).not.toMatch(unprintable);
  expect(piped.stderr).not.toMatch(unprintable);
  const colored = await runCaptured([...args, '--color=always'], { files, terminal });
  // A progress bar writes its line again.
  const log = colored.stderr.replaceAll(/\r([^\r\u001b]*)\u001b\[K/g, '$1');
  for (const text of [colored.stdout, log]) {
    expect(text).not.toContain('\u001b[31mPWN');
    expect(text.replaceAll(colors, '')).not.toMatch(unprintable);
  }
  return piped;
};

/** Returns arguments and files by command. */
const runs = (): Readonly<
  Record<string, readonly (readonly [readonly string[], Record<string, string>?])[]>
> => {
  const files = {
    [path]: good(),
    broken: broken(),
    old: good('v1beta1'),
    changed: good().replace('sub, prefix', 'email, prefix'),
    accepted: claims('jane'),
    refused: claims(hostile),
    token,
    rbac: `kind: ClusterRole\nmetadata: {name: ${quoted}}\nrules: ${quoted}\n`,
    jwks: hostile,
    ca: authority.pem,
    own: 'x',
    'cases.authtest.yaml': suite(),
  };
  const withFiles = (...args: readonly string[]) => [args, files] as const;
  return {
    check: ['text', 'github', 'json', 'sarif'].flatMap((format) => [
      withFiles('check', '-o', format, path),
      withFiles('check', '-o', format, 'broken'),
      withFiles('check', '-o', format, `none${hostile}`),
    ]),
    whoami: ['text', 'json', 'yaml'].flatMap((output) => [
      withFiles('whoami', '-c', path, '--claims', 'accepted', '-o', output, '--explain'),
      withFiles('whoami', '-c', path, '--claims', 'refused', '-o', output, '--explain'),
      withFiles('whoami', '-c', path, '--token-file', 'token', '--fetch', '-o', output),
      withFiles('whoami', '-c', path, '--token-file', 'token', '--jwks', 'jwks', '-o', output),
      withFiles('whoami', path, '--token-file', 'jwks', '-o', output),
      withFiles(
        'whoami',
        '-c',
        path,
        '--claims',
        'accepted',
        '--as',
        hostile,
        '--as-group',
        hostile,
        '-o',
        output,
      ),
      withFiles(
        'whoami',
        '-c',
        path,
        '--claims',
        'accepted',
        '--as',
        'x',
        '--rbac-file',
        'rbac',
        '-o',
        output,
      ),
      withFiles('whoami', '-c', 'broken', '--claims', 'accepted', '-o', output),
    ]),
    explain: ['text', 'json'].flatMap((output) => [
      withFiles(
        'explain',
        '-o',
        output,
        '-c',
        path,
        `oidc: verify token: oidc: expected audience "${hostile}" got ["${hostile}"]`,
      ),
      withFiles(
        'explain',
        '-o',
        output,
        '-c',
        path,
        JSON.stringify({
          message: 'Unable to authenticate the request',
          err: `oidc: parse username claims "${hostile}": claim not present`,
        }),
      ),
      withFiles('explain', '-o', output, hostile),
      withFiles(
        'explain',
        '-o',
        output,
        '-c',
        'broken',
        `jwt[0].issuer.url: Invalid value: "${hostile}": URL scheme must be https`,
      ),
    ]),
    diff: ['text', 'json'].flatMap((output) => [
      withFiles('diff', path, 'changed', '--claims', 'accepted', '-o', output),
      withFiles('diff', path, 'broken', '--claims', 'accepted', '-o', output),
    ]),
    test: ['text', 'json', 'junit', 'tap', 'github'].flatMap((output) => [
      withFiles('test', 'cases.authtest.yaml', '-o', output),
      withFiles('test', hostile, '--filter', hostile, '-o', output),
    ]),
    replay: ['text', 'json', 'markdown'].flatMap((output) => [
      withFiles('replay', decisionLog, '-c', 'changed', '--old', path, '-o', output),
      withFiles('replay', decisionLog, `none${hostile}`, '-c', path, '-o', output),
      withFiles('replay', decisionLog, '-c', 'broken', '-o', output),
    ]),
    report: [
      withFiles('report', path, '--base', 'changed', '--claims', 'accepted', '--mutate'),
      withFiles('report', path, '--tests', 'cases.authtest.yaml'),
      withFiles('report', 'broken', '--base', path),
      withFiles('report', hostile),
    ],
    mutate: ['text', 'json'].flatMap((output) => [
      withFiles('mutate', 'cases.authtest.yaml', '-o', output),
      withFiles('mutate', hostile, '-o', output),
    ]),
    fleet: ['text', 'json', 'markdown'].flatMap((output) => {
      const fleet = {
        [`new/${hostile}.yaml`]: good(),
        'new/b.yaml': broken(),
        'new/b.authtest.yaml': suite(),
        [`old/${hostile}.yaml`]: good().replace('sub, prefix', 'email, prefix'),
        [`old/gone${hostile}.yaml`]: good(),
        metrics: `apiserver_authentication_config_controller_last_config_info{a="${hostile}",hash="${hostile}"} 1\n`,
      };
      const flags = ['--base', 'old', '--metrics', 'metrics', '--metrics', `none${hostile}`];
      return [
        [['fleet', 'new', ...flags, '-o', output], fleet] as const,
        [['diff', 'old', 'new', '-o', output], fleet] as const,
        withFiles('fleet', hostile, '-o', output),
        withFiles('fleet', '--target-version', hostile),
      ];
    }),
    'who-can': ['text', 'json'].flatMap((output) => [
      withFiles('who-can', path, '--group', hostile, '-o', output),
      withFiles('who-can', path, '--username', '', '--prefix', '--extra', 'a=b', '-o', output),
      withFiles('who-can', path, '--username', 'a', '--prefix', '-o', output),
      withFiles('who-can', 'broken', '--extra', `${hostile}=${hostile}`, '-o', output),
    ]),
    'auth whoami': ['text', 'json', 'yaml'].flatMap((output) => [
      withFiles(
        ...['auth', 'whoami', '--server', origin, '--certificate-authority', certificateFile],
        ...['--token-file', 'own', '--as', hostile, '--as-group', hostile, '-o', output],
      ),
      withFiles('auth', 'whoami', '--kubeconfig', hostile, '--context', hostile, '-o', output),
    ]),
    'get-token': [
      withFiles(
        ...['get-token', '--issuer-url', origin, '--client-id', hostile],
        ...['--certificate-authority', certificateFile, '--grant-type', 'device-code'],
      ),
      withFiles('get-token', '--issuer-url', hostile, '--client-id', hostile),
    ],
    'config set-credentials': [
      withFiles(
        ...['config', 'set-credentials', hostile, '--kubeconfig', join(folder, 'kubeconfig')],
        ...['--issuer-url', origin, '--client-id', hostile],
      ),
      withFiles('config', 'set-credentials', hostile, '--kubeconfig', join(folder, hostile)),
    ],
    doctor: ['text', 'json'].flatMap((output) => [
      withFiles('doctor', '-c', path, '-o', output),
      withFiles('doctor', '-c', path, '--token-file', 'token', '-o', output),
      withFiles('doctor', '-c', path, '--issuer', hostile, '-o', output),
    ]),
    graph: ['text', 'json', 'mermaid', 'dot', 'svg'].flatMap((format) => [
      withFiles('graph', '-o', format, path),
      withFiles('graph', '-o', format, path, '--claims', 'refused'),
    ]),
    migrate: [
      withFiles('migrate', 'broken'),
      withFiles('migrate', 'old', '-o', 'json'),
      withFiles(
        'migrate',
        '--oidc-issuer-url',
        'https://a.example',
        '--oidc-client-id',
        hostile,
        '--oidc-username-prefix',
        hostile,
      ),
      withFiles('migrate', '--oidc-issuer-url', hostile, '--oidc-client-id', hostile),
    ],
    compile: [
      withFiles('compile', path),
      withFiles('compile', path, '--out', `out${hostile}`),
      withFiles('compile', 'broken'),
    ],
    new: [
      withFiles('new', hostile),
      withFiles('new', 'keycloak', '-d', `folder${hostile}`),
      withFiles('new', 'keycloak', '-d', hostile, '-o', 'json'),
    ],
    'create-token': ['token', 'json', 'yaml'].map((output) =>
      withFiles(
        'create-token',
        `n${hostile}`,
        '--server',
        origin,
        '--certificate-authority',
        'ca',
        '--token-file',
        'own',
        '-o',
        output,
      ),
    ),
    serve: [
      withFiles('serve', `--authentication-config=${path}`),
      withFiles('serve', `--${hostile}`),
      withFiles('serve', '--oidc-issuer-url', hostile, '--oidc-client-id=a'),
    ],
    demo: [withFiles('demo', `--${hostile}`), withFiles('demo', hostile)],
    lsp: [withFiles('lsp', hostile)],
    completion: [withFiles('completion', hostile), withFiles('completion', `--help=${hostile}`)],
    version: [withFiles('version', hostile), withFiles('version', '-o', 'json')],
  };
};

const token = await mintToken(
  { iss: `https://elsewhere.example/${hostile}`, aud: hostile, sub: hostile, exp: 4102444800 },
  key,
  {
    header: { [hostile]: hostile, typ: hostile },
  },
);

test('runs every command', () => {
  expect(Object.keys(runs()).toSorted()).toEqual(commands.map(({ name }) => name).toSorted());
});

describe.each(commands.map(({ name }) => name))('%s', (name) => {
  test('INV-F2 prints no such character, with and without color', async () => {
    for (const [args, files = {}] of runs()[name] ?? []) {
      const { stdout } = await outputOf(args, files);
      const isJson = args.includes('json') || args.includes('sarif');
      if (isJson && stdout !== '') expect(() => JSON.parse(stdout)).not.toThrow();
    }
  }, 60_000);
});

test('an unknown command', async () => {
  await outputOf([hostile], {});
  await outputOf(['create', hostile], {});
});

test('what a server sends to create-token: an error, and a token with warnings', async () => {
  const before = page;
  const args = [
    'create-token',
    'robot',
    '--server',
    origin,
    '--certificate-authority',
    'ca',
    '--token-file',
    'own',
  ];
  const files = { ca: authority.pem, own: 'x' };
  page = {
    status: 403,
    body: JSON.stringify({ kind: 'Status', status: 'Failure', message: hostile, reason: hostile }),
  };
  await outputOf(args, files);
  page = {
    status: 201,
    headers: { warning: '299 - "caf\u009b2J"' },
    body: JSON.stringify({
      kind: 'TokenRequest',
      apiVersion: 'authentication.k8s.io/v1',
      status: { token: hostile },
    }),
  };
  for (const output of ['token', 'json', 'yaml']) await outputOf([...args, '-o', output], files);
  page = before;
});

test('JSON has the same meaning without escapes', async () => {
  const files = { [path]: good(), accepted: claims('jane') };
  const { stdout } = await runCaptured(
    ['whoami', '-c', path, '--claims', 'accepted', '-o', 'json'],
    { files },
  );
  expect(JSON.stringify(JSON.parse(stdout))).toContain(JSON.stringify(`${hostile}jane`));
});

test('a migrated document keeps its bytes in a file and is escaped on a terminal', async () => {
  const files = { old: good('v1beta1') };
  const piped = await runCaptured(['migrate', 'old'], { files });
  expect(piped.stdout).toBe(good('v1'));
  const shown = await runCaptured(['migrate', 'old'], { files, terminal: { columns: 80 } });
  expect(shown.stdout).not.toMatch(unprintable);
});

test('a server with a hostile file under a hostile path, reloaded with errors', async () => {
  const file = join(folder, path);
  writeFileSync(file, good());
  const served = await serveProcess(folder, [
    `--authentication-config=${file}`,
    '--store=memory',
    '--log-level=debug',
  ]);
  try {
    writeFileSync(file, broken());
    while (!served.output().includes('not reloaded')) await pause(20);
    expect(served.output()).not.toMatch(unprintable);
  } finally {
    await served.stop();
  }
}, 60_000);
