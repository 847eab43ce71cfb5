/** The files that `authgraph check` and other commands read: embedded configurations, flags, folders. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkFiles } from '../../engine/src/cli/check-files.ts';
import { nodeIo } from '../../engine/src/cli/node-io.ts';
import { walkFolder } from '../../engine/src/cli/walk-folder.ts';
import { runCaptured } from '../support/captured-io.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const configuration = (url: string, version = 'v1'): string =>
  `apiVersion: apiserver.config.k8s.io/${version}
kind: AuthenticationConfiguration
jwt:
- issuer: {url: ${url}, audiences: [app]}
  claimMappings:
    username: {claim: sub, prefix: "i:"}
`;
const good = configuration('https://issuer.example');
const configMap = (name: string, text: string): string =>
  `apiVersion: v1
kind: ConfigMap
metadata: {name: ${name}, namespace: kube-system}
data:
  auth.yaml: |
    ${text.trimEnd().replaceAll('\n', '\n    ')}
`;
const service = 'apiVersion: v1\nkind: Service\nmetadata: {name: web}\n';
const kubeadm = (flags: string): string =>
  `apiVersion: kubeadm.k8s.io/v1beta3
kind: ClusterConfiguration
apiServer:
  extraArgs:
${flags.replaceAll(/^/gm, '    ')}
`;
const files = {
  '-': `${service}---\n${configMap('a', configuration('http://issuer.example'))}`,
  'claims.json': '{"iss": "https://issuer.example", "aud": "app", "sub": "jane"}',
  'service.yaml': service,
  'two.yaml': `${configMap('a', good)}---\n${configMap('b', configuration('https://b.example'))}`,
  'old.yaml': `# kept\n${configMap('a', configuration('https://issuer.example', 'v1beta1'))}# kept\n`,
  'flags.yaml': kubeadm(
    'oidc-issuer-url: https://issuer.example\noidc-client-id: app\noidc-ca-file: /etc/ca.pem',
  ),
  'bad-flags.yaml': kubeadm('oidc-issuer-url: http://issuer.example\noidc-client-id: app'),
  'both.yaml': kubeadm(
    'oidc-issuer-url: https://issuer.example\noidc-client-id: app\nauthentication-config: /a.yaml',
  ),
  'service-account-flags.yaml': kubeadm(
    'service-account-issuer: https://issuer.example\noidc-issuer-url: https://issuer.example\noidc-client-id: app',
  ),
  'service-account-file.yaml': `${kubeadm('service-account-issuer: https://issuer.example\nauthentication-config: /a.yaml')}---\n${configMap('a', good)}`,
  'other-server.yaml': `${kubeadm('service-account-issuer: https://issuer.example')}---\n${kubeadm('service-account-issuer: https://b.example')}---\n${configMap('a', good)}`,
  'webhook-file.yaml': `${kubeadm('authentication-token-webhook-config-file: /w.yaml\nservice-account-issuer: https://a.example')}---\n${configMap('a', good)}`,
  'reference.yaml': kubeadm('authentication-config: /etc/kubernetes/auth.yaml'),
  'clusters/one/auth.yaml': good,
  'clusters/two/auth.yml': configuration('http://two.example'),
  'clusters/two/service.yaml': service,
  'clusters/two/node_modules/auth.yaml': configuration('http://hidden.example'),
  'clusters/.git/auth.yaml': configuration('http://hidden.example'),
  'clusters/README.md': 'AuthenticationConfiguration',
  'empty/service.yaml': service,
  'chart/cm.yaml': `{{- if .Values.auth }}\n${configMap('a', good)}{{- end }}\n`,
};
const run = (...args: readonly string[]) => runCaptured(args, { files });

test('kustomize build . | authgraph check -', async () => {
  const { code, stdout, stderr } = await run('check', '-');
  expect(code).toBe(1);
  expect(stdout).toContain('--> standard-input:13:21\n');
  expect(stdout).toContain('13 |     - issuer: {url: http://issuer.example, audiences: [app]}\n');
  expect(stderr).toBe('1 error in 1 file\n');
});

test('check reports every configuration of a file', async () => {
  const text = files['two.yaml'].replaceAll('claim: sub', 'claims: sub');
  const { stdout } = await runCaptured(['check', 'x.yaml'], { files: { 'x.yaml': text } });
  expect([...stdout.matchAll(/--> x\.yaml:(\d+)/g)].map(([, line]) => line)).toEqual(
    expect.arrayContaining(['11', '23']),
  );
});

describe('a file without a configuration', () => {
  test.each([
    ['service.yaml', 'it contains Service "web"', 'kind: AuthenticationConfiguration'],
    ['reference.yaml', 'it contains kind ClusterConfiguration', '"/etc/kubernetes/auth.yaml"'],
  ])('%s is a failure', async (path, reason, help) => {
    for (const args of [
      ['check', path],
      ['graph', path],
      ['whoami', path, '--claims', 'claims.json'],
    ]) {
      const { code, stdout, stderr } = await run(...args);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toContain(`${path}: no AuthenticationConfiguration in this file; ${reason}`);
      expect(stderr).toContain(help);
    }
  });
  test('an empty, incomplete or broken one has the errors of kube-apiserver', async () => {
    for (const text of ['', 'jwt: []\n', 'a: [\n', '- a\n']) {
      const { code } = await runCaptured(['check', 'x.yaml'], { files: { 'x.yaml': text } });
      expect([text, code]).toEqual([text, 1]);
    }
  });
});

test('the summary does not read as success if a file could not be checked', async () => {
  const { code, stderr } = await run('check', 'nope.yaml', 'clusters/one/auth.yaml');
  expect(code).toBe(2);
  expect(stderr).toBe(
    'error: open nope.yaml: no such file or directory\nno problems in 1 file; 1 could not be checked\n',
  );
});

describe('folders', () => {
  test('are walked, without what is no configuration', async () => {
    const { code, stdout, stderr } = await run('check', 'clusters');
    expect(code).toBe(1);
    expect(stdout).toContain('--> clusters/two/auth.yml:4:17\n');
    expect(stdout).not.toContain('hidden');
    expect(stderr).toBe('1 error in 2 files, 1 file without a configuration skipped\n');
  });
  test('without a configuration are a failure', async () => {
    const { code, stderr } = await run('check', 'empty', 'clusters/one');
    expect(code).toBe(2);
    expect(stderr).toContain('empty: no AuthenticationConfiguration in this folder');
    expect(stderr).toContain(
      'no problems in 1 file, 1 file without a configuration skipped; 1 could',
    );
  });
  test('contain templates, which are reported', async () => {
    const { code, stdout } = await run('check', 'chart');
    expect(code).toBe(1);
    expect(stdout).toContain('check its output, for example with helm template');
  });
  test('on disk: only links to files below their own folder are followed', () => {
    const { path, write } = temporaryFolder();
    for (const name of ['b', 'a', '.hidden', 'node_modules']) mkdirSync(join(path, name));
    for (const name of ['b/1.yaml', 'a/2.JSON', 'a/3.txt', '.hidden/4.yaml', 'node_modules/5.yml'])
      write(name, good);
    symlinkSync(path, join(path, 'a/loop'));
    // As in the volume of a ConfigMap, and out of the folder, where --fix must not write.
    symlinkSync('2.JSON', join(path, 'a/link.yml'));
    symlinkSync(join(path, 'b/1.yaml'), join(path, 'a/outside.yml'));
    symlinkSync(join(path, 'nothing'), join(path, 'a/dangling.yaml'));
    const io = nodeIo();
    expect(walkFolder(path, io)).toEqual({
      files: ['a/2.JSON', 'a/link.yml', 'b/1.yaml'].map((name) => join(path, name)),
      failures: [],
    });
    expect(walkFolder(join(path, 'b/1.yaml'), io)).toBeUndefined();
    expect(walkFolder(join(path, 'nothing'), io)).toBeUndefined();
  });
  test('that are too deep or too large are a failure', () => {
    const deep = walkFolder('x', {
      listFolder: () => [{ name: 'y', kind: 'folder' }],
    });
    expect(deep?.failures.map(({ reason }) => reason)).toEqual([
      `x${'/y'.repeat(32)}: more than 32 levels of folders`,
    ]);
    const entries = Array.from({ length: 20_001 }, (_, at) => ({
      name: `${at}.yaml`,
      kind: 'file' as const,
    }));
    const large = walkFolder('x', { listFolder: () => entries });
    expect(large?.failures.map(({ reason }) => reason)).toEqual(['x: too many files']);
  });
});

describe('several configurations in one file', () => {
  test.each([
    ['whoami', 'two.yaml', '--claims', 'claims.json'],
    ['graph', 'two.yaml'],
    ['migrate', 'two.yaml'],
    ['diff', 'two.yaml', 'clusters/one/auth.yaml', '--claims', 'claims.json'],
  ])('%s lists them', async (...args) => {
    const { code, stderr } = await run(...args);
    expect(code).toBe(2);
    expect(stderr).toBe(`error: two.yaml contains 2 configurations
  Choose one of:
    two.yaml#kube-system/a/auth.yaml  (line 6)
    two.yaml#kube-system/b/auth.yaml  (line 18)
`);
  });
  test.each(['kube-system/b/auth.yaml', 'kube-system/b', '2'])('#%s chooses one', async (name) => {
    const { code, stdout } = await run('graph', `two.yaml#${name}`, '-o', 'json');
    expect(code).toBe(0);
    expect(stdout).toContain('https://b.example');
    expect(stdout).not.toContain('https://issuer.example');
  });
  test.each([
    ['nope', 'no configuration with the name "nope"'],
    ['auth.yaml', '2 configurations with the name "auth.yaml"'],
    ['3', 'no configuration with the name "3"'],
  ])('#%s does not', async (name, reason) => {
    const { code, stderr } = await run('graph', `two.yaml#${name}`);
    expect(code).toBe(2);
    expect(stderr).toContain(`error: two.yaml contains ${reason}\n  Choose one of:\n`);
  });
});

test('whoami and explain show lines of the file that contains the configuration', async () => {
  const whoami = await run('whoami', 'old.yaml', '--claims', 'claims.json', '--explain');
  expect(whoami.stdout).toContain('jwt[0]  old.yaml:10:7\n');
  const explain = await run(
    ...['explain', '-c', 'old.yaml'],
    'oidc: parse username claims "sub": claim not present',
  );
  expect(explain.stdout).toContain('old.yaml:12:27');
});

test('migrate changes the version inside of a ConfigMap and nothing else', async () => {
  const { code, stdout } = await run('migrate', 'old.yaml');
  expect(code).toBe(0);
  expect(stdout).toBe(files['old.yaml'].replace('v1beta1', 'v1'));
});

describe('flags in a file', () => {
  test('are validated', async () => {
    const { code, stdout } = await run('check', 'bad-flags.yaml');
    expect(code).toBe(1);
    expect(stdout).toContain('URL scheme must be https');
    expect(stdout).toContain('--> bad-flags.yaml:5:5\n');
  });
  test.each([
    ['service-account-flags.yaml', ['AG1015']],
    ['service-account-file.yaml', ['AG1015']],
    // Each server may accept service accounts of the other.
    ['other-server.yaml', []],
    ['webhook-file.yaml', ['AG4040']],
  ])('of other authenticators apply to the issuers in %s', async (name, expected) => {
    const { stdout } = await run('check', name);
    expect([...stdout.matchAll(/\[(AG\d{4})\]/g)].map(([, code]) => code)).toEqual(expected);
  });
  describe('of the static pod next to a configuration', () => {
    const pod = (...args: readonly string[]): string =>
      `apiVersion: v1\nkind: Pod\nmetadata: {name: kube-apiserver}\nspec:\n  containers:\n  - name: kube-apiserver\n    command:\n    - kube-apiserver\n${args.map((arg) => `    - ${arg}\n`).join('')}`;
    const webhook = '--authentication-token-webhook-config-file=/etc/kubernetes/webhook.yaml';
    const issuer = '--service-account-issuer=https://issuer.example';
    const names = '--authentication-config=/etc/kubernetes/auth.yaml';
    const sidecar = `  - name: sidecar\n    args:\n    - ${issuer}\n`;
    test.each<readonly [string, Readonly<Record<string, string>>, readonly string[]]>([
      ['has a webhook', { 'a/pod.yaml': pod(names, webhook) }, ['AG4040']],
      ['has the same issuer', { 'a/pod.yaml': pod(names, issuer) }, ['AG1015']],
      ['names another file', { 'a/pod.yaml': pod(names.replace('auth', 'other'), webhook) }, []],
      ['names no file', { 'a/pod.yaml': pod(webhook) }, []],
      ['is in another folder', { 'b/pod.yaml': pod(names, webhook, issuer) }, []],
      ['has another container with the same issuer', { 'a/pod.yaml': pod(names) + sidecar }, []],
      ['is one of two', { 'a/pod.yaml': pod(names, webhook), 'a/pod2.yaml': pod(names) }, []],
      [
        'is that of another program',
        { 'a/pod.yaml': pod(names, webhook).replaceAll('kube-apiserver', 'web') },
        [],
      ],
      [
        'is a file of k3s',
        { 'a/config.yaml': `kube-apiserver-arg:\n- ${names.slice(2)}\n- ${webhook.slice(2)}\n` },
        ['AG4040'],
      ],
    ])('that %s', async (_, others, expected) => {
      const all = { 'a/auth.yaml': good, ...others };
      const folders = new Set(Object.keys(all).map((path) => path.slice(0, 1)));
      for (const paths of [[...folders], Object.keys(all)]) {
        const { stdout } = await runCaptured(['check', ...paths], { files: all });
        expect([...stdout.matchAll(/\[(AG\d{4})\]/g)].map(([, code]) => code)).toEqual(expected);
      }
      const alone = await runCaptured(['check', 'a/auth.yaml'], { files: all });
      expect(alone.stdout).toBe('');
    });
    test('that is in the same folder, written in another way', async () => {
      const server = pod(names, issuer);
      const all = {
        'a/auth.yaml': good,
        'a/pod.yaml': server,
        './a/auth.yaml': good,
        'a//pod.yaml': server,
      };
      for (const paths of [
        ['./a/auth.yaml', 'a/pod.yaml'],
        ['a/auth.yaml', 'a//pod.yaml', 'a/pod.yaml'],
      ]) {
        const { stdout } = await runCaptured(['check', ...paths], { files: all });
        expect(stdout).toContain('[AG1015]');
      }
    });
  });
  test('exclude a file', async () => {
    const { code, stdout } = await run('check', 'both.yaml');
    expect(code).toBe(1);
    expect(stdout).toContain('authentication-config file and oidc-* flags are mutually exclusive');
  });
  test('are migrated, with a proof', async () => {
    const { code, stdout, stderr } = await run('migrate', 'flags.yaml');
    expect(code).toBe(0);
    expect(stdout).toContain('# --oidc-ca-file=/etc/ca.pem: copy these certificates');
    expect(stdout).toContain('prefix: https://issuer.example#\n');
    expect(stderr).toContain('note: copy the certificates of --oidc-ca-file=/etc/ca.pem');
    expect(stderr).toMatch(/equal on \d{3} tokens/);
  });
  test('that kube-apiserver rejects are not migrated', async () => {
    const { code, stdout, stderr } = await run('migrate', 'bad-flags.yaml');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('bad-flags.yaml:5:5');
  });
  test('are one side of diff, in a file or on the command line', async () => {
    const { stdout: migrated } = await run('migrate', 'flags.yaml');
    const withMigrated = { ...files, 'new.yaml': migrated };
    const flags = ['--oidc-issuer-url=https://issuer.example', '--oidc-client-id=app'];
    for (const old of [['flags.yaml'], flags]) {
      const args = ['diff', ...old, 'new.yaml', '--claims', 'claims.json'];
      const { code, stdout } = await runCaptured(args, { files: withMigrated });
      expect(code).toBe(0);
      for (const kind of ['gains access', 'loses access', 'who keeps access gets another identity'])
        expect(stdout).toContain(`proved: no one ${kind}\n`);
      expect(stdout).toContain('\nnothing changes for 1 sample\n');
      const other = [...args.slice(0, -3), 'clusters/one/auth.yaml', ...args.slice(-2)];
      expect((await runCaptured(other, { files: withMigrated })).code).toBe(1);
    }
    const both = await run('diff', ...flags, 'flags.yaml', 'flags.yaml', '--claims', 'claims.json');
    expect(both.code).toBe(2);
  });
  test.each([
    [
      'kubelogin',
      'users: [{user: {exec: {args: [oidc-login, get-token, --oidc-issuer-url=http://x, --oidc-client-id=y]}}}]\n',
    ],
    ['oauth2-proxy', 'kind: Pod\nargs: [--oidc-issuer-url=http://x, --client-id=y]\n'],
  ])('of %s are those of another program', async (_, text) => {
    const { code } = await runCaptured(['check', 'x.yaml'], { files: { 'x.yaml': text } });
    expect(code).toBe(2);
  });
});

test('standard input that is too large is a failure, even if other files are skipped', async () => {
  const tooLarge = { kind: 'failure', reason: 'too large', isTooLarge: true } as const;
  const { failures, skippedCount } = await checkFiles(['-', 'a.yaml'], {
    io: { ...nodeIo(), listFolder: () => undefined, readText: () => Promise.resolve(tooLarge) },
    loadOptions: () => Promise.reject(new Error('nothing is loaded')),
    reportedIn: () => Promise.reject(new Error('nothing is reported')),
    isFixing: false,
    skipsOthers: true,
    onProgress: () => {},
  });
  expect(failures).toEqual([{ ...tooLarge, path: '-' }]);
  expect(skippedCount).toBe(1);
});
