import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commands } from '../../engine/src/cli/run.ts';
import type { FlagRow } from '../../engine/src/flags/flag.ts';
import { productVersion as version } from '../../engine/src/model/product-version.ts';
import { serveFlags } from '../../engine/src/server/flags/serve-flags.ts';
import { runCaptured } from '../support/captured-io.ts';
import { schemaErrors } from '../support/json-schema.ts';

test('prints help without a command, as kubectl does', async () => {
  const bare = await runCaptured([]);
  expect(bare).toMatchObject({ code: 0, stderr: '' });
  for (const args of [['--help'], ['-h'], ['help']]) expect(await runCaptured(args)).toEqual(bare);
  for (const { name, summary } of commands)
    expect(bare.stdout.replaceAll(/ +/g, ' ')).toContain(`\n ${name} ${summary}\n`);
});

test.each([
  ['chekc', 'Did you mean check?'],
  ['whoam', 'Did you mean whoami?'],
  ['srve', 'Did you mean serve?'],
  ['validate', 'Did you mean check?'],
  ['Lint', 'Did you mean check?'],
  ['login', 'Did you mean get-token?'],
  ['comp', 'See: authgraph --help'],
  ['-v', 'Did you mean --version?'],
  ['-V', 'Did you mean --version?'],
  ['--versoin', 'Did you mean --version?'],
  ['-c', 'Flags follow the command.'],
])('suggests the command near %s', async (name, words) => {
  const { code, stderr } = await runCaptured([name]);
  expect(code).toBe(2);
  expect(stderr).toContain(words);
});

test('does not suggest a command for an unrelated name', async () => {
  const { stderr } = await runCaptured(['frobnicate']);
  expect(stderr).toBe('error: unknown command "frobnicate"\nSee: authgraph --help\n');
});

describe('create token', () => {
  test.each([
    [['create', '--help']],
    [['create', '-h']],
    [['create', 'token', '--help']],
    [['help', 'create']],
    [['help', 'create', 'token']],
  ])('%j prints help', async (args) => {
    const { stdout } = await runCaptured(['create-token', '--help']);
    expect(await runCaptured(args)).toMatchObject({ code: 0, stderr: '', stdout });
  });
  test.each([
    [['create'], 'error: "create" requires an argument'],
    [['create', 'toke'], 'error: unknown command "create toke"'],
    [['create', 'token-request', 'x'], 'error: unknown command "create token-request"'],
  ])('%j is reported by name', async (args, error) => {
    const { code, stdout, stderr } = await runCaptured(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe(
      `${error}\n  Did you mean create token?\nSee: authgraph create token --help\n`,
    );
  });
});

test('prints the version of the package', async () => {
  const manifest = JSON.parse(
    readFileSync(join(import.meta.dirname, '../../engine/package.json'), 'utf8'),
  );
  expect(version).toBe(manifest.version);
  expect((await runCaptured(['--version'])).stdout).toBe(`authgraph ${version}\n`);
  expect((await runCaptured(['version'])).stdout).toContain(`authgraph ${version}\nNode.js `);
  const data = JSON.parse((await runCaptured(['version', '-o', 'json'])).stdout);
  expect(schemaErrors('version.v1', data)).toEqual([]);
  expect(data).toMatchObject({ authgraph: version, node: process.versions.node });
});

describe.each(commands.map(({ name }) => name))('%s --help', (name) => {
  test('prints usage, flags, examples and exit status in lines that fit', async () => {
    const { code, stdout } = await runCaptured([...name.split(' '), '--help=all']);
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`^usage: authgraph ${name} `));
    expect(stdout).toContain('\nexamples:\n');
    expect(stdout).toContain('\nexit status:\n');
    expect(stdout).toContain('  --color auto|always|never');
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(130);
    const short = await runCaptured(['help', ...name.split(' ')]);
    for (const args of [
      [...name.split(' '), '-h'],
      ['-h', ...name.split(' ')],
    ])
      expect(await runCaptured(args)).toEqual(short);
    if (name !== 'serve') expect(short.stdout).toBe(stdout);
  });
  test('reports an unknown flag with the usage', async () => {
    const { code, stderr } = await runCaptured([...name.split(' '), '--colr=never']);
    expect(code).toBe(2);
    expect(stderr).toContain('error: unknown flag: --colr\n');
    expect(stderr).toContain(`usage: authgraph ${name} `);
  });
});

describe('serve --help', () => {
  const help = async (topic: string) => (await runCaptured(['serve', `--help${topic}`])).stdout;
  test('fits on two screens and names the topics', async () => {
    const text = await help('');
    expect(text.split('\n').length).toBeLessThan(110);
    expect(text).toContain('  -c, --config, --authentication-config FILE\n');
    expect(text).toContain('    oidc                  9\n');
    expect(text).not.toContain('--goaway-chance');
  });
  test('shows all flags, a group, or the flags with a word in their names', async () => {
    const all = await help('=all');
    for (const { name } of serveFlags) expect(all).toMatch(new RegExp(`--${name}[ \n]`));
    const oidc = await help('=oidc');
    expect(oidc).toMatch(/^OIDC \(instead of a file\):\n/);
    expect(oidc.match(/^ +--/gm)).toHaveLength(9);
    const tls = [...(await help('=tls')).matchAll(/--([a-z-]+) FILE/g)].map(([, name]) => name);
    expect(tls).toEqual(['tls-cert-file', 'tls-private-key-file']);
  });
  test('the defaults of serve do not depend on the order of choices', () => {
    const withChoices = serveFlags.filter(({ choices }) => choices !== undefined);
    expect(Object.fromEntries(withChoices.map((flag) => [flag.name, flag.default]))).toEqual({
      'api-domain': '',
      'webhook-reasons': 'rules',
      'jwks-refetch': 'throttled',
      'decision-log-claims': 'none',
      'logging-format': '',
      'log-level': 'info',
      color: 'auto',
      store: 'memory',
    });
  });
  test('reports an unknown topic with the topics', async () => {
    const { code, stderr } = await runCaptured(['serve', '--help=zzz']);
    expect(code).toBe(2);
    expect(stderr).toContain(
      'error: no flag of serve belongs to "zzz"\n  Topics: authentication, ',
    );
  });
  test.each([
    ['--help=tsl', 'error: no flag of serve belongs to "tsl"\n  Did you mean --help=tls?\n'],
    ['--help=stroe', 'error: no flag of serve belongs to "stroe"\n  Did you mean --help=store?\n'],
    ['--hlep', 'error: unknown flag: --hlep\n  Did you mean --help?\n'],
  ])('suggests what %s means', async (argument, expected) => {
    const { code, stderr } = await runCaptured(['serve', argument]);
    expect(code).toBe(2);
    expect(stderr).toContain(expected);
  });
});

describe('flags of other programs', () => {
  test.each<[string, string]>([
    ['check --format json a.yaml', 'unknown flag: --format\n  Did you mean --output?'],
    [
      'check -f json a.yaml',
      "unknown shorthand flag: 'f' in -f\n  Did you mean --config or --output?",
    ],
    ['check -config a.yaml', "unknown shorthand flag: 'c' in -config\n  Did you mean --config?"],
    [
      'check --fail-on warn a.yaml',
      'must be one of error, warning, information, hint\n  Did you mean warning?',
    ],
    ['new -f okta', 'Did you mean --output or --force?'],
    ['compile -o x a.yaml', "unknown shorthand flag: 'o' in -o\n  Did you mean --out?"],
    [
      'serve -v 3',
      "'v' in -v\n  kube-apiserver has -v, authgraph serve does not; use --log-level.",
    ],
    [
      'serve --event-ttl=1h',
      '  kube-apiserver has --event-ttl, authgraph serve does not. See docs/flags.md.\n',
    ],
    ['serve --log-levle=warn', 'Did you mean --log-level?'],
  ])('%s', async (line, expected) => {
    const { code, stderr } = await runCaptured(line.split(' '));
    expect(code).toBe(2);
    expect(stderr).toContain(expected);
    expect(stderr.match(/^error: /gm)).toHaveLength(1);
  });
});

describe('flags that several commands have', () => {
  /** What may differ: the choices, the default and the sentence about the flag. */
  const fixed = ({ shorthand, alias, type }: FlagRow) => ({ shorthand, alias, type });
  test('have the same letter and the same kind of value', async () => {
    const rows = await Promise.all(commands.map(async ({ load }) => (await load()).flags));
    const byName = Map.groupBy(rows.flat(), ({ name }) => name);
    for (const name of ['output', 'out', 'force', 'token-file', 'target-version', 'color'])
      expect(new Set(byName.get(name)?.map((row) => JSON.stringify(fixed(row)))).size, name).toBe(
        1,
      );
    expect(byName.has('format')).toBe(false);
    expect(byName.has('token')).toBe(false);
    for (const row of rows.flat()) {
      if (row.shorthand === 'o') expect(row.name).toBe('output');
      if (row.shorthand === 'c') expect([row.name, row.alias]).toContain('config');
      expect(row.shorthand).not.toBe('f');
    }
  });
  test.each([
    'compile',
    'doctor',
    'graph',
    'who-can --group x',
    'whoami --claims {}',
    'migrate',
    'check',
  ])('%s reads its file as an argument and with -c', async (line) => {
    const [name = '', ...more] = line.split(' ');
    const byArgument = await runCaptured([name, 'gone.yaml', ...more]);
    expect(byArgument.stderr).toContain('gone.yaml');
    expect(byArgument.stderr).toContain('no such file or directory');
    for (const flag of [['-c', 'gone.yaml'], ['--config=gone.yaml']])
      expect(await runCaptured([name, ...flag, ...more])).toEqual(byArgument);
  });
  test.each(['serve', 'demo'])('%s reads its file with three spellings', async (name) => {
    for (const flag of [
      ['-c', 'gone.yaml'],
      ['--config', 'gone.yaml'],
      ['--authentication-config=gone.yaml'],
    ]) {
      const { code, stderr } = await runCaptured([name, ...flag]);
      expect([code, stderr]).toEqual([2, expect.stringContaining('no such file or directory')]);
    }
  });
});

test.each(['newest', 'latest', 'v1.37', '1.37.2'])('--target-version %s', async (release) => {
  const path = join(import.meta.dirname, '../../samples/jwt/okta.yaml');
  const files = { 'okta.yaml': readFileSync(path, 'utf8') };
  const { code } = await runCaptured(['check', '--target-version', release, 'okta.yaml'], {
    files,
  });
  expect(code).toBe(0);
});

test('docs/cli.md lists every command', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/cli.md'), 'utf8');
  for (const { name } of commands) expect(page).toMatch(new RegExp(`\\| \`${name}[ \`]`));
});
