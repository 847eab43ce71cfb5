import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { openDecisionLog } from '../../engine/src/cli/commands/serve.ts';
import { nodeMetrics } from '../../engine/src/node/metrics.ts';
import { runCaptured } from '../support/captured-io.ts';
import { cases } from '../support/cases.ts';

const folder = mkdtempSync(join(tmpdir(), 'authgraph-serve-'));
afterAll(() => rmSync(folder, { recursive: true }));

const fileOf = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

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
  readonly title: string;
  readonly config: {
    readonly args?: readonly string[];
    readonly files?: Readonly<Record<string, string>>;
  };
  readonly expect: { readonly configError?: string; readonly newError?: string };
}

/** Starts that fail over a file. */
const failing = (
  cases('conformance/modules/options.jsonl') as unknown as readonly RecordedStart[]
).flatMap((one) => {
  const error = one.expect.configError ?? one.expect.newError;
  return error === undefined ? [] : [{ ...one, args: one.config.args ?? [], error }];
});

describe('recorded starts that a file forbids', () => {
  test('there are some', () => {
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
      const { code, stderr, stdout } = await runCaptured(['serve', ...args]);
      expect(code).toBeGreaterThan(0);
      expect(stdout).toBe('');
      const last = stderr.split('\n').findLast((line) => line.startsWith('error: ')) ?? '';
      expect(comparable(last)).toBe(comparable(`error: ${one.error}`));
    },
  );
});

/** Folders, and the place of the scheme in somebody's program, are not the server's words. */
const comparable = (line: string): string =>
  line.replaceAll(`${folder}/`, '').replace(/ in scheme ".*"$/, '');

test('flags and file are told of in one run', async () => {
  const broken = fileOf('both.yaml', config.replace('https:', 'http:'));
  const args = ['--oidc-issuer-url=https://a', '--oidc-client-id=a', '--tls-cert-file=x'];
  const both = await runCaptured(['serve', '--authentication-config', broken, ...args]);
  expect({ code: both.code, stdout: both.stdout }).toEqual({ code: 2, stdout: '' });
  expect(both.stderr).toContain(`--> ${broken}:5:10`);
  expect(both.stderr).toContain('error: missing filename for serving cert');
  expect(both.stderr).toContain(
    'error: authentication-config file and oidc-* flags are mutually exclusive',
  );
  const good = fileOf('alone.yaml', config);
  for (const path of [good, join(folder, 'none.yaml')]) {
    const { stderr } = await runCaptured(['serve', '--authentication-config', path, ...args]);
    expect(stderr).toMatch(/^error: missing filename for serving cert\n/);
  }
});

test('a broken file is shown with its lines, and nothing is served', async () => {
  const path = fileOf('broken.yaml', config.replace('https:', 'http:'));
  const { code, stdout, stderr } = await runCaptured(['serve', '--authentication-config', path]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain(`--> ${path}:5:10`);
  expect(stderr).toContain(
    'error: invalid authentication configuration: jwt[0].issuer.url: Invalid value',
  );
});

test('a missing file', async () => {
  const path = join(folder, 'missing.yaml');
  const { code, stderr } = await runCaptured(['serve', `--authentication-config=${path}`]);
  expect(code).toBe(2);
  expect(stderr).toBe(
    `error: failed to load authentication configuration from file "${path}": open ${path}: no such file or directory\n`,
  );
});

test('an artefact under a flag that its file forbids', async () => {
  const { stdout: artefact } = await runCaptured(['compile', '-'], { files: { '-': config } });
  const path = fileOf('artefact.json', artefact);
  const { code, stderr } = await runCaptured([
    'serve',
    `--authentication-config=${path}`,
    '--anonymous-auth=false',
  ]);
  expect(code).toBe(1);
  expect(stderr).toContain('anonymous: Forbidden: --anonymous-auth flag cannot be set');
});

test('an artefact that cannot be used is told in our words alone', async () => {
  const { stdout: artefact } = await runCaptured(['compile', '-'], { files: { '-': config } });
  const path = fileOf('broken.json', artefact.replace(/"checksum":"...../, '"checksum":"00000'));
  const { code, stderr } = await runCaptured(['serve', `--authentication-config=${path}`]);
  expect(code).toBe(1);
  expect(stderr).toContain('AG5102');
  expect(stderr).not.toContain('is missing in');
});

test('roots that cannot be read', async () => {
  const { code, stderr } = await runCaptured([
    'serve',
    '--oidc-issuer-url=https://i.example',
    '--oidc-client-id=x',
    '--oidc-ca-file=missing.pem',
  ]);
  expect(code).toBe(2);
  expect(stderr).toBe('error: open missing.pem: no such file or directory\n');
});

test('flags that contradict each other are all told before anything is opened', async () => {
  const { code, stderr } = await runCaptured([
    'serve',
    '--authentication-config=x',
    '--oidc-client-id=y',
    '--secure-port=0',
    '--tls-cert-file=c',
  ]);
  expect(code).toBe(2);
  expect(stderr.match(/^error: /gm)).toHaveLength(3);
});

test.runIf(process.platform === 'linux')(
  'lines of the decision log that are lost are counted',
  async () => {
    const metrics = nodeMetrics();
    const opened = openDecisionLog({ decisionLog: '/dev/full' }, metrics);
    if (opened.kind !== 'open') throw new Error(opened.reason);
    const dropped = async () =>
      /^authgraph_decision_log_dropped_total (\d+)$/m.exec(await metrics.text())?.[1];
    opened.log?.event('info', 'decision');
    // The first is gone with the write that fails, the others at once.
    await vi.waitFor(async () => {
      opened.log?.event('info', 'decision');
      expect(Number(await dropped())).toBeGreaterThan(0);
    });
  },
);

test.each([
  ['Frobnicate=true', true],
  ['StructuredAuthenticationConfiguration=maybe', false],
])('--feature-gates %s', async (gate, unrecognized) => {
  const { code, stderr } = await runCaptured(['serve', `--feature-gates=${gate}`]);
  expect(code).toBe(2);
  expect(stderr.includes('Only gates of the authentication stage')).toBe(unrecognized);
});

test.each([
  ['APISelfSubjectReview=true', 'No release from 1.30 on has it'],
  [
    'StructuredAuthenticationconfiguration=true',
    'Did you mean StructuredAuthenticationConfiguration?',
  ],
])('--feature-gates %s is explained', async (gate, help) => {
  const { code, stderr } = await runCaptured(['serve', `--feature-gates=${gate}`]);
  expect(code).toBe(2);
  expect(stderr).toContain(`unrecognized feature gate: ${gate.replace('=true', '')}`);
  expect(stderr).toContain(help);
});
