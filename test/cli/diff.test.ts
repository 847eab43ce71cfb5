/** `authgraph diff`: the effect of a change on samples, as text and as JSON. */
import { describe, expect, test } from 'vitest';
import { runCaptured } from '../support/captured-io.ts';
import { schemaErrors } from '../support/json-schema.ts';

const old = `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer: { url: https://a.example, audiences: [app] }
  claimMappings:
    username: { claim: sub, prefix: 'oidc:' }
    groups: { claim: groups, prefix: '' }
`;
const files = {
  'old.yaml': old,
  'renamed.yaml': old.replace("'oidc:'", "'corp:'"),
  'fewer.yaml': old.replace("{ claim: groups, prefix: '' }", '{ expression: "[]" }'),
  'admins.yaml': old.replace(
    "{ claim: groups, prefix: '' }",
    '{ expression: "claims.groups + [\'system:masters\']" }',
  ),
  'moved.yaml': old.replace('[app]', '[cluster]'),
  'strict.yaml': `${old}  claimValidationRules: [{ claim: hd, requiredValue: corp.example }]\n`,
  'bad.yaml': old.replace('https', 'http'),
  'people/jane.claims.json': '{"iss": "https://a.example", "sub": "jane", "groups": ["dev"]}',
  'bob.claims.yaml': 'iss: https://a.example\nsub: bob\nhd: corp.example\n',
  'ann.claims.json': '{"iss": "https://a.example", "sub": "ann", "aud": "app"}',
  'list.json': '[]',
};
const jane = ['--claims', 'people/jane.claims.json'];
const bob = ['--claims', 'bob.claims.yaml'];
const run = (...args: readonly string[]) => runCaptured(['diff', ...args], { files });

test('no change: status 0', async () => {
  expect(await run('old.yaml', 'old.yaml', ...jane, ...bob)).toMatchObject({
    code: 0,
    stdout: 'nothing changes for 2 samples\n',
    stderr: '',
  });
});

test('reports who loses access, and why', async () => {
  const { code, stdout } = await run('old.yaml', 'strict.yaml', ...jane, ...bob);
  expect(code).toBe(1);
  expect(
    stdout,
  ).toBe(`- loses  jane rejected by claimValidationRules[0]: required claim hd not present in ID token
    before: jane → oidc:jane · 2 groups
    can no longer log in as oidc:jane
1 of 2 samples loses access, 1 stays the same
`);
});

test('the new audience counts for samples that the old one accepted', async () => {
  const { code, stdout } = await run(
    'old.yaml',
    'moved.yaml',
    '--claims',
    'ann.claims.json',
    ...bob,
  );
  expect(code).toBe(1);
  expect(stdout).toContain('ann rejected by issuer.audiences: ');
  expect(stdout).toContain('expected audience "cluster" got ["app"]');
  expect(stdout).toContain('1 of 2 samples loses access, 1 stays the same\n');
});

test('reports that no sample has access any more', async () => {
  const { stdout } = await run('old.yaml', 'strict.yaml', ...jane);
  expect(stdout).toContain('the only sample that could log in before can no longer\n');
});

test('reports who gains access and whose identity changes', async () => {
  const gained = await run('strict.yaml', 'old.yaml', ...jane);
  expect(gained.stdout).toContain('+ gains  jane → oidc:jane · 2 groups\n');
  const renamed = await run('old.yaml', 'renamed.yaml', ...bob);
  expect(renamed.stdout).toContain('    username oidc:bob becomes corp:bob\n');
});

describe('the exit status', () => {
  test.each([
    ['any', 'renamed.yaml', 1],
    ['loses', 'renamed.yaml', 0],
    ['loses', 'strict.yaml', 1],
    ['never', 'strict.yaml', 0],
    ['gains', 'renamed.yaml', 1],
    ['gains', 'strict.yaml', 0],
    ['gains', 'fewer.yaml', 0],
    ['gains', 'admins.yaml', 1],
    ['loses', 'admins.yaml', 0],
  ])('--fail-on %s, %s: %i', async (failOn, changed, code) => {
    expect((await run('old.yaml', changed, ...jane, '--fail-on', failOn)).code).toBe(code);
  });
});

test('JSON matches its schema', async () => {
  const { stdout } = await run('old.yaml', 'strict.yaml', ...jane, '-o', 'json');
  const data = JSON.parse(stdout);
  expect(schemaErrors('diff.v2', data)).toEqual([]);
  expect(data).toMatchObject({ lockOut: expect.any(String), samples: [{ kind: 'loses' }] });
});

test('accepts an artifact and standard input', async () => {
  const { stdout: artifact } = await runCaptured(['compile', 'old.yaml'], { files });
  const given = { ...files, 'old.json': artifact, '-': files['renamed.yaml'] };
  const { code } = await runCaptured(['diff', 'old.json', '-', ...jane], { files: given });
  expect(code).toBe(1);
});

test.each([
  [['old.yaml'], 2, 'specify two configuration files'],
  [['-', '-', ...jane], 2, 'only one file can be standard input'],
  [['old.yaml', 'bad.yaml', ...jane], 2, 'error[AG1'],
  [['bad.yaml', 'old.yaml', ...jane, '--fail-on', 'never'], 2, 'error[AG1'],
  [
    ['old.yaml', 'old.yaml', '--claims', 'list.json'],
    2,
    'list.json:1:1: the claims must be a JSON object',
  ],
  [['old.yaml', 'gone.yaml', ...jane], 2, 'gone.yaml'],
])('%j: %i', async (args, code, stderr) => {
  const answer = await run(...args);
  expect(answer.code).toBe(code);
  expect(answer.stderr).toContain(stderr);
});

describe('without samples', () => {
  test('proves that a file that is written differently decides alike', async () => {
    const same = `${files['old.yaml']}\n# a comment\n`;
    const { code, stdout } = await runCaptured(['diff', 'old.yaml', 'same.yaml'], {
      files: { ...files, 'same.yaml': same },
    });
    expect(code).toBe(0);
    expect(stdout.match(/^proved: /gm)).toHaveLength(3);
  });

  test('shows a token that loses access, with the line that rejects it', async () => {
    const { code, stdout } = await run('old.yaml', 'strict.yaml');
    expect(code).toBe(1);
    expect(stdout).toContain('- access lost: a token with the claims {"iss":');
    expect(stdout).toMatch(/ {2}by strict\.yaml:\d+:\d+ {2}jwt\[0\]/);
    expect(stdout).toContain('proved: no one gains access\n');
  });

  test.each([
    ['loses', 'strict.yaml', 1],
    ['gains', 'strict.yaml', 0],
    ['never', 'strict.yaml', 0],
    ['gains', 'admins.yaml', 1],
    // Tokens without groups are rejected, which no sample shows.
    ['loses', 'admins.yaml', 1],
  ])('--fail-on %s, %s: %i', async (failOn, changed, code) => {
    expect((await run('old.yaml', changed, '--fail-on', failOn)).code).toBe(code);
  });

  test('exits with 1 for an undecided question only if a proof is required', async () => {
    const rule = "claims.sub.matches(claims.?a.orValue('x'))";
    const ruled = (expression: string) =>
      `${old}  claimValidationRules: [{ expression: "${expression}" }]\n`;
    const given = {
      files: {
        'one.yaml': ruled(rule),
        'other.yaml': ruled(`${rule} && !(claims.sub == 'zz' && !${rule})`),
      },
    };
    const args = ['diff', 'one.yaml', 'other.yaml', '--fail-on', 'loses'];
    const { code, stdout } = await runCaptured(args, given);
    expect(stdout).toContain('undecided: ');
    expect(code).toBe(0);
    expect((await runCaptured([...args, '--require-proof'], given)).code).toBe(1);
  });

  test('prints JSON of the schema', async () => {
    const { stdout } = await run('old.yaml', 'strict.yaml', '-o', 'json');
    const data = JSON.parse(stdout);
    expect(schemaErrors('diff.v2', data)).toEqual([]);
    expect(data).toMatchObject({
      samples: [],
      changes: [{ kind: 'lost', after: null }],
      proved: expect.arrayContaining(['gained']),
    });
    const both = JSON.parse(
      (await run('old.yaml', 'strict.yaml', ...jane, '--prove', '-o', 'json')).stdout,
    );
    expect(schemaErrors('diff.v2', both)).toEqual([]);
    expect(both).toMatchObject({ samples: [{ kind: 'loses' }], changes: [{ kind: 'lost' }] });
  });
});
