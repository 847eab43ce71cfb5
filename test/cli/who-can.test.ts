import { describe, expect, test } from 'vitest';
import { runCaptured } from '../support/captured-io.ts';
import { schemaErrors } from '../support/json-schema.ts';

const configuration = (prefix: string, more = '') => `
apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
anonymous: { enabled: false }
jwt:
- issuer: { url: https://issuer.example, audiences: [kubernetes] }
  claimMappings:
    username: { claim: sub, prefix: "staff:" }
    groups: { claim: groups, prefix: "${prefix}" }
${more}`;

const run = (args: readonly string[], text: string) =>
  runCaptured(['who-can', 'auth.yaml', ...args], { files: { 'auth.yaml': text } });

test('shows the claims, the user and the line that let a token in', async () => {
  const { code, stdout } = await run(['--group', 'system:masters'], configuration(''));
  expect(code).toBe(1);
  expect(stdout).toContain('"groups":"system:masters"');
  expect(stdout).toContain('auth.yaml:9:');
  expect(stdout).toContain('found: a request can be in the group "system:masters"');
});

test('proves that no token gets there', async () => {
  const { code, stdout } = await run(['--group', 'system:masters'], configuration('staff:'));
  expect([code, stdout]).toEqual([
    0,
    'proved: no token and no anonymous request can be in the group "system:masters"\n',
  ]);
});

describe('without an example and without a proof', () => {
  // A match of a pattern that depends on the claim itself is outside of what is proved.
  const text = configuration(
    'staff:',
    `  claimValidationRules:
  - expression: claims.sub.matches(claims.pattern) && !claims.sub.matches(claims.pattern)
`,
  );
  test.each([
    [['--username', 'staff:root'], 0],
    [['--username', 'staff:root', '--require-proof'], 1],
  ])('%j exits with %i', async (args, expected) => {
    const { code, stdout } = await run(args, text);
    expect(stdout).toContain('undecided: ');
    expect(stdout).toContain('  no proof: ');
    expect(code).toBe(expected);
  });
});

test.each([
  ['found', ['--username', 'staff:', '--prefix'], 'staff:'],
  ['proved', ['--username', 'root'], 'staff:'],
  ['found', ['--extra', 'example.com/team=a'], 'staff:'],
])('prints JSON of the schema: %s', async (answer, args, prefix) => {
  const extra = `    extra: [{ key: example.com/team, valueExpression: claims.team }]\n`;
  const { stdout } = await run([...args, '-o', 'json'], configuration(prefix, extra));
  const data = JSON.parse(stdout);
  expect(data.answer).toBe(answer);
  expect(schemaErrors('who-can.v1', data)).toEqual([]);
});

test.each([
  [[], 'specify one of --username, --group and --extra'],
  [['--username', 'a', '--group', 'b'], 'specify one of'],
  [['--extra', 'a'], 'specify --extra as KEY=VALUE'],
])('rejects %j', async (args, message) => {
  const { code, stderr } = await run(args, configuration(''));
  expect(code).toBe(2);
  expect(stderr).toContain(message);
});

test('escapes control characters of the claims and of the target', async () => {
  const { stdout } = await run(['--username', 'staff:a\u001b[31m'], configuration(''));
  expect(stdout).not.toContain('\u001b');
});
