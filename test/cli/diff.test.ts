/** `authgraph diff`: the effect of a change on all tokens, on samples and on a corpus, in each output format. */
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
  'same.yaml': `${old}\n# a comment\n`,
};
const jane = ['--claims', 'people/jane.claims.json'];
const bob = ['--claims', 'bob.claims.yaml'];
const run = (...args: readonly string[]) => runCaptured(['diff', ...args], { files });

test('no change: status 0', async () => {
  const { code, stdout, stderr } = await run('old.yaml', 'old.yaml', ...jane, ...bob);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout.match(/^proved: /gm)).toHaveLength(3);
  expect(stdout.endsWith('\n\nnothing changes for 2 samples\n')).toBe(true);
});

test('reports who loses access, and why', async () => {
  const { code, stdout } = await run('old.yaml', 'strict.yaml', ...jane, ...bob);
  expect(code).toBe(1);
  expect(
    stdout.startsWith(`- lost  jane rejected by claimValidationRules[0]: required claim hd not present in ID token
    before: jane → oidc:jane · 2 groups
    can no longer log in as oidc:jane

proved: no one gains access
`),
  ).toBe(true);
  expect(stdout.endsWith('\n1 of 2 samples loses access, 1 stays the same\n')).toBe(true);
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
  expect(gained.stdout).toContain('+ gained  jane → oidc:jane · 2 groups\n');
  const renamed = await run('old.yaml', 'renamed.yaml', ...bob);
  expect(renamed.stdout).toContain('    username oidc:bob becomes corp:bob\n');
});

/** Returns a configuration with a username and more mappings. */
const mapping = (more: string): string => `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer: {url: https://a.example, audiences: [a]}
  claimMappings: {username: {claim: sub, prefix: "a:"}${more}}
`;

describe('the exit status', () => {
  test.each([
    ['gain,lose,change', 'renamed.yaml', 1],
    ['lose', 'renamed.yaml', 0],
    ['gain', 'renamed.yaml', 0],
    ['change', 'renamed.yaml', 1],
    ['lose', 'strict.yaml', 1],
    ['gain,change', 'strict.yaml', 0],
    ['never', 'strict.yaml', 0],
    ['change', 'admins.yaml', 1],
    ['gain', 'admins.yaml', 0],
    // Tokens without groups are rejected, which no sample shows.
    ['lose', 'admins.yaml', 1],
    // Groups that are not strings were rejected.
    ['gain', 'fewer.yaml', 1],
  ])('--fail-on %s, %s: %i', async (failOn, changed, code) => {
    expect((await run('old.yaml', changed, ...jane, '--fail-on', failOn)).code).toBe(code);
    expect((await run('old.yaml', changed, '--fail-on', failOn)).code).toBe(code);
  });
});

test('JSON matches its schema', async () => {
  const { stdout } = await run('old.yaml', 'strict.yaml', ...jane, '-o', 'json');
  const data = JSON.parse(stdout);
  expect(schemaErrors('diff.v2', data)).toEqual([]);
  expect(data).toMatchObject({ lockOut: expect.any(String), samples: [{ kind: 'lost' }] });
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
  [['old.yaml', 'old.yaml', '--fail-on', 'gains'], 2, 'Did you mean gain?'],
  [['old.yaml', 'old.yaml', '--fail-on', 'never,gain'], 2, '--fail-on never cannot be combined'],
  [['old.yaml', 'old.yaml', '--require-proof', 'never'], 2, 'must be one of gain, lose, change'],
  [['old.yaml', '-', '--corpus', '-'], 2, 'only one file can be standard input'],
  [['old.yaml', 'old.yaml', '--corpus', 'gone.jsonl'], 2, 'gone.jsonl: no such file or directory'],
])('%j: %i', async (args, code, stderr) => {
  const answer = await run(...args);
  expect(answer.code).toBe(code);
  expect(answer.stderr).toContain(stderr);
});

describe('without samples', () => {
  test('proves that a file that is written differently decides alike', async () => {
    const { code, stdout } = await run('old.yaml', 'same.yaml', '-o', 'json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      changes: [],
      proved: ['gained', 'lost', 'changed'],
      undecided: [],
    });
  });

  test('shows a token that loses access, with the line that rejects it', async () => {
    const { code, stdout } = await run('old.yaml', 'strict.yaml');
    expect(code).toBe(1);
    expect(stdout).toContain('- access lost: a token with the claims {"iss":');
    expect(stdout).toMatch(/ {2}by strict\.yaml:\d+:\d+ {2}jwt\[0\]/);
    expect(stdout).toContain('proved: no one gains access\n');
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
    const args = ['diff', 'one.yaml', 'other.yaml', '--fail-on', 'lose'];
    const { code, stdout } = await runCaptured(args, given);
    expect(stdout).toContain('undecided: ');
    expect(code).toBe(0);
    expect((await runCaptured([...args, '--require-proof', 'lose'], given)).code).toBe(1);
    expect((await runCaptured([...args, '--require-proof', 'gain'], given)).code).toBe(0);
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
    const both = JSON.parse((await run('old.yaml', 'strict.yaml', ...jane, '-o', 'json')).stdout);
    expect(schemaErrors('diff.v2', both)).toEqual([]);
    expect(both).toMatchObject({ samples: [{ kind: 'lost' }], changes: [{ kind: 'lost' }] });
  });
});

describe('Markdown', () => {
  test('summarizes who loses access and who gains full control', async () => {
    const args = [
      'old.yaml',
      'admins.yaml',
      ...jane,
      ...bob,
      '-o',
      'markdown',
      '--fail-on',
      'never',
    ];
    const { code, stdout } = await run(...args);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^### Access difference: `old\.yaml` → `admins\.yaml`\n\n/);
    expect(stdout).toContain('\n- **1 of 2 samples loses access, 1 changes**\n');
    expect(stdout).toContain('\n- **1 sample gains system:masters**\n');
    expect(stdout).toContain('\n- ✅ proved: no one gains access\n');
    expect(stdout).toContain('\n- ⚠️ found: someone loses access\n');
    const failing = await run(...args.slice(0, -1), 'lose');
    expect(failing.code).toBe(1);
    expect(failing.stdout).toContain('\n- ❌ found: someone loses access\n');
    expect(stdout).toContain('\n- by `admins.yaml:7:27 jwt[0].claimMappings.groups: ');
  });

  test('names the other groups that start with system:', async () => {
    const given = {
      ...files,
      'nodes.yaml': files['admins.yaml'].replace('system:masters', 'system:nodes'),
    };
    const markdown = async (...args: readonly string[]) => {
      const all = ['diff', 'old.yaml', 'nodes.yaml', ...args, '-o', 'markdown'];
      return runCaptured([...all, '--fail-on', 'gain'], { files: given });
    };
    const known = await markdown(...jane, ...bob);
    expect(known.stdout).toContain('\n- **1 sample gains system:nodes**\n');
    // An identity that changes is no gain of access.
    expect(known.code).toBe(0);
    expect((await markdown()).stdout).toContain('\n- **a token can gain system:nodes**\n');
  });

  test('interprets nothing of names and claims', async () => {
    const hostile = '````\n# x\n<img src=https://x.example/a>[a](https://x.example) @all `';
    const given = {
      ...files,
      'a`b.yaml': files['old.yaml'],
      'eve.claims.json': JSON.stringify({ iss: 'https://a.example', sub: hostile }),
    };
    const args = [
      'diff',
      'a`b.yaml',
      'strict.yaml',
      '--claims',
      'eve.claims.json',
      '-o',
      'markdown',
    ];
    const { stdout } = await runCaptured(args, { files: given });
    expect(stdout).toContain('### Access difference: ``a`b.yaml`` → `strict.yaml`\n');
    const [first = ''] = /^`{3,}(?=text$)/m.exec(stdout) ?? [];
    expect(first.length).toBeGreaterThan(4);
    // What is not code has none of the claim.
    const outside = stdout.replaceAll(/^(`{3,})text\n.*?^\1$/gms, '').replaceAll(/(`+).*?\1/g, '');
    expect(outside).not.toMatch(/img|@all|# x/);
  });

  test('interprets nothing of group names', async () => {
    const group = 'system:x http://evil.example/a $a$ :boom: www.evil.example @all';
    const claims = { iss: 'https://a.example', aud: 'a', sub: 'jane', groups: [group] };
    const { stdout } = await runCaptured(
      ['diff', 'old.yaml', 'new.yaml', '--claims', 'eve.claims.json', '-o', 'markdown'],
      {
        files: {
          'old.yaml': mapping(''),
          'new.yaml': mapping(', groups: {claim: groups, prefix: ""}'),
          'eve.claims.json': JSON.stringify(claims),
        },
      },
    );
    expect(stdout).toContain(`1 sample gains "${group}"`);
    const outside = stdout.replaceAll(/^(`{3,})text\n.*?^\1$/gms, '').replaceAll(/(`+).*?\1/g, '');
    expect(outside).not.toMatch(/evil|boom|\$|@/);
  });

  test('escapes the line ends of file names, and accepts any number of backticks', async () => {
    const shown = async (name: string, ...args: string[]): Promise<string> => {
      const given = { ...files, [name]: files['admins.yaml'] };
      return (await runCaptured(['diff', 'old.yaml', name, ...args], { files: given })).stdout;
    };
    const location = String.raw`by a\u000a::error::b.yaml:7:27`;
    expect(await shown('a\n::error::b.yaml')).toContain(location);
    const name = '` '.repeat(200_000);
    const report = await shown(`${name}.yaml`, '-o', 'markdown');
    expect(report.includes(`\`\` ${name}.yaml \`\``)).toBe(true);
  });
});
