/** `authgraph mutate`: the score, surviving mutants with their tokens, and results of earlier runs. */
import { expect, test } from 'vitest';
import { type CapturedRun, runCaptured } from '../support/captured-io.ts';

const configuration = `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer:
    url: https://a.example
    audiences: [app]
  claimMappings:
    username: { claim: sub, prefix: "a:" }
  claimValidationRules:
  - claim: hd
    requiredValue: x
`;
const weak = `configuration: auth.yaml
base: { claims: { iss: https://a.example, aud: app, sub: jane, hd: x } }
tests:
- name: jane
  expect: { user: "a:jane" }
`;
const strong = `${weak}- name: rejected
  expect: { rejected: true }
  rows:
  - { claims: { hd: z } }
  - { claims: { hd: xyz } }
  - { claims: { aud: [other] } }
  - { sign: { key: unknown } }
`;

const run = (
  tests: string,
  flags: readonly string[] = [],
  more: Readonly<Record<string, string>> = {},
): Promise<CapturedRun> =>
  runCaptured(['mutate', 'auth.authtest.yaml', ...flags], {
    files: { 'auth.yaml': configuration, 'auth.authtest.yaml': tests, ...more },
  });

test('mutants that no case notices are shown with the token that they let in', async () => {
  const { code, stdout } = await run(weak);
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^auth\.yaml: mutation score \d\d\.\d%, \d+ of \d+ mutants killed by 1 case\n/,
  );
  expect(
    stdout,
  ).toContain(`survived  auth.yaml:10:5  jwt[0].claimValidationRules[0]: RequiredValue: hd only has to start with x
  - - claim: hd
  -   requiredValue: x
  + - {"expression": "claims[\\"hd\\"].startsWith(\\"x\\")"}
  This token would be accepted: {"iss":"https://a.example","hd":"xx","aud":"app","sub":"x"}
    Username  a:x
    Groups    system:authenticated
`);
});

test('cases that notice every mutant', async () => {
  const { code, stdout } = await run(strong, ['--fail-under', '100']);
  expect(stdout).toContain('mutation score 100.0%');
  expect(code).toBe(0);
});

const anonymous = `${configuration}anonymous:
  enabled: true
  conditions:
  - path: /livez
  - path: /readyz
`;
const healthChecks = anonymous.replace(/jwt:.*(?=anonymous:)/s, '');
const requests = `configuration: auth.yaml
tests:
- name: health checks
  expect: { user: "system:anonymous" }
  rows:
  - { request: { path: /livez } }
  - { request: { path: /readyz } }
- name: other paths
  expect: { rejected: true }
  rows:
  - { request: { path: /api } }
`;

test('mutants of the anonymous section are shown with a request', async () => {
  const { stdout } = await run(strong, [], { 'auth.yaml': anonymous });
  expect(
    stdout,
  ).toContain(`no coverage  auth.yaml:13:3  anonymous.conditions: Anonymous: anonymous requests are accepted on every path
  - enabled: true
  - conditions:
  - - path: /livez
  - - path: /readyz
  + {"enabled":true}
  This request without a credential would be accepted: {"path":"/"}
    Username  system:anonymous
    Groups    system:unauthenticated
`);
  expect(stdout).toContain(
    'This request without a credential would be rejected: {"path":"/readyz"}\n',
  );
  expect((await run(requests, [], { 'auth.yaml': healthChecks })).stdout).toContain(
    'mutation score 100.0%, 4 of 4 mutants killed',
  );
  const some = requests.replace('  - { request: { path: /readyz } }\n', '');
  expect((await run(some, [], { 'auth.yaml': healthChecks })).stdout).toContain(
    'survived  auth.yaml:4:3  anonymous.conditions[1]: Anonymous: anonymous requests for /readyz are rejected\n',
  );
});

test('a request that shows a mutant is in the file of results and in JSON', async () => {
  const flags = ['--incremental-file', 'results.json', '-o', 'json'];
  const first = await run(strong, flags, { 'auth.yaml': anonymous });
  const stored = first.written.get('results.json') ?? '';
  expect(stored).toContain('"path": "/readyz"');
  const more = { 'auth.yaml': anonymous, 'results.json': stored };
  const again = await run(strong, flags, more);
  expect(JSON.parse(again.stdout)).toEqual(JSON.parse(first.stdout));
  expect(first.stdout).toContain('access lost: {\\"path\\":\\"/readyz\\"}');
});

test('--fail-under fails below the score', async () => {
  const { code, stderr } = await run(weak, ['--fail-under', '90']);
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /error: the mutation score is [\d.]+%, which is less than --fail-under 90/,
  );
});

interface Report {
  readonly schemaVersion: string;
  readonly files: Readonly<
    Record<
      string,
      { readonly source: string; readonly mutants: readonly Record<string, unknown>[] }
    >
  >;
  readonly testFiles: Readonly<
    Record<string, { readonly tests: readonly { readonly id: string }[] }>
  >;
}

test('json is a report of Stryker', async () => {
  const { stdout } = await run(strong, ['-o', 'json']);
  const report: Report = JSON.parse(stdout);
  expect(report.schemaVersion).toBe('2');
  const { source = '', mutants = [] } = report.files['auth.yaml'] ?? {};
  expect(source).toBe(configuration);
  const tests = report.testFiles['auth.authtest.yaml']?.tests.map(({ id }) => id) ?? [];
  expect(tests).toHaveLength(5);
  for (const mutant of mutants) {
    expect(Object.keys(mutant)).toEqual(
      expect.arrayContaining(['id', 'mutatorName', 'location', 'status']),
    );
    expect(mutant.status).toBe('Killed');
    expect(tests).toContain((mutant.killedBy as readonly string[])[0]);
  }
  expect(mutants.find(({ mutatorName }) => mutatorName === 'RequiredValue')).toMatchObject({
    location: { start: { line: 10, column: 5 }, end: { line: 11, column: 21 } },
  });
});

test('results of an earlier run are used until the configuration or a case changes', async () => {
  const flags = ['--incremental-file', 'results.json'];
  const first = await run(weak, flags);
  const stored = first.written.get('results.json') ?? '';
  const data: { results: Record<string, { status: string }> } = JSON.parse(stored);
  // Results that no run would give show whether they are used.
  for (const result of Object.values(data.results)) result.status = 'Killed';
  const planted = { 'results.json': JSON.stringify(data) };
  expect((await run(weak, flags, planted)).stdout).toContain('mutation score 100.0%');
  const changed = weak.replace('sub: jane', 'sub: joe').replace('a:jane', 'a:joe');
  const again = await run(changed, flags, planted);
  expect(again.stdout).not.toContain('mutation score 100.0%');
  expect(again.written.get('results.json')).not.toContain(Object.keys(data.results)[0] ?? '');
});

test('results of an earlier run are not used if a file of a case has changed', async () => {
  const tests = `objects: [namespace.yaml]\n${weak}`;
  const object = 'apiVersion: v1\nkind: Namespace\nmetadata: { name: one }\n';
  const flags = ['--incremental-file', 'results.json'];
  const first = await run(tests, flags, { 'namespace.yaml': object });
  const data: { results: object } = JSON.parse(first.written.get('results.json') ?? '');
  const again = await run(tests, flags, { 'namespace.yaml': object.replace('one', 'two') });
  const text = again.written.get('results.json') ?? '';
  expect(JSON.parse(text)).toMatchObject({ version: 1 });
  expect(text).not.toContain(Object.keys(data.results)[0]);
});

test.each([
  '',
  'no JSON',
  '[]',
  '{"version":2}',
  '{"version":1,"results":{"a":7,"b":{"status":"?"}}}',
])('a file of results that cannot be used is written again: %j', async (text) => {
  const { written, stdout } = await run(weak, ['--incremental-file', 'results.json'], {
    'results.json': text,
  });
  expect(stdout).toContain('survived');
  expect(JSON.parse(written.get('results.json') ?? '')).toMatchObject({ version: 1 });
});

test('cases that fail without a change end the command', async () => {
  const { code, stderr } = await run(weak.replace('"a:jane"', '"a:joe"'));
  expect(code).toBe(2);
  expect(stderr).toContain('error: auth.authtest.yaml: a case fails without any change: jane');
});

test('a test file with a mistake ends the command', async () => {
  const { code, stderr } = await run('configuration: other.yaml\ntests: []\n');
  expect(code).toBe(2);
  expect(stderr).toContain('error: no mutant was run');
});
