import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { proveEqual } from '../../engine/src/cli/prove-equal.ts';
import type { AuthenticatorGraph } from '../../engine/src/compile/graph.ts';
import { parseFlags } from '../../engine/src/flags/parse-flags.ts';
import { serveFlags } from '../../engine/src/server/flags/serve-flags.ts';
import { capturedIo, runCaptured } from '../support/captured-io.ts';
import { schemaErrors } from '../support/json-schema.ts';
import { jwtNode } from '../support/test-issuer.ts';

const url = 'https://issuer.example.com';
const least = ['--oidc-issuer-url', url, '--oidc-client-id', 'app'];

describe('flags', () => {
  test('converts all nine flags to a file that decides alike', async () => {
    const flags = [
      ...least,
      ...['--oidc-username-claim', 'name', '--oidc-username-prefix', 'u:'],
      ...['--oidc-groups-claim', 'roles', '--oidc-groups-prefix', 'g:'],
      ...['--oidc-required-claim', 'hd=example.com', '--oidc-signing-algs', 'ES256'],
    ];
    const { code, stdout, stderr } = await runCaptured(['migrate', ...flags]);
    expect(code).toBe(0);
    expect(
      stdout,
    ).toBe(`# --oidc-signing-algs=ES256 has no equivalent in this file: all nine algorithms are allowed,
# for the keys that the issuer publishes.
apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- claimMappings:
    groups:
      claim: roles
      prefix: 'g:'
    username:
      claim: name
      prefix: 'u:'
  claimValidationRules:
  - claim: hd
    requiredValue: example.com
  issuer:
    audiences:
    - app
    url: https://issuer.example.com
`);
    expect(stderr).toMatch(/^note: --oidc-signing-algs allows only ES256; a file has no field/);
    const [, tokens, accepted] = /equal on (\d+) tokens, (\d+) of them accepted/.exec(stderr) ?? [];
    expect(Number(tokens)).toBeGreaterThan(500);
    expect(Number(accepted)).toBeGreaterThan(20);
    const checked = await runCaptured(['check', 'auth.yaml'], { files: { 'auth.yaml': stdout } });
    expect(checked.code).toBe(0);
  });

  test('writes the CA certificates into the file, and a version that an older release reads', async () => {
    const pem = readFileSync(
      join(import.meta.dirname, '../engine/config/certificates.jsonl'),
      'utf8',
    ).match(/-----BEGIN CERTIFICATE-----(?:\\n|[^"\\])*-----END CERTIFICATE-----\\n/)?.[0];
    const roots = (pem ?? '').replaceAll('\\n', '\n');
    const args = ['migrate', ...least, '--oidc-ca-file', 'ca.pem', '--target-version', '1.33'];
    const { code, stdout } = await runCaptured([...args, '--oidc-signing-algs', 'ES256'], {
      files: { 'ca.pem': roots },
    });
    expect(code).toBe(0);
    expect(stdout).toContain('apiVersion: apiserver.config.k8s.io/v1beta1\n');
    expect(stdout.replaceAll(/\n {6}/g, '\n')).toContain(roots.trim());
  });

  test('of a kubeadm file whose cluster does not read v1 yet', async () => {
    const file = `apiVersion: kubeadm.k8s.io/v1beta3
kind: ClusterConfiguration
kubernetesVersion: v1.31.4
apiServer: {extraArgs: {oidc-issuer-url: "${url}", oidc-client-id: app}}
`;
    const migrateWith = (files: Readonly<Record<string, string>>, ...args: readonly string[]) =>
      runCaptured(['migrate', 'kubeadm.yaml', ...args], {
        files: { 'kubeadm.yaml': file, ...files },
      });
    const migrated = (...args: readonly string[]) => migrateWith({}, ...args);
    const { stdout, stderr } = await migrated();
    expect(stdout).toContain('apiVersion: apiserver.config.k8s.io/v1beta1\n');
    expect(stderr).toContain(
      'note: the file is for kubernetesVersion v1.31; after an upgrade to 1.34, migrate it to version v1\n',
    );
    const newer = await migrated('--target-version', '1.37');
    expect(newer.stdout).toContain('apiVersion: apiserver.config.k8s.io/v1\n');
    expect(newer.stderr).toContain(
      'note: kubernetesVersion is v1.31, which cannot read version v1 of the file\n',
    );
    const older = await migrated('--target-version', '1.31');
    expect(older.stdout).toContain('apiVersion: apiserver.config.k8s.io/v1beta1\n');
    expect(older.stderr).not.toContain('kubernetesVersion');
    // A settings file chooses a release like the flag, also if it is the newest one.
    const settings = { '.authgraph.yaml': 'targetVersion: "1.37"\n' };
    const chosen = await migrateWith(settings);
    expect([chosen.stdout, chosen.stderr]).toEqual([newer.stdout, newer.stderr]);
    const others = await migrateWith({ '.authgraph.yaml': 'lints: {AG4010: error}\n' });
    expect(others.stdout).toBe(stdout);
  });

  describe('of a static pod', () => {
    const pod = (container: string): string => `apiVersion: v1
kind: Pod
metadata: {name: kube-apiserver}
spec:
  containers:
  - {name: proxy, image: "registry.example.com/proxy:v1.30.1", command: [proxy]}
  - name: kube-apiserver
${container}
`;
    const command = `command: [kube-apiserver, "--oidc-issuer-url=${url}", --oidc-client-id=app]`;
    const migrated = (text: string, ...args: readonly string[]) =>
      runCaptured(['migrate', 'pod.yaml', ...args], { files: { 'pod.yaml': text } });
    const ofImage = (image: string, ...args: readonly string[]) =>
      migrated(pod(`    image: "${image}"\n    ${command}`), ...args);
    const digest = `@sha256:${'0a'.repeat(32)}`;
    const upgradeNote =
      'note: the file is for kube-apiserver v1.31; after an upgrade to 1.34, migrate it to version v1\n';
    const releaseNote =
      'note: version v1 of the file needs release 1.34; for an older cluster, add --target-version\n';

    test.each([
      'registry.k8s.io/kube-apiserver:v1.31.4',
      'localhost:5000/kube-apiserver:v1.31.4',
      `registry.example.com:5000/kube-apiserver:v1.31.4${digest}`,
      'public.ecr.aws/kube-apiserver:v1.31.4-eks-1',
      'rancher/hyperkube:v1.31.4-rancher1',
      'kube-apiserver:v1.31.4+k3s1',
      'kube-apiserver:v1.31',
    ])('whose image is %s', async (image) => {
      const { code, stdout, stderr } = await ofImage(image);
      expect(code).toBe(0);
      expect(stdout).toContain('apiVersion: apiserver.config.k8s.io/v1beta1\n');
      expect(stderr).toContain(upgradeNote);
      expect(stderr).not.toContain('--target-version');
    });

    test.each([
      'registry.k8s.io/kube-apiserver:latest',
      `registry.k8s.io/kube-apiserver${digest}`,
      'registry.example.com:1.31/kube-apiserver',
      'kube-apiserver',
      'kube-apiserver:v1.29.4',
      'kube-apiserver:v1.99.0',
      'kube-apiserver:v1.31x',
      `kube-apiserver:v1.${'9'.repeat(400)}`,
      '',
      ':@/',
    ])('whose image does not name a known release: %s', async (image) => {
      const { code, stdout, stderr } = await ofImage(image);
      expect([code, stderr.split(releaseNote).length]).toEqual([0, 2]);
      expect(stdout).toContain('apiVersion: apiserver.config.k8s.io/v1\n');
      expect(stderr).not.toContain('the file is for');
    });

    test('whose cluster reads v1', async () => {
      const { stdout, stderr } = await ofImage('registry.k8s.io/kube-apiserver:v1.34.0');
      expect(stdout).toContain('apiVersion: apiserver.config.k8s.io/v1\n');
      expect(stderr).not.toMatch(/needs release|the file is for/);
    });

    test('with a flag that chooses a release', async () => {
      const { stdout, stderr } = await ofImage(
        'kube-apiserver:v1.31.4',
        '--target-version',
        '1.37',
      );
      expect(stdout).toContain('apiVersion: apiserver.config.k8s.io/v1\n');
      expect(stderr).toContain(
        'note: kube-apiserver is v1.31, which cannot read version v1 of the file\n',
      );
    });

    test('is not the other document of the file', async () => {
      const other = 'image: kube-apiserver:v1.31.4\n---\n';
      const text = pod(`    image: kube-apiserver:v1.33.1\n    ${command}`);
      expect((await migrated(other + text)).stderr).toContain('for kube-apiserver v1.33;');
    });

    test('whose containers run different releases', async () => {
      const second = '\n  - image: kube-apiserver:v1.32.0';
      const text = pod(`    image: kube-apiserver:v1.31.4\n    ${command}${second}`);
      expect((await migrated(text)).stderr).toContain(releaseNote);
    });

    test('flags alone name no release', async () => {
      const alone = await runCaptured(['migrate', ...least]);
      expect(alone.stderr.split(releaseNote)).toHaveLength(2);
      const chosen = await runCaptured(['migrate', ...least, '--target-version', '1.37']);
      expect(chosen.stderr).not.toContain(releaseNote);
    });
  });

  test('an existing file is overwritten only with --force', async () => {
    const args = ['migrate', ...least, '--out', 'a/auth.yaml'];
    const files = { 'a/auth.yaml': 'mine' };
    const refused = await runCaptured(args, { files });
    expect([refused.code, refused.stdout, refused.stderr]).toEqual([
      2,
      '',
      'error: a/auth.yaml already exists\n  Specify another file with --out, or overwrite it with --force.\n',
    ]);
    expect(refused.written.size).toBe(0);
    const forced = await runCaptured([...args, '--force'], { files });
    expect([forced.code, [...forced.written.keys()]]).toEqual([0, ['a/auth.yaml']]);
    expect(forced.stderr).toContain('wrote a/auth.yaml\n');
  });

  test('as JSON', async () => {
    const args = ['migrate', ...least, '--oidc-signing-algs', 'ES256', '-o', 'json'];
    const { code, stdout } = await runCaptured(args);
    const data = JSON.parse(stdout);
    expect([code, schemaErrors('migrate.v1', data)]).toEqual([0, []]);
    expect(data).toMatchObject({ version: 1, from: 'flags' });
    expect(data.equalOn.tokens).toBeGreaterThan(400);
  });

  test.each<[readonly string[], number, string]>([
    [['--oidc-client-id', 'app'], 2, 'must be specified together when any oidc-* flags are set'],
    [[...least, '--oidc-signing-algs', 'HS256'], 2, 'oidc: unsupported signing alg: "HS256"'],
    [[...least, '--oidc-ca-file', 'none'], 2, 'open none: no such file or directory'],
    [['--oidc-issuer-url', 'http://x', '--oidc-client-id', 'a'], 1, 'URL scheme must be https'],
    [[...least, 'auth.yaml'], 2, 'a file and --oidc-* flags are mutually exclusive'],
    [[], 2, 'specify a file or --oidc-* flags'],
    [[...least, '--target-version', '1.2'], 2, 'invalid argument "1.2"'],
  ])('%j: status %d, %s', async (args, status, words) => {
    const { code, stdout, stderr } = await runCaptured(['migrate', ...args]);
    expect([code, stdout]).toEqual([status, '']);
    expect(stderr).toContain(words);
  });
});

describe('the proof', () => {
  const graphOf = (changes: Parameters<typeof jwtNode>[1]): AuthenticatorGraph => ({
    apiDomain: 'k8s.io',
    targetRelease: 37,
    nodes: [jwtNode({ url }, changes)],
    anonymous: { module: 'anonymous', enabled: true, paths: undefined, fromFile: false },
  });
  const flags = [...least, '--oidc-groups-claim', 'groups', '--oidc-required-claim', 'hd=x'];
  const prove = (changes: Parameters<typeof jwtNode>[1]) =>
    proveEqual(graphOf({}), graphOf(changes), {
      values: parseFlags(serveFlags, flags).values,
      allowed: ['ES256'],
      io: capturedIo().io,
    });

  test('of a graph and itself', async () => {
    expect((await prove({})).kind).toBe('equal');
  });
  test.each<[string, Parameters<typeof jwtNode>[1]]>([
    ['another prefix', { username: { kind: 'claim', claim: 'sub', prefix: 'x' } }],
    ['no groups', { groups: undefined }],
    ['another audience', { audiences: ['app', 'other'] }],
    [
      'a claim that is required',
      { claimValidationRules: [{ kind: 'claim', claim: 'hd', requiredValue: 'x' }] },
    ],
  ])('detects %s', async (_what, changes) => {
    expect((await prove(changes)).kind).toBe('different');
  });
});

const body = (version: string) => `# Ours
apiVersion: ${version} # soon v1
kind: AuthenticationConfiguration
jwt: # people
- issuer:
    url: https://issuer.example.com   # exactly
    audiences: [app]
  claimMappings:
    username: {claim: sub, prefix: ""}
`;

describe('files', () => {
  const run = (text: string, ...args: readonly string[]) =>
    runCaptured(['migrate', 'auth.yaml', ...args], { files: { 'auth.yaml': text } });

  test.each(['v1alpha1', 'v1beta1'])('%s becomes v1, and nothing else changes', async (version) => {
    for (const domain of ['k8s.io', 'platform.io']) {
      for (const quote of ['', '"', "'"]) {
        const written = (name: string) =>
          body(`${quote}apiserver.config.${domain}/${name}${quote}`);
        expect(await run(written(version))).toMatchObject({
          code: 0,
          stdout: written('v1'),
          stderr: '',
        });
      }
    }
  });

  test('JSON stays JSON', async () => {
    const text = (version: string) =>
      `{"apiVersion": "apiserver.config.k8s.io/${version}",\n "kind": "AuthenticationConfiguration"}\n`;
    const { stdout } = await run(text('v1beta1'), '-o', 'json');
    const data = JSON.parse(stdout);
    expect(schemaErrors('migrate.v1', data)).toEqual([]);
    expect(data).toMatchObject({ from: 'v1beta1', configuration: text('v1') });
  });

  test('v1 stays unchanged', async () => {
    const text = body('apiserver.config.k8s.io/v1');
    expect(await run(text)).toMatchObject({
      code: 0,
      stdout: text,
      stderr: 'note: the file is already v1\n',
    });
  });

  test.each<[string, string, string]>([
    ['errors', body('apiserver.config.k8s.io/v1beta1').replace('https', 'http'), 'fix them first'],
    [
      'a version behind an alias',
      `x: &v apiserver.config.k8s.io/v1beta1\n${body('*v')}`,
      'fix them first',
    ],
    ['an unknown version', body('apiserver.config.k8s.io/v2'), 'fix them first'],
  ])('%s: refused', async (_what, text, words) => {
    const { code, stdout, stderr } = await run(text);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(words);
  });

  test('rejects a release before v1', async () => {
    const { code, stderr } = await run(
      body('apiserver.config.k8s.io/v1beta1'),
      '--target-version',
      '1.33',
    );
    expect([code, stderr]).toEqual([
      1,
      'error: release 1.33 does not support v1, which was introduced in 1.34\n',
    ]);
  });

  test('keeps an anchor on the version', async () => {
    const written = (version: string) => body(`&v apiserver.config.k8s.io/${version}`);
    expect(await run(written('v1beta1'))).toMatchObject({ code: 0, stdout: written('v1') });
  });

  test('does not replace a version that is not written literally', async () => {
    const { code, stdout, stderr } = await run(body('"apiserver.config.k8s.io\\u002fv1beta1"'));
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('apiVersion is not written literally');
  });

  test('rejects an artifact and a missing file', async () => {
    expect((await runCaptured(['migrate', 'none.yaml'])).code).toBe(2);
    const { stdout } = await runCaptured(['compile', '-'], {
      files: { '-': body('apiserver.config.k8s.io/v1') },
    });
    const artifact = await run(stdout);
    expect([artifact.code, artifact.stderr]).toEqual([
      2,
      'error: auth.yaml is an artifact\n  Specify the file that it was compiled from.\n',
    ]);
  });
});
