/** `.authgraph.yaml` on the command line: which file applies, what wins, and its own mistakes. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCaptured } from '../support/captured-io.ts';
import { schemaErrors } from '../support/json-schema.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A configuration with AG4010 in the given API domain. */
const configuration = (domain = 'k8s.io', version = 'v1'): string =>
  `apiVersion: apiserver.config.${domain}/${version}\nkind: AuthenticationConfiguration\njwt:\n- issuer:\n    url: https://issuer.example\n    audiences: [app]\n  claimMappings:\n    username: {claim: sub, prefix: ""}\n`;

type Files = Readonly<Record<string, string>>;

const run = (files: Files, ...args: readonly string[]) => runCaptured(args, { files });

/** Returns the codes that `check` reports, with their severities, and its exit status. */
const check = async (files: Files, ...args: readonly string[]) => {
  const { code, stdout, stderr } = await run(files, 'check', '-o', 'json', ...args);
  if (stdout === '') return { code, found: [], stderr };
  const report = JSON.parse(stdout);
  expect(schemaErrors('check.v1', report)).toEqual([]);
  const found: readonly string[] = report.files.flatMap(
    ({ file, diagnostics }: { file: string; diagnostics: readonly Record<string, string>[] }) =>
      diagnostics.map((one) => `${file} ${one.code} ${one.severity}`),
  );
  return { code, found, stderr };
};

const auth = 'a/b/auth.yaml';

describe('which file applies', () => {
  test.each<[Files, readonly string[]]>([
    [{}, ['AG4010 information']],
    [{ 'a/b/.authgraph.yaml': 'lints: {AG4010: error}' }, ['AG4010 error']],
    [{ '.authgraph.yaml': 'lints: {AG4010: warning}' }, ['AG4010 warning']],
    [
      { '.authgraph.yaml': 'lints: {AG4010: error}', 'a/.authgraph.yaml': '' },
      ['AG4010 information'],
    ],
    [{ 'a/c/.authgraph.yaml': 'lints: {AG4010: off}' }, ['AG4010 information']],
    [{ '.authgraph.yaml': 'lints: {"*": off}' }, []],
  ])('%j', async (settings, wanted) => {
    const { found } = await check({ [auth]: configuration(), ...settings }, auth);
    expect(found).toEqual(wanted.map((one) => `${auth} ${one}`));
  });

  describe('a file of another user', () => {
    const files = { [auth]: configuration(), 'a/.authgraph.yaml': 'lints: {AG4010: off}' };
    const ignored =
      'warning: a/.authgraph.yaml is not used, because it belongs to another user (1001)\n';

    test('is not used, with a warning', async () => {
      const owners = { 'a/.authgraph.yaml': 1001 };
      const { code, stdout, stderr } = await runCaptured(['check', auth], { files, owners });
      expect(code).toBe(0);
      expect(stdout).toContain('AG4010');
      expect(stderr).toBe(`${ignored}1 information diagnostic in 1 file\n`);
    });

    test('is used for files in a folder of that user', async () => {
      const owners = { 'a/.authgraph.yaml': 1001, 'a/b': 1001 };
      const { stdout, stderr } = await runCaptured(['check', auth], { files, owners });
      expect([stdout, stderr]).toEqual([
        '',
        'no problems in 1 file (settings: a/.authgraph.yaml)\n',
      ]);
    });

    test('does not hide the file of a parent folder', async () => {
      const owners = { 'a/.authgraph.yaml': 1001, 'a/b': 1002 };
      const own = { ...files, '.authgraph.yaml': 'lints: {AG4010: error}' };
      const { code, stderr } = await runCaptured(['check', auth], { files: own, owners });
      expect(code).toBe(1);
      expect(stderr).toContain(ignored);
    });
  });

  test('standard input belongs to the current folder', async () => {
    const files = { '-': configuration(), '.authgraph.yaml': 'lints: {AG4010: off}' };
    expect(await check(files, '-')).toMatchObject({ code: 0, found: [] });
  });
});

test('INV-F1 a link out of the repository is not used, with a warning', async () => {
  const { path, write } = temporaryFolder();
  const repository = join(path, 'repository');
  mkdirSync(join(repository, '.git'), { recursive: true });
  write('secret.yaml', 'secret: [');
  const link = join(repository, '.authgraph.yaml');
  symlinkSync(join(path, 'secret.yaml'), link);
  const configured = join(repository, 'auth.yaml');
  const files = { [configured]: configuration(), [link]: 'secret: [' };
  const { code, stdout, stderr } = await run(files, 'check', configured);
  expect(code).toBe(0);
  expect(stdout).not.toContain('secret');
  expect(stderr).toContain(
    `warning: ${link} is not used, because it is a link out of its repository\n`,
  );
});

describe('the target version', () => {
  const settings = { [auth]: configuration(), '.authgraph.yaml': 'targetVersion: "1.33"' };

  test('what the release rejects is an error with its message', async () => {
    const { code, stdout } = await run(settings, 'check', auth);
    expect(code).toBe(1);
    expect(stdout).toContain(
      'no kind "AuthenticationConfiguration" is registered for version "apiserver.config.k8s.io/v1"',
    );
    expect(stdout).toContain('1.33 does not have v1, which was added in 1.34');
  });

  test('a flag wins over the file, even with the default value', async () => {
    expect((await check(settings, '--target-version', '1.34', auth)).code).toBe(0);
    expect((await check(settings, '--target-version', '1.37', auth)).code).toBe(0);
    expect((await check(settings, auth)).code).toBe(1);
  });

  test('other commands use it, too', async () => {
    const claims = { 'c.json': '{"iss":"https://issuer.example","sub":"jane"}' };
    const args = ['whoami', '--config', auth, '--claims', 'c.json'];
    expect((await run({ ...settings, ...claims }, ...args)).code).toBe(1);
    expect((await run({ ...settings, ...claims }, ...args, '--target-version', '1.37')).code).toBe(
      0,
    );
    expect((await run({ ...settings, ...claims, 'a/.authgraph.yaml': '' }, ...args)).code).toBe(0);
  });
});

describe('the API domain', () => {
  const k8s = { [auth]: configuration() };
  const platform = { [auth]: configuration('platform.io') };

  test.each<[Files, readonly string[], number, string]>([
    [k8s, [], 0, ''],
    [platform, [], 0, 'AG4024 information'],
    [platform, ['--api-domain', 'platform.io'], 0, ''],
    [platform, ['--api-domain', 'k8s.io'], 1, 'AG1007 error'],
    [k8s, ['--api-domain', 'platform.io'], 1, 'AG1007 error'],
    [{ ...platform, '.authgraph.yaml': 'apiDomain: k8s.io' }, [], 1, 'AG1007 error'],
    [{ ...platform, '.authgraph.yaml': 'apiDomain: platform.io' }, [], 0, ''],
    [
      { ...platform, '.authgraph.yaml': 'apiDomain: k8s.io' },
      ['--api-domain', 'platform.io'],
      0,
      '',
    ],
  ])('%j %j', async (files, flags, code, wanted) => {
    const shown = await check(files, ...flags, auth);
    const others = shown.found.filter((one) => !one.includes('AG4010'));
    expect(others).toEqual(wanted === '' ? [] : [`${auth} ${wanted}`]);
    expect(shown.code).toBe(code);
  });

  test('an unknown domain is refused', async () => {
    const { code, stderr } = await run(k8s, 'check', '--api-domain', 'x', auth);
    expect(code).toBe(2);
    expect(stderr).toContain('must be one of platform.io, k8s.io');
    expect(stderr).not.toContain('Did you mean');
  });
});

describe('suppressions', () => {
  const suppression = (fields: string): string =>
    `suppressions: [{code: AG4010, reason: trusted issuer${fields}}]`;
  const with_ = (fields: string): Files => ({
    [auth]: configuration(),
    '.authgraph.yaml': suppression(fields),
  });

  test('the summary reports them, and the settings file', async () => {
    const { stderr, code } = await run(with_(', path: "jwt[0]"'), 'check', auth);
    expect(stderr).toBe('no problems in 1 file (1 suppressed, settings: .authgraph.yaml)\n');
    expect(code).toBe(0);
  });

  test.each<[string, readonly string[], readonly string[]]>([
    // Other files, which were not checked, may have the diagnostic.
    [', path: "jwt[7]"', [auth], [`${auth} AG4010 information`]],
    [
      `, path: "jwt[7]", files: ${auth}`,
      [auth],
      ['.authgraph.yaml AG3105 warning', `${auth} AG4010 information`],
    ],
    [`, files: "a/*/auth.yaml"`, [auth], []],
    [
      ', expires: 2020-01-01',
      [auth],
      ['.authgraph.yaml AG3106 warning', `${auth} AG4010 information`],
    ],
    [', expires: 2999-01-01', [auth], []],
  ])('%j', async (fields, args, wanted) => {
    expect((await check(with_(fields), ...args)).found).toEqual(wanted);
  });
});

describe('sample folders', () => {
  const files = {
    'old.yaml': configuration(),
    'conf/new.yaml': configuration()
      .replace('[app]', '[other]')
      .replace('prefix: ""', 'prefix: "x:"'),
    'conf/.authgraph.yaml': 'sampleFolders: [people, ../shared]\n',
    'conf/people/jane.json': '{"iss": "https://issuer.example", "sub": "jane"}',
    'shared/bob.claims.yaml': 'iss: https://issuer.example\nsub: bob\n',
  };

  test('diff reads them if no claims are given', async () => {
    const { code, stdout } = await run(files, 'diff', '-o', 'json', 'old.yaml', 'conf/new.yaml');
    expect(code).toBe(1);
    expect(JSON.parse(stdout).samples.map(({ name }: { name: string }) => name)).toEqual([
      'jane',
      'bob',
    ]);
  });

  test('claims on the command line replace them', async () => {
    const args = [
      'diff',
      '-o',
      'json',
      'old.yaml',
      'conf/new.yaml',
      '--claims',
      'shared/bob.claims.yaml',
    ];
    expect(JSON.parse((await run(files, ...args)).stdout).samples).toHaveLength(1);
  });

  test('a missing folder is an error', async () => {
    const { 'conf/people/jane.json': _, ...missing } = files;
    expect(await run(missing, 'diff', 'old.yaml', 'conf/new.yaml')).toMatchObject({
      code: 2,
      stderr:
        'error: conf/people is not a folder\n  It is in sampleFolders of conf/.authgraph.yaml.\n',
    });
  });

  test.each([['../../../outside'], ['linked']])(
    'INV-F1 a folder outside of the repository is an error: %s',
    async (folder) => {
      const { path } = temporaryFolder();
      const repository = join(path, 'repository');
      mkdirSync(join(repository, '.git'), { recursive: true });
      mkdirSync(join(path, 'outside'));
      symlinkSync(join(path, 'outside'), join(repository, 'linked'));
      const configured = join(repository, 'auth.yaml');
      const { code, stderr } = await run(
        {
          [configured]: configuration(),
          [join(repository, '.authgraph.yaml')]: `sampleFolders: [${folder}]`,
          [join(path, 'outside/a.json')]: '{"sub": "secret"}',
          [join(repository, 'linked/a.json')]: '{"sub": "secret"}',
        },
        'diff',
        configured,
        configured,
      );
      expect(code).toBe(2);
      expect(stderr).toContain(`sampleFolders: ${folder}: the path leaves`);
    },
  );
});

describe('mistakes in a settings file', () => {
  const files = {
    [auth]: configuration(),
    '.authgraph.yaml': 'target: "1.33"\nlints: {AG4010: off}\n',
  };

  test('are diagnostics of that file, and the valid settings apply', async () => {
    expect(await check(files, auth)).toMatchObject({
      code: 1,
      found: ['.authgraph.yaml AG3101 error'],
    });
    expect(await check(files, '.authgraph.yaml')).toMatchObject({
      code: 1,
      found: ['.authgraph.yaml AG3101 error'],
    });
  });

  test('end every other command before it uses the configuration', async () => {
    const { code, stdout, stderr } = await run(files, 'graph', auth);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe(
      'error: .authgraph.yaml:1:1: target: unknown setting\n  Fix the settings file; authgraph check .authgraph.yaml reports all mistakes.\n',
    );
  });

  test('a valid settings file can be checked alone, a missing one cannot', async () => {
    const { code, stderr } = await run({ 'x/.authgraph.yaml': '' }, 'check', 'x/.authgraph.yaml');
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: 'no problems in 1 file (settings: x/.authgraph.yaml)\n',
    });
    expect((await run({}, 'check', '.authgraph.yaml')).code).toBe(2);
  });

  test('a terminal never sees control characters of the file', async () => {
    const hostile = { [auth]: configuration(), '.authgraph.yaml': '"\\e]0;x\\a": 1\n' };
    const { stdout, stderr } = await run(hostile, 'check', auth);
    expect(stdout + stderr).not.toMatch(/[\u0007\u001b]/);
  });
});
