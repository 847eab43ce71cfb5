/** `authgraph fleet`: the matrix of many configurations, its exit code, and the drift of servers. */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type CapturedOptions, runCaptured } from '../support/captured-io.ts';
import { schemaErrors } from '../support/json-schema.ts';

const configuration = (cluster: string, prefix = 'oidc:'): string =>
  `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer: { url: https://${cluster}.example, audiences: [app] }
  claimMappings:
    username: { claim: sub, prefix: '${prefix}' }
`;
const suite = (cluster: string, user: string): string => `base:
  claims: { iss: https://${cluster}.example, sub: ann, aud: app }
tests:
- { name: ann, expect: { user: '${user}' } }
- { name: other audience, claims: { aud: other }, expect: { rejected: true } }
`;
/** A warning: the issuer can assign system:masters. */
const unprefixed = `${configuration('dev')}    groups: { claim: groups, prefix: '' }\n`;
/** Two configurations; the value of the first one ends with one line end, that of the second with none. */
const configMaps = `apiVersion: v1
kind: ConfigMap
metadata: { name: auth, namespace: one }
data:
  auth.yaml: |
${configuration('one').replaceAll(/^(?=.)/gm, '    ')}


---
apiVersion: v1
kind: ConfigMap
metadata: { name: auth, namespace: two }
data:
  auth.yaml: |-
${configuration('two').replaceAll(/^(?=.)/gm, '    ')}
`;
const kubeadm = `apiVersion: kubeadm.k8s.io/v1beta4
kind: ClusterConfiguration
apiServer:
  extraArgs:
  - { name: oidc-issuer-url, value: https://legacy.example }
  - { name: oidc-client-id, value: app }
`;
const files = {
  'clusters/dev/auth.yaml': configuration('dev'),
  'clusters/dev/auth.authtest.yaml': suite('dev', 'oidc:ann'),
  'clusters/maps.yaml': configMaps,
  'clusters/maps.authtest.yaml': `configuration: maps.yaml#two/auth\n${suite('two', 'oidc:ann')}`,
  'clusters/legacy/kubeadm.yaml': kubeadm,
  'clusters/legacy/.authgraph.yaml': 'targetVersion: "1.34"\n',
  'clusters/values.yaml': 'replicas: 3\n',
};
const hashOf = (text: string): string =>
  `sha256:${createHash('sha256').update(text).digest('hex')}`;
const short = (text: string): string => hashOf(text).slice(0, 19);

const run = (args: readonly string[], more: CapturedOptions['files'] = {}, rest = {}) =>
  runCaptured(['fleet', 'clusters', ...args], { files: { ...files, ...more }, ...rest });

/** The parts of a result that the tests read. */
interface Result {
  readonly release: string;
  readonly check: { readonly warnings: number };
  readonly access: { readonly kind: string; readonly changed: { readonly count: number } };
}

const json = async (args: readonly string[], more: CapturedOptions['files'] = {}, rest = {}) => {
  const { code, stdout, stderr } = await run([...args, '-o', 'json'], more, rest);
  const data = JSON.parse(stdout);
  expect(schemaErrors('fleet.v1', data)).toEqual([]);
  const resultsOf = (name: string): readonly Result[] =>
    data.configurations.find((one: { readonly name: string }) => one.name === name)?.results ?? [];
  return { code, stderr, data, resultsOf };
};

describe('the matrix', () => {
  test('has a row for each configuration with its release, problems, tests and hash', async () => {
    const { code, stdout, stderr } = await run([]);
    const [one, two] = [configuration('one'), configuration('two').trimEnd()];
    expect(stdout).toBe(`CONFIGURATION                          RELEASE  CHECK  TESTS     HASH
clusters/dev/auth.yaml                 1.37     ok     2 passed  ${short(configuration('dev'))}
clusters/legacy/kubeadm.yaml           1.34     ok     none      -
clusters/maps.yaml#one/auth/auth.yaml  1.37     ok     none      ${short(one)}
clusters/maps.yaml#two/auth/auth.yaml  1.37     ok     2 passed  ${short(two)}
`);
    expect(stderr).toBe('4 configurations, none fails\n');
    expect(code).toBe(0);
  });

  test('an error, a failed test and a test file with mistakes each cause the exit code 1', async () => {
    const error = await run([], {
      'clusters/dev/auth.yaml': configuration('dev').replace('[app]', '[]'),
    });
    expect(error.stdout).toMatch(/^clusters\/dev\/auth\.yaml +1\.37 +1 error +1 file not run /m);
    expect(error.stderr).toContain('4 configurations, 1 fails\n');
    const failed = await run([], { 'clusters/dev/auth.authtest.yaml': suite('dev', 'ann') });
    expect(failed.stdout).toMatch(/^clusters\/dev\/auth\.yaml +1\.37 +ok +1 of 2 failed /m);
    const mistake = await run([], { 'clusters/dev/auth.authtest.yaml': 'tests: [{ nam: x }]\n' });
    expect(mistake.stdout).toMatch(/^clusters\/dev\/auth\.authtest\.yaml +1 file not run$/m);
    expect(mistake.stderr).toContain('1 other file with problems');
    expect(mistake.stderr).toContain('auth.authtest.yaml:1:');
    expect([error.code, failed.code, mistake.code]).toEqual([1, 1, 1]);
  });

  test('suggests the flag for changes if --fail-on has one of its values', async () => {
    const { code, stderr } = await run(['--fail-on', 'gain,lose']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('Did you mean --fail-on-change?')]);
  });

  test('warnings fail only with --fail-on', async () => {
    const more = { 'clusters/dev/auth.yaml': unprefixed };
    const { stdout, code } = await run([], more);
    expect(stdout).toMatch(/^clusters\/dev\/auth\.yaml +1\.37 +1 warning /m);
    expect([code, (await run(['--fail-on', 'warning'], more)).code]).toEqual([0, 1]);
  });

  test('tests of a configuration elsewhere have a row of their own', async () => {
    const { stdout, code } = await run([], {
      'other.yaml': configuration('other'),
      'clusters/other.authtest.yaml': `configuration: ../other.yaml\n${suite('other', 'oidc:bob')}`,
    });
    expect(stdout).toMatch(/^clusters\/other\.authtest\.yaml +1 of 2 failed$/m);
    expect(code).toBe(1);
  });

  test('suppressions apply, and unused ones are reported once for all releases', async () => {
    const suppression = (code: string) =>
      `suppressions: [{ code: ${code}, reason: known }]\ntargetVersion: "1.36"\n`;
    const more = { 'clusters/dev/auth.yaml': unprefixed };
    const { resultsOf } = await json([], more);
    expect(resultsOf('clusters/dev/auth.yaml')[0]?.check.warnings).toBe(1);
    const { stdout } = await runCaptured(['check', 'clusters/dev/auth.yaml', '-o', 'json'], {
      files: more,
    });
    const [{ code }] = JSON.parse(stdout).files[0].diagnostics;
    const used = await json(['--target-version', '1.35,1.36'], {
      ...more,
      'clusters/dev/.authgraph.yaml': suppression(code),
    });
    expect(used.data.settings).toEqual([]);
    expect(used.resultsOf('clusters/dev/auth.yaml')[1]?.check.warnings).toBe(0);
    const unused = await json([], { 'clusters/dev/.authgraph.yaml': suppression('AG4010') });
    expect(unused.data.settings).toMatchObject([{ file: 'clusters/dev/.authgraph.yaml' }]);
  });

  test('--target-version has a column for each release', async () => {
    const { stdout, code } = await run(['--target-version', '1.33,1.37'], {
      'clusters/dev/auth.yaml': configuration('dev'),
    });
    expect(stdout).toMatch(/^CONFIGURATION +CHECK 1\.33 +CHECK 1\.37 +TESTS +HASH$/m);
    expect(stdout).toMatch(
      /^clusters\/dev\/auth\.yaml +1 error +ok +1\.33: 1 file not run; 1\.37: 2 passed /m,
    );
    expect(code).toBe(1);
    const { resultsOf } = await json(['--target-version', '1.35,1.36']);
    const releases = resultsOf('clusters/legacy/kubeadm.yaml').map(({ release }) => release);
    expect(releases).toEqual(['1.35', '1.36']);
  });
});

describe('--base', () => {
  const base = {
    'old/dev/auth.yaml': configuration('dev'),
    'old/gone.yaml': configuration('gone'),
    'old/maps.yaml': configMaps,
    'old/legacy/kubeadm.yaml': kubeadm,
    'old/legacy/.authgraph.yaml': 'targetVersion: "1.34"\n',
  };
  const changed = { 'clusters/dev/auth.yaml': configuration('dev', 'corp:') };
  const failing = { 'clusters/dev/auth.authtest.yaml': suite('dev', 'corp:ann') };

  test('compares by path and name: same, changed, added and removed', async () => {
    const more = { ...base, ...changed, ...failing, 'clusters/new.yaml': configuration('new') };
    const { code, resultsOf, data } = await json(['--base', 'old'], more);
    const accessOf = (name: string) => resultsOf(name)[0]?.access;
    expect(accessOf('clusters/dev/auth.yaml')).toEqual({
      kind: 'compared',
      gained: { kind: 'proved', count: 0 },
      lost: { kind: 'proved', count: 0 },
      changed: { kind: 'found', count: 1 },
      settings: 0,
    });
    expect(accessOf('clusters/new.yaml')).toEqual({ kind: 'added' });
    expect(accessOf('clusters/maps.yaml#two/auth/auth.yaml')).toEqual({ kind: 'same' });
    expect(accessOf('clusters/legacy/kubeadm.yaml')?.kind).toMatch(/same|compared/);
    expect(data.removed).toEqual(['clusters/gone.yaml']);
    expect([code, data.fails]).toEqual([1, true]);
    const never = await run(['--base', 'old', '--fail-on-change', 'never'], more);
    expect(never.stdout).toMatch(/^clusters\/dev\/auth\.yaml +1\.37 +ok +2 passed +changed 1 /m);
    expect(never.stdout).toMatch(/^clusters\/gone\.yaml +removed$/m);
    expect(never.code).toBe(0);
  });

  test('a proof of each kind is no change; an undecided one fails only with --require-proof', async () => {
    const comment = { ...base, 'clusters/dev/auth.yaml': `${configuration('dev')}# a comment\n` };
    const { stdout, code } = await run(['--base', 'old', '--fail-on-change', 'gain'], comment);
    expect(stdout).toMatch(/^clusters\/dev\/auth\.yaml .* no change /m);
    expect(code).toBe(0);
    const broken = { ...base, 'old/dev/auth.yaml': configuration('dev').replace('[app]', '[]') };
    const args = ['--base', 'old', '--fail-on-change', 'gain'];
    const skipped = await run(args, broken);
    expect(skipped.stdout).toMatch(
      /^clusters\/dev\/auth\.yaml .* not compared: errors in the base /m,
    );
    expect([skipped.code, (await run([...args, '--require-proof', 'gain'], broken)).code]).toEqual([
      0, 1,
    ]);
  });

  test('a new configuration is a gain, a removed one a loss, also without a proof', async () => {
    const codes = (more: CapturedOptions['files'], kind: string) =>
      Promise.all(
        [
          ['--fail-on-change', kind],
          ['--fail-on-change', 'never', '--require-proof', kind],
          ['--fail-on-change', 'never'],
        ].map(async (args) => (await run(['--base', 'old', ...args], { ...base, ...more })).code),
      );
    const { 'old/gone.yaml': _, ...same } = base;
    const added = { 'clusters/gone.yaml': configuration('gone'), 'clusters/new.yaml': unprefixed };
    expect(await codes(added, 'gain')).toEqual([1, 1, 0]);
    expect(await codes(added, 'lose')).toEqual([0, 0, 0]);
    expect(await codes({}, 'lose')).toEqual([1, 1, 0]);
    expect((await run(['--base', 'old'], same)).code).toBe(0);
  });

  test('a Git revision has the folder at the same path', async () => {
    const revisions = { 'HEAD~1:./clusters/dev/auth.yaml': configuration('dev') };
    const { resultsOf, code } = await json(
      ['--base', 'HEAD~1', '--fail-on-change', 'lose'],
      changed,
      {
        revisions,
      },
    );
    expect(resultsOf('clusters/dev/auth.yaml')[0]?.access.changed.count).toBe(1);
    expect(resultsOf('clusters/legacy/kubeadm.yaml')[0]?.access).toEqual({ kind: 'added' });
    // The test file expects the old username.
    expect(code).toBe(1);
  });

  test('a name that is a folder and a revision is an error; main: is the revision', async () => {
    const more = { 'main/dev/auth.yaml': configuration('dev') };
    const revisions = { 'main:./clusters/dev/auth.yaml': configuration('dev', 'corp:') };
    const kindsOf = async (name: string, rest: CapturedOptions = { revisions }) => {
      const { resultsOf } = await json(['--base', name], more, rest);
      return resultsOf('clusters/dev/auth.yaml')[0]?.access.kind;
    };
    const { code, stderr } = await run(['--base', 'main'], more, { revisions });
    expect(stderr).toContain(
      'error: --base main is a folder and a Git revision\n  Specify ./main for the folder, or main: for the revision.\n',
    );
    expect(code).toBe(2);
    expect(await kindsOf('main:')).toBe('compared');
    expect(await kindsOf('main', {})).toBe('same');
  });

  test('a folder that is in neither has no configuration, and one of which all are removed has', async () => {
    const args = ['fleet', 'empty', '--base', 'HEAD'];
    const files = { 'empty/values.yaml': 'a: 1\n' };
    const inBase = (name: string, text: string) =>
      runCaptured(args, { files, revisions: { [`HEAD:./empty/${name}`]: text } });
    const empty = await inBase('other.yaml', 'a: 1\n');
    expect(empty.stderr).toContain('no AuthenticationConfiguration in this folder');
    const removed = await inBase('auth.yaml', configuration('dev'));
    expect(removed.stderr).toBe('0 configurations, 1 removed, 1 fails\n');
    expect([empty.code, removed.code]).toEqual([2, 1]);
  });
});

describe('--metrics', () => {
  const metric = 'apiserver_authentication_config_controller_last_config_info';
  const page = (...series: readonly string[]): string =>
    `# HELP ${metric} [ALPHA] Information\n# TYPE ${metric} gauge\n${series.map((one) => `${metric}${one}\n`).join('')}up 1\n`;
  const id = `apiserver_id_hash="${hashOf('server')}"`;
  const dev = hashOf(configuration('dev'));

  test('finds the configuration of each server, and fails for a hash of no file', async () => {
    const { data, code, stderr } = await json(
      ['--metrics', 'a.prom', '--metrics', 'b.prom', '--metrics', '-'],
      {
        'a.prom': page(`{${id},hash="${dev}"} 1`),
        'b.prom': page(`{${id},hash="${hashOf('other')}"} 1`),
        '-': 'up 1\n',
      },
    );
    expect(data.servers).toMatchObject([
      { source: 'a.prom', state: 'current', configurations: ['clusters/dev/auth.yaml'], hash: dev },
      { source: 'b.prom', state: 'unknown', configurations: [] },
      { source: 'standard input', state: 'no hash', configurations: [] },
    ]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  });

  test('reads the page of a federating Prometheus, and names servers by their labels', async () => {
    const { stdout, stderr, code } = await run(['--metrics', 'fleet.prom'], {
      'fleet.prom': page(
        `{job="apiserver", instance="10.0.0.1:6443",cluster="d\\"e\\\\v",${id},hash="${dev}"} 1 1700000000000`,
        `{ hash = "${hashOf(configuration('two').trimEnd())}" , instance="10.0.0.2:6443" ,} 1.0`,
        `{instance="stale",hash="${hashOf('old')}"} 0`,
        `_total{hash="x"} 1`,
      ),
    });
    expect(stdout).toContain(
      'fleet.prom instance=10.0.0.1:6443 cluster=d"e\\v  clusters/dev/auth.yaml\n',
    );
    expect(stdout).toMatch(
      /instance=10\.0\.0\.2:6443 +clusters\/maps\.yaml#two\/auth\/auth\.yaml$/m,
    );
    expect(stdout).toMatch(/^clusters\/dev\/auth\.yaml .* 1$/m);
    expect(stdout).not.toContain('stale');
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: '4 configurations, none fails, 0 of 2 servers drifted\n',
    });
  });

  test('a server with the content of the base waits for the change, which is not drift', async () => {
    const { data, code } = await json(
      ['--metrics', 'a.prom', '--base', 'old', '--fail-on-change', 'never'],
      {
        'old/dev/auth.yaml': configuration('dev'),
        'clusters/dev/auth.yaml': configuration('dev', 'corp:'),
        'clusters/dev/auth.authtest.yaml': suite('dev', 'corp:ann'),
        'a.prom': page(`{${id},hash="${dev}"} 1`),
      },
    );
    expect(data.servers).toMatchObject([
      { state: 'base', configurations: ['clusters/dev/auth.yaml'] },
    ]);
    expect(code).toBe(0);
  });

  test.each([
    ['no metrics', ''],
    ['no metrics', '# only a comment\n'],
    ['line 1: not a metric in the text format of Prometheus', '<html>\n'],
    ['line 1: not a metric in the text format of Prometheus', '{"kind":"Status"}'],
    [`line 3: the metric ${metric} is malformed`, page('{hash="x} 1')],
    [`line 3: the metric ${metric} is malformed`, page('{hash=x} 1')],
    [`line 3: the metric ${metric} is malformed`, page(`{hash="${'x'.repeat(70_000)}"} 1`)],
    ['line 10003: more than 10000 servers', page(...Array<string>(10_001).fill('{hash="x"} 1'))],
  ])('a page that is not usable is a failure: %s', async (problem, text) => {
    const { code, stderr } = await run(['--metrics', 'x.prom'], { 'x.prom': text });
    expect(stderr).toContain(`error: x.prom: ${problem}\n`);
    expect(code).toBe(2);
  });
});

describe('output', () => {
  test('what could not be read is in the summary, the Markdown and the JSON', async () => {
    const args = ['--metrics', 'gone.prom'];
    const reason = 'open gone.prom: no such file or directory';
    const { data, code } = await json(args);
    expect(data).toMatchObject({ fails: true, failures: [reason] });
    const summary = '4 configurations, none fails, not complete: 1 error\n';
    expect((await run(args)).stderr).toBe(`${summary}error: ${reason}\n`);
    const markdown = await run([...args, '-o', 'markdown']);
    expect(markdown.stdout).toContain(`### Fleet: ${summary}`);
    expect(markdown.stdout).toContain(`- ❌ \`${reason}\`\n`);
    expect([code, markdown.code]).toEqual([2, 2]);
  });

  test('Markdown has untrusted names in code spans, and no control characters', async () => {
    const name = 'clusters/a|`<b>\u001b[2J.yaml';
    const { stdout, code } = await run(['-o', 'markdown'], { [name]: configuration('x') });
    expect(stdout).toContain('| ``clusters/a\\|`<b>␛[2J.yaml`` | 1.37 | ✅ ok | none |');
    expect(stdout).toContain('### Fleet: 5 configurations, none fails\n');
    expect(code).toBe(0);
    const text = await run([], { [name]: configuration('x') });
    expect(text.stdout).toContain('clusters/a|`<b>\\u001b[2J.yaml          1.37');
  });

  test('progress appears on a terminal only', async () => {
    const more = { 'clusters/new.yaml': configuration('new') };
    const terminal = await run([], more, { terminal: { columns: 80 } });
    expect(terminal.stderr).toContain('checking file 1 of');
    expect(terminal.stdout).toContain('\u001b[32m');
    expect((await run([])).stderr).not.toContain('checking');
  });
});

test.each([
  ['wrong release', ['--target-version', '1.2'], 'invalid argument "1.2"'],
  ['token without a URL', ['--token-file', 'token'], '--token-file requires --metrics URL'],
  [
    'token over http',
    ['--metrics', 'http://a.example', '--token-file', 'token'],
    'over https only',
  ],
  ['credentials in a URL', ['--metrics', 'https://a:secret@a.example'], 'must not contain a user'],
  [
    'credentials in no URL',
    ['--metrics', 'https://a:sec/secret@a b'],
    '"https://a b" is not a URL',
  ],
  ['another URL', ['--metrics', 'ftp://a:secret@a.example'], 'must begin with http:// or https://'],
  ['output over an input', ['--metrics', 'a.prom', '--out', './a.prom'], 'replace the input'],
  ['two standard inputs', ['--metrics', '-', '--metrics', '-'], 'only one file'],
  ['never and others', ['--fail-on-change', 'never,gain'], 'never cannot be combined'],
  ['folder that does not exist', ['nowhere'], 'nowhere is not a folder'],
  ['base that would be an option of Git', ['--base=--output=x'], 'neither a folder nor'],
  ['base that does not exist', ['--base', 'nowhere'], 'neither a folder nor a Git revision'],
  ['file in the place of a folder', ['clusters/values.yaml'], 'is not a folder'],
  ['metrics that cannot be read', ['--metrics', 'gone.prom'], 'open gone.prom'],
])('wrong usage has the exit code 2: %s', async (_, args, message) => {
  const { code, stderr } = await run(args);
  expect(stderr).toContain(message);
  expect(stderr).not.toContain('secret');
  expect(code).toBe(2);
});

test('a folder without a configuration is an error', async () => {
  const { code, stderr } = await runCaptured(['fleet'], { files: { './a.yaml': 'a: 1\n' } });
  expect(stderr).toContain('no AuthenticationConfiguration in this folder');
  expect(code).toBe(2);
});

test('a signal ends the command without a matrix', async () => {
  const { code, stdout, stderr } = await run([], {}, { signal: AbortSignal.abort() });
  expect(stdout).toBe('');
  expect(stderr).toContain('interrupted before all configurations were checked');
  expect(code).toBe(2);
});

test('configurations with the same content are counted together', async () => {
  const metric = 'apiserver_authentication_config_controller_last_config_info';
  const { stdout } = await run(['--metrics', '-'], {
    'clusters/copy.yaml': configuration('dev'),
    '-': `${metric}{hash="${hashOf(configuration('dev'))}"} 1\n`,
  });
  expect(stdout).toMatch(/^standard input +clusters\/copy\.yaml and 1 other$/m);
});
