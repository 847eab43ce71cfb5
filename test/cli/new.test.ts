/** `authgraph new`: the files of every provider are valid, and their sample is accepted. */
import { describe, expect, test } from 'vitest';
import { providers } from '../../engine/src/providers/registry.ts';
import type { SettingForm } from '../../engine/src/providers/settings.ts';
import { runCaptured } from '../support/captured-io.ts';

test('lists the providers without an argument', async () => {
  const { code, stdout } = await runCaptured(['new']);
  expect(code).toBe(0);
  expect(stdout).toContain('keycloak');
  const { stdout: json } = await runCaptured(['new', '-o', 'json']);
  expect(JSON.parse(json).providers.map(({ id }: { id: string }) => id)).toEqual(
    providers.map(({ id }) => id),
  );
});

test.each(providers.map(({ id }) => id))(
  '%s: writes a valid configuration that accepts its sample',
  async (id) => {
    const { code, written, stdout } = await runCaptured(['new', id]);
    expect(code).toBe(0);
    const files = Object.fromEntries(written);
    expect(Object.keys(files)).toHaveLength(2);
    // The marks are removed as soon as the examples are replaced.
    const text = files['authentication.yaml'] ?? '';
    const edited = text.replaceAll(/ # CHANGE ME: .*/g, '');
    const check = await runCaptured(['check', 'authentication.yaml'], {
      files: { 'authentication.yaml': edited },
    });
    // Entra sends a link instead of many groups, whatever the configuration says.
    expect(check.stderr).toBe(
      id === 'entra' ? '1 information diagnostic in 1 file\n' : 'no problems in 1 file\n',
    );
    const [, command = ''] = /^ {2}authgraph (.*)$/m.exec(stdout) ?? [];
    const whoami = await runCaptured(command.split(' '), { files });
    expect(whoami.code).toBe(0);
    expect(whoami.stdout).toContain('accepted');
    expect(whoami.stdout).not.toContain('would be expired');
  },
);

test('check warns of each example value that is left, with its line', async () => {
  for (const { id } of providers) {
    const { written } = await runCaptured(['new', id]);
    const files = Object.fromEntries(written);
    const { code, stdout } = await runCaptured(['check', '-o', 'json', 'authentication.yaml'], {
      files,
    });
    const { diagnostics } = JSON.parse(stdout).files[0];
    const marked = (files['authentication.yaml'] ?? '')
      .split('\n')
      .flatMap((line, at) => (line.includes('# CHANGE ME: ') ? [at + 1] : []));
    expect(marked.length).toBeGreaterThan(0);
    const lines = diagnostics.flatMap(
      (one: { code: string; range: { start: { line: number } } }) =>
        one.code === 'AG4041' ? [one.range.start.line] : [],
    );
    expect([id, code, lines]).toEqual([id, 0, marked]);
  }
});

test('configurations in one folder have claims of their own', async () => {
  const dev = await runCaptured(['new', 'dex', '--out', 'dev.yaml']);
  expect([...dev.written.keys()]).toEqual(['dev.yaml', 'dev.claims.json']);
  expect(dev.stdout).toContain('authgraph whoami dev.yaml --claims dev.claims.json --explain');
  expect(dev.written.get('dev.yaml')).toContain('--claims dev.claims.json\n');
});

test('does not overwrite existing files', async () => {
  const files = { 'a/auth.yaml': 'mine' };
  const refused = await runCaptured(['new', 'okta', '--out', 'a/auth.yaml'], { files });
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('a/auth.yaml already exists');
  expect(refused.written.size).toBe(0);
  const forced = await runCaptured(['new', 'okta', '--out', 'a/auth.yaml', '--force'], { files });
  expect(forced.code).toBe(0);
  expect([...forced.written.keys()]).toEqual(['a/auth.yaml', 'a/auth.claims.json']);
});

test('suggests a provider for an unknown one', async () => {
  const { code, stderr } = await runCaptured(['new', 'octa']);
  expect(code).toBe(2);
  expect(stderr).toContain('unknown provider "octa"');
  expect(stderr).toContain('okta');
});

test('prints the configuration alone', async () => {
  const { code, stdout, stderr, written } = await runCaptured(['new', 'dex', '--out', '-']);
  expect([code, written.size]).toEqual([0, 0]);
  expect(stdout).toMatch(/^# Dex [\s\S]*\njwt:\n/);
  expect(stdout).not.toContain('Try it');
  expect(stderr).toMatch(/^ {2}connector +line \d+ +the ID of the connector/m);
});

describe('values to edit', () => {
  test('are marked in the file, and listed with their lines', async () => {
    const { stdout, written } = await runCaptured(['new', 'keycloak']);
    const lines = written.get('authentication.yaml')?.split('\n') ?? [];
    const marked = lines.flatMap((line, at) => (line.includes('# CHANGE ME: ') ? [at + 1] : []));
    const listed = [...stdout.matchAll(/^ {2}[\w-]+ +lines? ([\d, ]*\d) /gm)].flatMap(
      ([, some = '']) => some.split(', ').map(Number),
    );
    expect(marked.length).toBeGreaterThan(3);
    expect([...new Set(listed)].toSorted((a, b) => a - b)).toEqual(marked);
  });

  test.each(providers.map((provider) => [provider.id, provider] as const))(
    '%s: every key is in the file, and no mark remains once all are set',
    async (id, { settings }) => {
      const set = settings.flatMap(({ key, form }) => ['--set', `${key}=${ordinary[form]}`]);
      const { code, stdout } = await runCaptured(['new', id, ...set, '--out=-']);
      expect(code).toBe(0);
      for (const { form } of settings) expect(stdout).toContain(ordinary[form].split(',')[0]);
      expect(stdout).not.toContain('CHANGE ME');
      for (const { key, example, isCommon } of settings) {
        const { stdout: text } = await runCaptured(['new', id, '--out=-']);
        expect(text).toContain(example.split(',')[0]);
        if (isCommon !== true) expect(text).toMatch(new RegExp(`# CHANGE ME: .*\\b${key}, `));
      }
    },
  );

  test('as JSON', async () => {
    const { stdout } = await runCaptured(['new', 'spiffe', '-o', 'json', '--set', 'audience=a']);
    expect(JSON.parse(stdout)).toMatchObject({
      files: ['authentication.yaml', 'web.claims.json'],
      edit: [
        { key: 'issuer', lines: [9] },
        { key: 'trust-domain', lines: [13] },
      ],
    });
  });
});

const ordinary: Readonly<Record<SettingForm, string>> = {
  url: 'https://issuer.test/a',
  host: 'host.test',
  domain: 'names.test',
  segment: 'segment-1',
  text: 'some text',
  list: 'first,second',
};

describe('--set with hostile values', () => {
  const texts = [
    ...[
      `'; "\\ # {x}: [a]`,
      '- a',
      '---',
      '...',
      'true',
      'null',
      '~',
      '1e3',
      '0x10',
      '0o7',
      '1:30',
    ],
    ...[
      '*x',
      '&a b',
      '!!int 1',
      '%TAG',
      '@x',
      '`x`',
      'a: b',
      'a:',
      'a #b',
      '#',
      '<<',
      '=',
      '|',
      '>-',
    ],
    ...[
      '?',
      ',',
      '{}',
      "' + claims.x + '",
      "\\'",
      '\\',
      '"',
      "''",
      '$x',
      '__proto__',
      '2001-01-01',
    ],
    ...['Jürgen 👍', '# CHANGE ME: audience', 'x'.repeat(256)],
  ];
  // Dex has two free texts and an expression with one; each of the others gets a part of the list.
  const someTexts = (id: string, index: number): readonly string[] =>
    texts.filter((_, at) => id === 'dex' || at === 0 || at % providers.length === index);
  test.each(providers.map(({ id, settings }, at) => [id, settings, someTexts(id, at)] as const))(
    '%s: the files are valid, and their sample is accepted',
    async (id, settings, some) => {
      for (const text of some) {
        // No comment is left, also if a value looks like one.
        const set = settings.flatMap(({ key, form, example }) => {
          if (form === 'text') return ['--set', `${key}=${text}`];
          const item = text.replaceAll(',', '').slice(0, 200);
          const isHostile = form === 'list' && item !== '';
          return ['--set', `${key}=${isHostile ? `${item},other` : example}`];
        });
        const { code, stderr, written } = await runCaptured(['new', id, ...set]);
        expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
        const files = Object.fromEntries(written);
        const check = await runCaptured(['check', '-o', 'json', 'authentication.yaml'], { files });
        const [report] = JSON.parse(check.stdout).files;
        const codes: readonly string[] = report.diagnostics.map(
          (one: { readonly code: string }) => one.code,
        );
        // Entra sends a link instead of many groups, whatever the configuration says.
        expect(codes, text).toEqual(id === 'entra' ? ['AG4034'] : []);
        const claims = Object.keys(files).find((name) => name.endsWith('.claims.json')) ?? '';
        const whoami = await runCaptured(
          ['whoami', 'authentication.yaml', '--claims', claims, '--strict'],
          { files },
        );
        expect(whoami.code, `${text}\n${whoami.stdout}`).toBe(0);
      }
    },
  );
});

test.each<[string, string, string]>([
  ['nope=1', 'unknown key', 'Keys: url (the address of your Keycloak server, without /realms)'],
  ['realm', 'must be KEY=VALUE', ''],
  ['realm=', 'realm must not be empty', ''],
  ['realm= a', 'start or end with a space', ''],
  ['realm=a/b', 'realm must consist of letters, digits', ''],
  ['url=http://a.example', 'url must be an https URL', ''],
  ['url=https://a.example/?x', 'url must be an https URL', ''],
  ['url=https://u@a.example/', 'url must be an https URL', ''],
  ['audience=a,,b', 'audience must be a list', ''],
  ['audience=a\nb: c', 'invisible characters', ''],
  ['audience=a\u202eb', 'invisible characters', ''],
  [`audience=${'a'.repeat(300)}`, 'at most 256 characters', ''],
  ['extra-domain=x.kubernetes.io', 'reserved for Kubernetes', ''],
  ['extra-domain=Example.com', 'must be a domain', ''],
])('--set %j is rejected', async (argument, why, help) => {
  const { code, stderr, written } = await runCaptured(['new', 'keycloak', '--set', argument]);
  expect([code, written.size]).toEqual([2, 0]);
  expect(stderr).toContain(why);
  expect(stderr).toContain(help);
});

test('--set needs a provider, and a key is set once', async () => {
  expect((await runCaptured(['new', '--set', 'a=b'])).stderr).toContain(
    '--set requires a provider',
  );
  const twice = await runCaptured(['new', 'okta', '--set=audience=a', '--set=audience=b']);
  expect(twice.stderr).toContain('audience is already set');
});
