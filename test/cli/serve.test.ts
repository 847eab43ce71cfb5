import { generateKeyPairSync } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { openDecisionLog } from '../../engine/src/cli/decision-log.ts';
import { nodeMetrics } from '../../engine/src/node/metrics.ts';
import { createSelfSigned } from '../../engine/src/server/tls/self-signed.ts';
import { type GatedConfig, gateFlags } from '../support/answer-modules/gates.ts';
import { runCaptured } from '../support/captured-io.ts';
import { cases } from '../support/cases.ts';
import { freePort } from '../support/free-port.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const { path: folder, write: fileOf } = temporaryFolder();

/** A start binds the port before it reads files; other tests must not have it. */
const listen = ['--bind-address=127.0.0.1', `--secure-port=${await freePort()}`];

const config = `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer:
    url: https://issuer.example
    audiences: [app]
  claimMappings:
    username: {claim: sub, prefix: ""}
anonymous:
  enabled: true
`;

interface RecordedStart {
  readonly id: string;
  readonly module: string;
  readonly title: string;
  readonly config: GatedConfig & {
    readonly args?: readonly string[];
    readonly files?: Readonly<Record<string, string>>;
  };
  readonly expect: { readonly configError?: string; readonly newError?: string };
}

/** Starts that fail because of a file. */
const failing = [
  ...(cases('conformance/modules/options.jsonl') as unknown as readonly RecordedStart[]),
  ...(cases('conformance/modules-found.jsonl') as unknown as readonly RecordedStart[]).filter(
    ({ module }) => module === 'options',
  ),
].flatMap((one) => {
  // Accepted: the row `accepted-spellings` of the differences.
  if (one.id === 'options-049') return [];
  const error = one.expect.configError ?? one.expect.newError;
  return error === undefined ? [] : [{ ...one, args: one.config.args ?? [], error }];
});

describe('recorded starts that a file prevents', () => {
  test('has cases', () => {
    expect(failing.length).toBeGreaterThanOrEqual(14);
  });
  test.each(failing.map((one) => [`${one.id} ${one.title}`, one] as const))(
    '%s',
    async (_, one) => {
      const paths = new Map(
        Object.entries(one.config.files ?? {}).map(([name, text]) => [name, fileOf(name, text)]),
      );
      paths.set('dir', folder);
      const args = one.args.map((arg) =>
        arg.replaceAll(/\{\{(.+?)\}\}/g, (whole, name: string) => paths.get(name) ?? whole),
      );
      const gates = gateFlags(one.config);
      const { code, stderr, stdout } = await runCaptured(['serve', ...listen, ...gates, ...args]);
      expect(code).toBeGreaterThan(0);
      expect(stdout).toBe('');
      const last = stderr.split('\n').findLast((line) => line.startsWith('error: ')) ?? '';
      expect(comparable(last)).toBe(comparable(`error: ${one.error}`));
    },
  );
});

/**
 * Removes directories and the location of the scheme in a Go program, which are not part of the
 * message.
 */
const comparable = (line: string): string =>
  line
    .replaceAll(`${folder}/`, '')
    .replaceAll(folder, '<dir>')
    .replace(/ in scheme ".*"$/, '');

test('reports problems of flags and file in one run', async () => {
  const broken = fileOf('both.yaml', config.replace('https:', 'http:'));
  const args = ['--oidc-issuer-url=https://a', '--oidc-client-id=a', '--tls-cert-file=x'];
  const both = await runCaptured(['serve', ...listen, '--authentication-config', broken, ...args]);
  expect({ code: both.code, stdout: both.stdout }).toEqual({ code: 2, stdout: '' });
  expect(both.stderr).toContain(`--> ${broken}:5:10`);
  expect(both.stderr).toContain('error: missing filename for serving cert');
  expect(both.stderr).toContain(
    'error: authentication-config file and oidc-* flags are mutually exclusive',
  );
  const good = fileOf('alone.yaml', config);
  for (const path of [good, join(folder, 'none.yaml')]) {
    const { stderr } = await runCaptured([
      'serve',
      ...listen,
      '--authentication-config',
      path,
      ...args,
    ]);
    expect(stderr).toMatch(/^error: missing filename for serving cert\n/);
  }
});

test('prints the lines of a broken file and serves nothing', async () => {
  const path = fileOf('broken.yaml', config.replace('https:', 'http:'));
  const { code, stdout, stderr } = await runCaptured([
    'serve',
    ...listen,
    '--authentication-config',
    path,
  ]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain(`--> ${path}:5:10`);
  expect(stderr).toContain(
    'error: invalid authentication configuration: jwt[0].issuer.url: Invalid value',
  );
});

test('reports egress selectors and disallowed issuers by the first entry that has one', async () => {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = fileOf(
    'account.pem',
    pair.privateKey.export({ type: 'sec1', format: 'pem' }).toString(),
  );
  const flags = [
    '--service-account-issuer=https://sa.example',
    `--service-account-key-file=${key}`,
    `--service-account-signing-key-file=${key}`,
  ];
  const egress = '    egressSelectorType: cluster\n';
  const entry = (url: string, lines = ''): string =>
    `- issuer:\n    url: ${url}\n    audiences: [app]\n${lines}  claimMappings:\n    username: {claim: sub, prefix: ""}\n`;
  const head = 'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\njwt:\n';
  const selecting = entry('https://a.example', egress);
  const own = entry('https://sa.example');
  const errorOf = async (text: string): Promise<string> => {
    const path = fileOf('egress.yaml', text);
    const { code, stderr } = await runCaptured([
      ...['serve', ...listen, '--authentication-config', path],
      ...flags,
    ]);
    expect(code, stderr).toBe(1);
    expect(stderr).toContain('AG3002');
    return stderr.split('\n').findLast((line) => line.startsWith('error: ')) ?? '';
  };
  const lookup = 'error: oidc: egress lookup required with egress selector type "cluster"';
  expect(await errorOf(head + selecting)).toBe(lookup);
  expect(await errorOf(head + selecting + own)).toBe(lookup);
  expect(await errorOf(head + own + selecting)).toMatch(/^error: issuer\.url: .*must not overlap/);
});

test('start errors are JSON objects with --logging-format=json', async () => {
  const path = fileOf('broken.yaml', config.replace('https:', 'http:'));
  const args = [`--authentication-config=${path}`, '--client-ca-file=missing.pem'];
  const json = await runCaptured(['serve', ...listen, ...args, '--logging-format=json']);
  const text = await runCaptured(['serve', ...listen, ...args, '--logging-format=text']);
  const events = json.stderr
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(events).toEqual([
    {
      ...{ level: 'error', time: expect.any(String), message: 'command failed' },
      err: 'open missing.pem: no such file or directory',
    },
    {
      ...{ level: 'error', time: expect.any(String), message: 'command failed' },
      err: expect.stringMatching(/^invalid authentication configuration: jwt\[0\]\.issuer\.url/),
      file: path,
      diagnostics: [
        expect.objectContaining({ code: 'AG1017', line: 5, column: 10, path: 'jwt[0].issuer.url' }),
        // Advice is reported as well.
        expect.objectContaining({ severity: 'information', code: 'AG4010', line: 8 }),
        expect.objectContaining({ severity: 'information', code: 'AG4033', path: 'anonymous' }),
      ],
    },
  ]);
  expect(json.code).toBe(text.code);
  expect(errorsOf(text.stderr)).toEqual(events.map(({ err }) => err));
  const contradiction = await runCaptured([
    ...['serve', '--logging-format=json', '--goaway-chance=1'],
    '--enable-bootstrap-token-auth',
  ]);
  expect(JSON.parse(contradiction.stderr)).toMatchObject({
    err: '--goaway-chance can not be less than 0 or greater than 0.02',
  });
});

test('reports a missing file', async () => {
  const path = join(folder, 'missing.yaml');
  const { code, stderr } = await runCaptured([
    'serve',
    ...listen,
    `--authentication-config=${path}`,
  ]);
  expect(code).toBe(2);
  expect(stderr).toBe(
    `error: failed to load authentication configuration from file "${path}": open ${path}: no such file or directory\n`,
  );
});

test('rejects an artifact together with a flag that its file excludes', async () => {
  const { stdout: artifact } = await runCaptured(['compile', '-'], { files: { '-': config } });
  const path = fileOf('artifact.json', artifact);
  const { code, stderr } = await runCaptured([
    'serve',
    ...listen,
    `--authentication-config=${path}`,
    '--anonymous-auth=false',
  ]);
  expect(code).toBe(1);
  expect(stderr).toContain('anonymous: Forbidden: --anonymous-auth flag cannot be set');
});

test('reports an unusable artifact with our own message only', async () => {
  const { stdout: artifact } = await runCaptured(['compile', '-'], { files: { '-': config } });
  const path = fileOf('broken.json', artifact.replace(/"checksum":"...../, '"checksum":"00000'));
  const { code, stderr } = await runCaptured([
    'serve',
    ...listen,
    `--authentication-config=${path}`,
  ]);
  expect(code).toBe(1);
  expect(stderr).toContain('AG5102');
  expect(stderr).not.toContain('is missing in');
});

test('reports unreadable CA files', async () => {
  const { code, stderr } = await runCaptured([
    'serve',
    ...listen,
    '--oidc-issuer-url=https://i.example',
    '--oidc-client-id=x',
    '--oidc-ca-file=missing.pem',
  ]);
  expect(code).toBe(2);
  expect(stderr).toBe('error: open missing.pem: no such file or directory\n');
});

test('reports all contradictory flags before anything is opened', async () => {
  const { code, stderr } = await runCaptured([
    'serve',
    ...listen,
    '--authentication-config=x',
    '--oidc-client-id=y',
    '--secure-port=0',
    '--tls-cert-file=c',
  ]);
  expect(code).toBe(2);
  // Three errors of flags, and the missing file.
  expect(stderr.match(/^error: /gm)).toHaveLength(4);
});

const errorsOf = (stderr: string): readonly string[] =>
  stderr.split('\n').flatMap((line) => /^error: (.*)$/.exec(line)?.[1] ?? []);

test('reports every missing file in one run', async () => {
  const at = (name: string): string => join(folder, 'nowhere', name);
  const args = [
    `--authentication-config=${at('auth.yaml')}`,
    `--client-ca-file=${at('clients.pem')}`,
    `--requestheader-client-ca-file=${at('proxies.pem')}`,
    '--service-account-issuer=https://a.example',
    `--service-account-key-file=${at('one.pub')}`,
    `--service-account-key-file=${at('two.pub')}`,
    `--service-account-signing-key-file=${at('sa.key')}`,
    `--token-auth-file=${at('tokens.csv')}`,
    `--authentication-token-webhook-config-file=${at('hook.yaml')}`,
    '--authentication-token-webhook-version=v2',
    `--rbac-file=${at('roles.yaml')}`,
    `--tls-cert-file=${at('tls.crt')}`,
    `--tls-private-key-file=${at('tls.key')}`,
    `--etcd-servers=http://127.0.0.1:9`,
    `--etcd-cafile=${at('etcd.pem')}`,
    `--decision-log=${at('decisions.jsonl')}`,
  ];
  const missing = (name: string): string => `open ${at(name)}: no such file or directory`;
  const files = [
    `the decision log cannot be opened: ENOENT: no such file or directory, access '${join(folder, 'nowhere')}'`,
    `failed to parse service-account-issuer-key-file: ${missing('sa.key')}`,
    `${missing('tls.crt')}; ${missing('tls.key')}`,
    missing('clients.pem'),
    `failed to load authentication configuration from file "${at('auth.yaml')}": ${missing('auth.yaml')}`,
    missing('proxies.pem'),
    missing('one.pub'),
    missing('two.pub'),
    missing('tokens.csv'),
    `stat ${at('hook.yaml')}: no such file or directory`,
    'unsupported authentication webhook version "v2", supported versions are "v1", "v1beta1"',
    `failed to read roles from file "${at('roles.yaml')}": ${missing('roles.yaml')}`,
    `the store cannot be opened: ${missing('etcd.pem')}`,
  ];
  const { code, stdout, stderr } = await runCaptured(['serve', ...listen, ...args]);
  expect({ code, stdout, errors: errorsOf(stderr) }).toEqual({
    code: 2,
    stdout: '',
    errors: files,
  });
  const result = await runCaptured(['serve', ...listen, ...args, '--secure-port=0']);
  expect(errorsOf(result.stderr)).toEqual([
    '--secure-port 0 must be between 1 and 65535, inclusive. It cannot be turned off with 0',
    ...files,
  ]);
});

test("reports all problems of an issuer's flags in one run", async () => {
  const { code, stderr } = await runCaptured([
    ...['serve', ...listen, '--oidc-issuer-url=http://i.example', '--oidc-client-id=x'],
    ...['--oidc-signing-algs=HS256', '--oidc-ca-file=missing.pem'],
  ]);
  expect(code).toBe(2);
  expect(errorsOf(stderr)).toEqual([
    'oidc: unsupported signing alg: "HS256"',
    'open missing.pem: no such file or directory',
    'invalid authentication configuration: jwt[0].issuer.url: Invalid value: "http://i.example": URL scheme must be https',
  ]);
});

describe('a rejected start leaves nothing behind', () => {
  const pair = createSelfSigned({ hosts: ['localhost'], now: Date.now() });
  const other = createSelfSigned({ hosts: ['localhost'], now: Date.now() });
  const hook =
    'clusters: [{name: c, cluster: {server: "https://h.example/"}}]\ncontexts: [{name: x, context: {cluster: c}}]\ncurrent-context: x\n';
  test.each<[string, () => readonly string[], string, number]>([
    [
      'the file and --anonymous-auth',
      () => [
        `--authentication-config=${fileOf('anonymous.yaml', config)}`,
        '--anonymous-auth=true',
      ],
      'anonymous: Forbidden: --anonymous-auth flag cannot be set',
      1,
    ],
    [
      'a file that is wrong',
      () => [`--authentication-config=${fileOf('http.yaml', config.replace('https:', 'http:'))}`],
      'invalid authentication configuration: jwt[0].issuer.url',
      1,
    ],
    [
      'a version of the webhook',
      () => [
        `--authentication-token-webhook-config-file=${fileOf('hook.yaml', hook)}`,
        '--authentication-token-webhook-version=v2',
      ],
      'unsupported authentication webhook version "v2"',
      2,
    ],
    [
      'a key of another certificate',
      () => [
        `--tls-cert-file=${fileOf('serving.crt', pair.certificatePem)}`,
        `--tls-private-key-file=${fileOf('other.key', other.privateKeyPem)}`,
      ],
      'tls: private key does not match public key',
      2,
    ],
    [
      'a file of roles that is missing',
      () => [`--rbac-file=${join(folder, 'no-roles.yaml')}`],
      'failed to read roles from file',
      2,
    ],
  ])('%s', async (_, args, error, status) => {
    const state = join(folder, 'state');
    const decisions = join(folder, 'decisions.jsonl');
    const { code, stdout, stderr } = await runCaptured([
      ...['serve', ...listen, `--store-path=${state}`, `--decision-log=${decisions}`],
      // Any authenticator: a server without one does not start.
      '--enable-bootstrap-token-auth',
      ...args(),
    ]);
    expect({ code, stdout }).toEqual({ code: status, stdout: '' });
    expect(errorsOf(stderr)).toEqual([expect.stringContaining(error)]);
    expect([state, decisions].filter((path) => existsSync(path))).toEqual([]);
  });
});

test.runIf(process.platform === 'linux')('counts lost lines of the decision log', async () => {
  const metrics = nodeMetrics();
  const opened = openDecisionLog(
    { decisionLog: '/dev/full' },
    { metrics, maxBufferedCharacters: 1_000_000 },
  );
  if (opened.kind !== 'open') throw new Error(opened.reason);
  const dropped = async () =>
    /^authgraph_decision_log_dropped_total (\d+)$/m.exec(await metrics.text())?.[1];
  opened.log?.event('info', 'decision');
  // The first line is lost with the failing write, the others immediately.
  await vi.waitFor(async () => {
    opened.log?.event('info', 'decision');
    expect(Number(await dropped())).toBeGreaterThan(0);
  });
});

test.each([
  ['Frobnicate=true', true],
  ['StructuredAuthenticationConfiguration=maybe', false],
])('--feature-gates %s', async (gate, unrecognized) => {
  const { code, stderr } = await runCaptured(['serve', ...listen, `--feature-gates=${gate}`]);
  expect(code).toBe(2);
  expect(stderr.includes('Only authentication feature gates')).toBe(unrecognized);
});

test.each([
  [
    'APISelfSubjectReview=false',
    '1.37',
    /locked to true\n.*APISelfSubjectReview is always on in 1\.37/,
  ],
  [
    'StructuredAuthenticationconfiguration=false',
    '1.36',
    /locked to true\n.*is always on in 1\.36/,
  ],
  [
    'StructuredAuthenticationConfig=true',
    '1.37',
    /unrecognized.*\n.*Configuration is always on in 1\.37: remove/,
  ],
  [
    'StructuredAuthenticationConfig=true',
    '1.33',
    /unrecognized.*\n.*Did you mean StructuredAuthenticationConfiguration\?/,
  ],
  ['ConstrainedImpersonatio=true', '1.33', /unrecognized.*\n(?!.*Did you mean)/],
])('--feature-gates %s at %s is explained', async (gate, release, text) => {
  const { code, stderr } = await runCaptured([
    ...['serve', ...listen, `--feature-gates=${gate}`, `--target-version=${release}`],
  ]);
  expect(code).toBe(2);
  expect(stderr).toMatch(text);
});

test.each([
  ['', 'webhook.kubeconfig: current-context is missing'],
  [
    'current-context: other\n',
    'current-context is "other", and no entry of contexts has that name',
  ],
  [
    'contexts: [{name: x, context: {}}]\ncurrent-context: x\n',
    'contexts[name=x].context.cluster is missing',
  ],
  [
    'contexts: [{name: x, context: {cluster: d}}]\ncurrent-context: x\n',
    'contexts[name=x].context.cluster is "d", and no entry of clusters has that name',
  ],
])(
  'reports a webhook kubeconfig without a context with file and field: %j',
  async (lines, help) => {
    const path = fileOf(
      'webhook.kubeconfig',
      `apiVersion: v1\nkind: Config\nclusters: [{name: c, cluster: {server: 'https://a.example'}}]\n${lines}`,
    );
    const { code, stderr } = await runCaptured([
      ...['serve', ...listen, '--authentication-token-webhook-config-file', path],
    ]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error: (?:invalid configuration: )?/);
    expect(stderr).toContain(path);
    expect(stderr).toContain(help);
  },
);
