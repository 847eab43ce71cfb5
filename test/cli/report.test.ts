/** `authgraph report`: one page with the results of the other commands, and what each part shows. */
import { createHash } from 'node:crypto';
import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type CapturedRun, runCaptured } from '../support/captured-io.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const configuration = `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer: { url: https://a.example, audiences: [app] }
  claimMappings:
    username: { claim: sub, prefix: 'a:' }
    groups: { claim: groups, prefix: '' }
  claimValidationRules:
  - expression: claims.hd == "x"
`;
const tests = `configuration: auth.yaml
base: { claims: { iss: https://a.example, aud: app, sub: jane, hd: x, groups: [dev] } }
tests:
- name: jane
  expect: { user: "a:jane" }
- name: another company
  claims: { hd: y }
  expect: { rejected: AG5019 }
`;
const failing = `${tests}- name: expected to be bob
  expect: { user: "a:bob" }
`;
const files = {
  'cluster/auth.yaml': configuration,
  'cluster/auth.authtest.yaml': tests,
  'cluster/broken.yaml': configuration.replace('https', 'http'),
  'cluster/broken.authtest.yaml': 'tests: [{ name: a, expect: { rejected: true } }]',
  'cluster/other.yaml': configuration,
  'cluster/other.authtest.yaml': 'tests: [{ name: another, expect: { rejected: true } }]',
  'cluster/.authgraph.yaml': 'sampleFolders: [people]\n',
  'cluster/people/bob.claims.json':
    '{"iss": "https://a.example", "aud": "b", "sub": "bob", "hd": "x"}',
};

const run = (
  flags: readonly string[] = [],
  more: Readonly<Record<string, string>> = {},
): Promise<CapturedRun> =>
  runCaptured(['report', 'cluster/auth.yaml', ...flags], {
    files: { ...files, ...more },
    revisions: { 'HEAD:cluster/auth.yaml': configuration.replace("'a:'", "'b:'") },
  });

/** Returns the text of the part of the page below a heading, without its markup. */
const partOf = (html: string, id: string): string => {
  const [, part = ''] =
    new RegExp(
      `<section aria-labelledby="${id}">([\\s\\S]*?)\\n</section>\\n(?:<section aria|</main>)`,
    ).exec(html) ?? [];
  return textOf(part);
};

const textOf = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll(/\s+/g, ' ');

test('has the results of check, test and coverage, the graph, and the user of each sample and case', async () => {
  const { code, stdout, stderr } = await run();
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect([...stdout.matchAll(/<h2 id="([a-z]+)">/g)].map(([, id]) => id)).toEqual([
    'findings',
    'graph',
    'identities',
    'tests',
    'coverage',
  ]);
  expect(partOf(stdout, 'findings')).toContain('AG4026 system-groups');
  expect(partOf(stdout, 'findings')).toContain('Example: {"iss":"https://a.example"');
  expect(stdout).toContain(
    '<svg xmlns="http://www.w3.org/2000/svg" class="authgraph across" role="img"',
  );
  const identities = partOf(stdout, 'identities');
  expect(identities).toContain('bob sample accepted by jwt[0] Username: a:bob');
  expect(identities).toContain('Not enforced: aud is "b"; a token requires one of ["app"]');
  expect(identities).toContain(
    'jane cluster/auth.authtest.yaml:4:3 accepted by jwt[0] Username: a:jane',
  );
  expect(identities).toContain('rejected rejected with AG5019 by jwt[0].claimValidationRules[0]');
  expect(partOf(stdout, 'tests')).toContain('cluster/auth.authtest.yaml 2 0');
  expect(partOf(stdout, 'coverage')).toContain('no case is rejected for AG5009');
});

test('the summary has one line per part, and links to it', async () => {
  const { stdout } = await run(['--base', 'HEAD:cluster/auth.yaml', '--mutate']);
  const summary = textOf(stdout.slice(stdout.indexOf('<table>'), stdout.indexOf('</table>')));
  expect(summary).toContain('Findings ! 1 warning');
  expect(summary).toContain(
    'Access difference ✓ proved: no one gains access ✓ proved: no one loses access ✗ found: someone who keeps access gets another identity',
  );
  expect(summary).toContain('Identities 2 accepted, 1 rejected');
  expect(summary).toContain('Tests ✓ 2 passed');
  expect(summary).toMatch(/Coverage ! \d+\.\d% \(\d+ of \d+\) of all outcomes are covered/);
  expect(summary).toMatch(/Mutation testing ! mutation score \d+\.\d%/);
  for (const [, id = ''] of stdout.matchAll(/href="#([^"]+)"/g))
    expect(stdout).toContain(` id="${id}"`);
});

test('ids are unique', async () => {
  const { stdout } = await run(['--base', 'HEAD:cluster/auth.yaml', '--mutate']);
  const ids = Array.from(stdout.matchAll(/ id="([^"]+)"/g), ([, id]) => id);
  expect(ids).toEqual([...new Set(ids)]);
});

test.each([
  ['findings', 'finding-', ['--mutate'], 'AG4026 system-groups', tests],
  ['undetected changes', 'mutant-', ['--mutate'], 'not noticed', tests],
  ['failed cases', 'failed-', [], 'failed expected to be bob', failing],
  ['files that cannot be run', 'broken-', [], 'could not be run', `${tests}- nam: x\n`],
])('the accessible name of an article is its heading: %s', async (_, id, flags, content, cases) => {
  const { stdout } = await run(flags, { 'cluster/auth.authtest.yaml': cases });
  const articles = [...stdout.matchAll(/<article([^>]*)>\n<h3([^>]*)>[\s\S]*?<\/article>/g)];
  expect(articles).toHaveLength(stdout.split('<article').length - 1);
  expect(articles.map(([html]) => textOf(html)).join()).toContain(content);
  for (const [, attributes = '', heading = ''] of articles) {
    const [, name = ''] = / aria-labelledby="([^"]+)"/.exec(attributes) ?? [];
    expect(heading).toBe(` id="${name}"`);
  }
  expect(stdout).toContain(` aria-labelledby="${id}`);
});

describe('access difference', () => {
  test('has witnesses and the changes of the samples', async () => {
    const { code, stdout } = await run(['--base', 'HEAD:cluster/auth.yaml']);
    expect(code).toBe(0);
    const part = partOf(stdout, 'difference');
    expect(part).toContain('From HEAD:cluster/auth.yaml to cluster/auth.yaml');
    expect(part).toContain('Access changed, example 1: a token of https://a.example');
    expect(part).toContain('username b:bob becomes a:bob');
  });

  test('a base that cannot be read ends the command', async () => {
    const { code, stdout, stderr } = await run(['--base', 'HEAD:absent.yaml']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('HEAD:absent.yaml');
  });
});

describe('exit status 1', () => {
  test('a test fails: its differences and its path through the graph', async () => {
    const { code, stdout } = await run(['--mutate'], { 'cluster/auth.authtest.yaml': failing });
    expect(code).toBe(1);
    const part = partOf(stdout, 'tests');
    expect(part).toContain('failed expected to be bob cluster/auth.authtest.yaml:9:3');
    expect(part).toContain('username "a:bob" "a:jane"');
    expect(part).toContain('The path through the graph jwt[0] cluster/auth.yaml:4:3');
    expect(partOf(stdout, 'mutation')).toContain('None. A test fails without any change.');
  });

  test('a test file cannot be run', async () => {
    const { code, stdout } = await run([], { 'cluster/auth.authtest.yaml': `${tests}- nam: x\n` });
    expect(code).toBe(1);
    expect(partOf(stdout, 'tests')).toContain('cluster/auth.authtest.yaml could not be run');
  });

  test('the configuration has errors: they are shown, and nothing else is decided', async () => {
    const { code, stdout } = await run(['--base', 'HEAD:cluster/auth.yaml', '--mutate'], {
      'cluster/auth.yaml': configuration.replace('https', 'http'),
    });
    expect(code).toBe(1);
    expect(partOf(stdout, 'findings')).toContain('URL scheme must be https');
    for (const part of ['difference', 'graph', 'tests', 'coverage', 'mutation'])
      expect(partOf(stdout, part)).toContain('None. The configuration has errors.');
  });
});

test('suppressions and levels of the settings file apply', async () => {
  const { stdout } = await run([], {
    'cluster/.authgraph.yaml':
      'suppressions: [{ code: AG4026, reason: the directory has no such groups }]\n',
  });
  expect(partOf(stdout, 'findings')).toContain('There are no problems.');
});

test('without tests and samples the page says so', async () => {
  const { code, stdout } = await runCaptured(['report', 'auth.yaml', '--mutate'], {
    files: { 'auth.yaml': configuration },
  });
  expect(code).toBe(0);
  for (const part of ['tests', 'coverage', 'mutation'])
    expect(partOf(stdout, part)).toContain('None. No test file has cases for this configuration.');
  expect(partOf(stdout, 'identities')).toContain('There are no samples and no test cases.');
});

test('--tests and --claims choose the inputs', async () => {
  const { stdout } = await run(
    ['--tests', 'elsewhere/a.authtest.yaml', '--claims', 'ann.claims.json'],
    {
      'elsewhere/a.authtest.yaml': tests.replace('auth.yaml', '../cluster/auth.yaml'),
      'ann.claims.json': '{"iss": "https://a.example", "sub": "ann", "hd": "z"}',
    },
  );
  expect(partOf(stdout, 'tests')).toContain('elsewhere/a.authtest.yaml 2 0');
  expect(partOf(stdout, 'identities')).toMatch(/ann sample rejected rejected with AG5019/);
});

test.each([
  [
    'an artifact has no text',
    ['report', 'artifact.json'],
    'a report needs the text of a configuration',
  ],
  ['standard input', ['report', '-'], 'standard input cannot be used'],
  ['no file', ['report'], 'specify a configuration file'],
])('%s: status 2', async (_, args, message) => {
  const compiled = await runCaptured(['compile', 'auth.yaml', '--out', 'artifact.json'], {
    files: { 'auth.yaml': configuration },
  });
  const artifact = compiled.written.get('artifact.json') ?? '';
  const { code, stderr } = await runCaptured(args, { files: { 'artifact.json': artifact } });
  expect(code).toBe(2);
  expect(stderr).toContain(message);
});

describe('untrusted text', () => {
  const markup = `"><script>alert(1)</script><img src=x onerror=alert(1)>'<style>*{}</style>`;
  const token = `eyJhbGciOiJFUzI1NiJ9.${'a'.repeat(40)}.${'b'.repeat(40)}`;
  const hostile = {
    [`cluster/${markup.replaceAll('/', '∕')}.claims.json`]: JSON.stringify({
      iss: 'https://a.example',
      sub: `${markup}\u202e\u001b[31m`,
      hd: 'x',
      groups: [markup, token],
    }),
    'cluster/auth.yaml': configuration
      .replace('"x"', `"x" && claims.sub != '${markup.replaceAll("'", '')}'`)
      .replace('kind:', `# ${markup} ${token}\nkind:`),
    'cluster/auth.authtest.yaml': JSON.stringify({
      configuration: 'auth.yaml',
      tests: [
        {
          name: markup,
          claims: { iss: 'https://a.example', aud: 'app', sub: markup, hd: 'x', groups: [token] },
          expect: { user: markup },
        },
      ],
    }),
  };
  const sample = Object.keys(hostile)[0] ?? '';

  test('INV-F2 becomes no markup, and is visible', async () => {
    const { code, stdout } = await run(
      ['--base', 'HEAD:cluster/auth.yaml', '--claims', sample],
      hostile,
    );
    expect(code).toBe(1);
    expect(stdout).not.toMatch(/<(?:script|img)|[\u202e\u001b]/);
    expect(stdout.match(/<style>/g)).toHaveLength(2);
    expect(stdout).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  });

  test('INV-F2 tokens in claims, comments and tests are redacted', async () => {
    const { stdout } = await run(['--claims', sample], hostile);
    expect(stdout).not.toContain('eyJhbGciOiJFUzI1NiJ9');
    expect(stdout).toContain('[redacted]');
  });

  test('the content policy allows the two style sheets of the page and nothing else', async () => {
    const { stdout } = await run(['--claims', sample], hostile);
    const hashes = Array.from(
      stdout.matchAll(/<style>([\s\S]*?)<\/style>/g),
      ([, style = '']) => `'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    );
    expect(stdout).toContain(
      `content="default-src 'none'; style-src ${hashes.join(' ')}; base-uri 'none'; form-action 'none'"`,
    );
    expect(stdout).not.toMatch(/ style="| on[a-z]+="|(?:src|href)="[^#]/);
  });

  test('long lists are cut off', async () => {
    const rows = Array.from({ length: 1200 }, (_, at) => ({
      name: `case ${at}`,
      expect: { user: 'x' },
    }));
    const { stdout } = await run([], {
      'cluster/auth.authtest.yaml': JSON.stringify({ configuration: 'auth.yaml', tests: rows }),
    });
    expect(partOf(stdout, 'tests')).toContain('The other 200 are left out.');
    expect(partOf(stdout, 'identities')).toContain('The other 201 are left out.');
  });
});

test.each([
  [['report', 'a.yaml'], 'a.yaml'],
  [['report', 'a.yaml#one'], './a.yaml'],
  [['report', 'b.yaml', '--base', 'a.yaml'], 'a.yaml'],
  [['replay', 'log.jsonl', '--config', 'a.yaml'], 'log.jsonl'],
  [['diff', 'b.yaml', 'a.yaml', '--claims', 'c.json'], 'c.json'],
  [['test', 'a.authtest.yaml'], 'a.authtest.yaml'],
  [['compile', 'a.yaml'], 'a.yaml'],
])('the output is no input: %j', async (args, out) => {
  const { code, stderr, written } = await runCaptured([...args, '--out', out]);
  expect(stderr).toContain(`error: --out would replace the input ${out}\n`);
  expect({ code, written: written.size }).toEqual({ code: 2, written: 0 });
});

test('the output is no input by another name', async () => {
  const folder = temporaryFolder();
  const [path, link] = [join(folder.path, 'a.yaml'), join(folder.path, 'link.yaml')];
  writeFileSync(path, configuration);
  linkSync(path, link);
  const { code, written } = await runCaptured(['report', path, '--out', link], {
    files: { [path]: configuration },
  });
  expect({ code, written: written.size }).toEqual({ code: 2, written: 0 });
});

test('the output is not among the files of a folder that is read', async () => {
  const { path } = temporaryFolder();
  const clusters = join(path, 'clusters');
  mkdirSync(join(clusters, 'dev'), { recursive: true });
  symlinkSync(clusters, join(path, 'link'));
  const file = join(clusters, 'dev/auth.yaml');
  const run = (command: readonly string[], out: string) =>
    runCaptured([...command, '--out', out], { files: { [file]: configuration } });
  for (const out of [file, join(clusters, 'new.json'), join(path, 'link/dev/new.yml')])
    for (const command of [
      ['fleet', clusters],
      ['fleet', 'other', '--base', clusters],
      ['diff', clusters, clusters],
    ]) {
      const { code, stderr, written } = await run(command, out);
      expect(stderr).toContain(
        `error: --out would write ${out} among the input files of the folder ${clusters}; choose`,
      );
      expect({ code, written: written.size }).toEqual({ code: 2, written: 0 });
    }
  for (const out of [join(clusters, 'report.md'), join(path, 'clusters.json')])
    expect((await run(['fleet', clusters], out)).written.size).toBe(1);
});

test.each([
  [['fleet', '--out', 'fleet.json'], 'among the input files of the folder .;'],
  [['test', '--out', 'new.authtest.yaml'], 'among the input files of the folder .;'],
  [['test', '.', '--coverage', 'json', '--coverage-out', 'coverage.json'], undefined],
  [['mutate', '-o', 'json', '--out', 'mutation.json'], undefined],
])('a command that reads some files of a folder may write others: %j', async (args, error) => {
  const suite = 'configuration: auth.yaml\ntests: [{ name: none, expect: { rejected: true } }]\n';
  const { stderr, written } = await runCaptured(args, {
    files: {
      './auth.authtest.yaml': suite,
      'auth.authtest.yaml': suite,
      'auth.yaml': configuration,
    },
  });
  if (error === undefined) expect({ stderr, count: written.size }).toMatchObject({ count: 1 });
  else expect(stderr).toContain(error);
});
