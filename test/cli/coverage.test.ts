/** `authgraph test --coverage`: text, HTML, LCOV and JSON, and the least percentage. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { coverageHtml } from '../../engine/src/cli/coverage/coverage-html.ts';
import { coverageInFile } from '../../engine/src/cli/coverage/file-coverage.ts';
import { measureCoverage } from '../../engine/src/simulate/coverage/measure-coverage.ts';
import { type CapturedRun, runCaptured } from '../support/captured-io.ts';
import { compileText } from '../support/compile-text.ts';
import { schemaErrors } from '../support/json-schema.ts';

const configuration = `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer:
    url: https://a.example
    audiences: [app]
  claimMappings:
    username: { claim: sub, prefix: "a:" }
  claimValidationRules:
  - expression: claims.hd == "x" || claims.hd == "y"
`;
const tests = `configuration: auth.yaml
base: { claims: { iss: https://a.example, aud: app, sub: jane, hd: x } }
tests:
- name: jane
  expect: { user: "a:jane" }
- name: another company
  claims: { hd: z }
  expect: { rejected: AG5019 }
`;
const unknownKey = `- name: signed by another key
  sign: { key: unknown }
  expect: { rejected: AG5006 }
`;
const files = { 'auth.yaml': configuration, 'auth.authtest.yaml': tests };

const run = (...flags: readonly string[]): Promise<CapturedRun> =>
  runCaptured(['test', 'auth.authtest.yaml', ...flags], { files });

test('text names what is covered, and where something is not', async () => {
  const { code, stdout } = await run('--coverage', 'text');
  expect(code).toBe(0);
  expect(stdout).toContain(
    `auth.yaml: 75.0% (9 of 12) covered by 2 cases
  issuers                1 of 1
  audiences              1 of 1
  mappings               1 of 1
  rules                  2 of 2
  branches               3 of 4
  reasons for rejection  1 of 3
not covered:
`,
  );
  expect(stdout).toContain(
    '  auth.yaml:10:37  jwt[0].claimValidationRules[0]: no case makes the condition true: claims.hd == "y"\n',
  );
});

test('a token with an invalid signature covers nothing', async () => {
  const { stdout } = await runCaptured(['test', 'auth.authtest.yaml', '--coverage', 'text'], {
    files: { ...files, 'auth.authtest.yaml': tests + unknownKey },
  });
  expect(stdout).toContain('auth.yaml: 75.0% (9 of 12) covered by 3 cases');
});

test('--fail-under fails below the percentage, and not at it', async () => {
  expect(await run('--coverage', 'text', '--fail-under', '75')).toMatchObject({ code: 0 });
  const { code, stderr } = await run('--coverage', 'text', '--fail-under', '75.1');
  expect(code).toBe(1);
  expect(stderr).toContain('error: coverage is 75.0%, which is less than --fail-under 75.1\n');
});

test('lcov is a tracefile', async () => {
  const { written } = await run('--coverage', 'lcov', '--coverage-out', 'lcov.info');
  const lines = written.get('lcov.info')?.split('\n') ?? [];
  expect(lines.slice(0, 3)).toEqual(['TN:', 'SF:auth.yaml', 'FN:5,jwt[0].issuer.url']);
  expect(lines).toContain('FNDA:2,jwt[0].claimValidationRules[0]');
  expect(lines).toContain('DA:10,2');
  const branches = lines.filter((line) => line.startsWith('BRDA:10,'));
  expect(branches.map((line) => line.split(',').at(-1))).toEqual([
    '1',
    '1',
    '1',
    '1',
    '1',
    '0',
    '1',
  ]);
  expect(lines).toContain('BRF:12');
  expect(lines).toContain('BRH:9');
  expect(lines.slice(-2)).toEqual(['end_of_record', '']);
});

test('json has its schema', async () => {
  const { written } = await run('--coverage', 'json', '--coverage-out', 'coverage.json');
  const data: unknown = JSON.parse(written.get('coverage.json') ?? '');
  expect(schemaErrors('coverage.v1', data)).toEqual([]);
  expect(data).toMatchObject({
    version: 1,
    total: { covered: 9, all: 12, percent: 75 },
    files: [{ file: 'auth.yaml', cases: 2, kinds: { branch: { covered: 3, all: 4 } } }],
  });
});

test('html shows the lines with what is missing', async () => {
  const { written } = await run('--coverage', 'html', '--coverage-out', 'coverage.html');
  const html = written.get('coverage.html') ?? '';
  expect(html).toContain('<mark>claims.hd == &quot;y&quot;</mark>');
  expect(html).toContain(
    'jwt[0].claimValidationRules[0]: no case makes the condition true: claims.hd == &quot;y&quot;',
  );
});

test('html escapes everything, and its policy allows its style sheet only', () => {
  const hostile = '"><script>alert(1)</script><img src=x onerror=alert(1)> & </mark>';
  const text = `${configuration.replace('"y"', `'${hostile}'`)}# ${hostile}\u202e\n`;
  const compilation = compileText(text);
  expect(compilation.graph).toBeDefined();
  const source = { ...compilation.document.source, uri: hostile };
  const html = coverageHtml([
    coverageInFile(source, measureCoverage(compilation, []), (span) => span),
  ]);
  // Tags of the page itself remain.
  expect(html.match(/<(?:script|img)/g)).toBeNull();
  expect(html).not.toContain('\u202e');
  const [, style = ''] = /<style>([\s\S]*)<\/style>/.exec(html) ?? [];
  const digest = createHash('sha256').update(style).digest('base64');
  expect(html).toContain(
    `content="default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'"`,
  );
  expect(html.match(/(?:src|href)="(?!#)/g)).toBeNull();
});

test.each([
  [['--coverage', 'html'], '--coverage html requires --coverage-out FILE'],
  [
    ['--coverage', 'text', '-o', 'json'],
    '--coverage text requires --coverage-out FILE if the results are',
  ],
  [['--fail-under', '90'], '--fail-under requires --coverage'],
  [['--coverage-out', 'x'], '--coverage-out requires --coverage'],
  [
    ['--coverage', 'text', '--fail-under', '101'],
    'the value of --fail-under must be a percentage from 0 to 100',
  ],
  [['--coverage', 'txt'], 'Did you mean text?'],
] as const)('%j: %s', async (flags, problem) => {
  const { code, stderr } = await run(...flags);
  expect(code).toBe(2);
  expect(stderr).toContain(problem);
});
