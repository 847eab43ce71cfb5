import { describe, expect, test } from 'vitest';
import { runCaptured } from '../support/captured-io.ts';
import { schemaErrors } from '../support/json-schema.ts';

const good = `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer:
    url: https://issuer.example
    audiences: [app]
  claimMappings:
    username: {claim: sub, prefix: "i:"}
  userValidationRules:
  - expression: "!user.username.startsWith('system:')"
`;
const bad = good
  .replace('https:', 'http:')
  .replace('claim: sub', 'claim: sub, shoe: 1')
  .replace('[app]', '[app, app]');
/** A configuration that compiles and rejects every token. */
const trap = good.replace(
  '    username:',
  `    groups: {expression: 'claims.roles.split(",")'}\n    username:`,
);
const files = { 'good.yaml': good, 'bad.yaml': bad, 'trap.yaml': trap, '-': bad };

const check = (...args: readonly string[]) => runCaptured(['check', ...args], { files });

describe('exit status', () => {
  test.each([
    [['good.yaml'], 0],
    [['bad.yaml'], 1],
    [['good.yaml', 'bad.yaml'], 1],
    [['trap.yaml'], 0],
    [['--fail-on', 'warning', 'trap.yaml'], 1],
    [['--fail-on=warning', 'good.yaml'], 0],
    [['missing.yaml'], 2],
    [['good.yaml', 'missing.yaml'], 2],
    [['-'], 1],
    [[], 2],
    [['--nope', 'good.yaml'], 2],
    [['--output', 'xml', 'good.yaml'], 2],
    [['--target-version', '2.0', 'good.yaml'], 2],
    [['--help'], 0],
  ])('%j exits with %i', async (args, code) => {
    expect((await check(...args)).code).toBe(code);
  });
});

test('reports every problem in one run, sorted by position', async () => {
  const { stdout, stderr } = await check('bad.yaml');
  const places = [...stdout.matchAll(/--> bad\.yaml:(\d+):(\d+)/g)].map((match) =>
    Number(match[1]),
  );
  expect(places.length).toBeGreaterThanOrEqual(3);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(stdout).toContain('URL scheme must be https');
  expect(stdout).toContain('shoe');
  expect(stdout).toMatch(/\n5 \| {5}url: http:\/\/issuer\.example\n {2}\| {10}\^{21}\n/);
  expect(stderr).toMatch(
    /^\d+ errors(, \d+ warnings?)? in 1 file; \d of \d problems can be fixed with --fix\n$/,
  );
});

test('checks the other files if one cannot be read', async () => {
  const { stdout, stderr } = await check('missing.yaml', 'bad.yaml');
  expect(stderr).toContain('error: open missing.yaml: no such file or directory\n');
  expect(stdout).toContain('bad.yaml:5:10');
});

test('reports a valid file on standard error', async () => {
  expect(await check('good.yaml')).toMatchObject({ stdout: '', stderr: 'no problems in 1 file\n' });
  expect((await check('--quiet', 'good.yaml')).stderr).toBe('');
});

test('JSON matches its schema', async () => {
  const { stdout } = await check('--output=json', 'bad.yaml', 'good.yaml', 'trap.yaml');
  const report = JSON.parse(stdout);
  expect(schemaErrors('check.v1', report)).toEqual([]);
  expect(report.files.map(({ file }: { file: string }) => file)).toEqual([
    'bad.yaml',
    'good.yaml',
    'trap.yaml',
  ]);
  expect(report.files[1].diagnostics).toEqual([]);
  expect(report.summary.errors).toBeGreaterThanOrEqual(3);
  expect(report.summary.warnings).toBeGreaterThanOrEqual(1);
});

test('SARIF describes every code that it uses', async () => {
  const { stdout } = await check('-o', 'sarif', 'bad.yaml', 'trap.yaml');
  const [run] = JSON.parse(stdout).runs;
  expect(run.results.length).toBeGreaterThanOrEqual(4);
  const { rules } = run.tool.driver;
  for (const rule of rules) {
    expect(rule.shortDescription.text).not.toBe(rule.name);
    expect(rule.fullDescription.text).toBe(rule.shortDescription.text);
    expect(rule.help.text).toContain(`authgraph explain ${rule.id}`);
    expect(rule.help.markdown).toMatch(new RegExp(`^# ${rule.id} [^]*## How to fix it`));
  }
  for (const { ruleId, ruleIndex } of run.results) expect(rules[ruleIndex].id).toBe(ruleId);
});

test('SARIF of a file that cannot be read is not successful', async () => {
  const { code, stdout } = await check('-o', 'sarif', 'missing.yaml', 'good.yaml');
  expect(code).toBe(2);
  const [{ invocations, results }] = JSON.parse(stdout).runs;
  expect(results).toEqual([]);
  expect(invocations).toEqual([
    {
      executionSuccessful: false,
      toolExecutionNotifications: [
        expect.objectContaining({
          message: { text: 'open missing.yaml: no such file or directory' },
        }),
      ],
    },
  ]);
});

test('prints one GitHub annotation per line', async () => {
  const { stdout } = await check('--output', 'github', '-');
  for (const line of stdout.trimEnd().split('\n'))
    expect(line).toMatch(/^::(error|warning|notice) file=standard-input,line=\d+,.*title=AG\d{4} /);
});

describe('color', () => {
  const run = (args: readonly string[], terminal: boolean, variables = {}) =>
    runCaptured(['check', 'bad.yaml', ...args], {
      files,
      variables,
      ...(terminal ? { terminal: { columns: 100 } } : {}),
    });
  test.each([
    [[], false, {}, false],
    [[], true, {}, true],
    [[], true, { NO_COLOR: '1' }, false],
    [[], true, { NO_COLOR: '' }, true],
    [[], true, { TERM: 'dumb' }, false],
    [['--color=always'], false, { NO_COLOR: '1' }, true],
    [['--color=never'], true, {}, false],
  ])('%j on a terminal: %s, %j', async (args, terminal, variables, colored) => {
    const { stdout } = await run(args, terminal, variables);
    expect(stdout.includes('\u001b[')).toBe(colored);
  });
});

test('shows progress for many files on a terminal and clears the line at the end', async () => {
  const names = Array.from({ length: 25 }, (_, at) => `${at}.yaml`);
  const many = Object.fromEntries(names.map((name) => [name, good]));
  const { stderr } = await runCaptured(['check', ...names], {
    files: many,
    terminal: { columns: 80 },
  });
  expect(stderr).toContain('\rchecking 25 of 25');
  expect(stderr).toMatch(/\r\u001b\[K[^\r]*no problems in 25 files/);
});

test('emulates an older release', async () => {
  const v1 = await check('--target-version', '1.33', 'good.yaml');
  expect(v1.stdout).toContain('1.33');
});

test('reads standard input once', async () => {
  const { code, stderr } = await runCaptured(['check', '-', '-'], { files: { '-': '' } });
  expect(code).toBe(2);
  expect(stderr).toContain('error: only one file can be standard input\n');
});

test('reports that standard input was empty, and how to use it', async () => {
  for (const [input, code] of [
    ['', 'AG1005'],
    [' \n', 'AG1006'],
  ] as const) {
    const checked = await runCaptured(['check', '-'], { files: { '-': input } });
    expect([checked.code, checked.stdout.split(' ')[0]]).toEqual([1, `error[${code}]`]);
    expect(checked.stderr).toBe(
      'note: standard input was empty; pipe a configuration into the command: kustomize build . | authgraph check -\n1 error in 1 file\n',
    );
  }
  const file = await runCaptured(['check', 'a.yaml'], { files: { 'a.yaml': '' } });
  expect(file.stderr).toBe('1 error in 1 file\n');
});

test('counts nothing for a missing file', async () => {
  const { code, stderr } = await runCaptured(['check', '/nonexistent']);
  expect(code).toBe(2);
  expect(stderr).toBe('error: open /nonexistent: no such file or directory\n');
});
