/** `authgraph test`: what a suite decides, how failures are shown, and what an untrusted one cannot do. */
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCases } from '../../engine/src/simulate/tests/run-cases.ts';
import type { TestCase } from '../../engine/src/simulate/tests/test-case.ts';
import { runCaptured } from '../support/captured-io.ts';
import { schemaErrors } from '../support/json-schema.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const configuration = `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer: {url: https://issuer.example, audiences: [app]}
  claimMappings:
    username: {claim: sub, prefix: "a:"}
    groups: {claim: groups, prefix: "a:"}
  claimValidationRules:
  - {expression: "claims.?hd.orValue('') == 'corp'", message: only corp}
`;

const run = (suite: string, args: readonly string[] = [], files = {}) =>
  runCaptured(['test', 'a.authtest.yaml', ...args], {
    files: { 'a.yaml': configuration, 'a.authtest.yaml': suite, ...files },
  });

const corp = 'base: {claims: {sub: jane, hd: corp}}\n';

describe('expectations', () => {
  /** Cases that pass; each fails with the expectation of another one. */
  const passing: readonly (readonly [name: string, fields: string])[] = [
    [
      'the whole user',
      'claims: {groups: [x]}, expect: {user: {username: "a:jane", groups: ["a:x"]}}',
    ],
    ['only the username', 'claims: {groups: [x]}, expect: {user: "a:jane"}'],
    ['a part of the user', 'claims: {groups: [x, z]}, expect: {userIncludes: {groups: ["a:z"]}}'],
    ['groups that are absent', 'expect: {withoutGroups: ["system:masters"]}'],
    ['a rejection', 'claims: {hd: other}, expect: {rejected: true}'],
    ['its code', 'claims: {hd: other}, expect: {rejected: AG5019, by: "jwt[0]"}'],
    [
      'its part and message',
      'without: [hd], expect: {rejected: {at: "jwt[0].claimValidationRules[0]", message: only corp}}',
    ],
    [
      'another issuer',
      'claims: {iss: https://other.example}, expect: {rejected: AG5022, by: none}',
    ],
    ['another audience', 'claims: {aud: other}, expect: {rejected: AG5009}'],
    ['a removed audience', 'without: [aud], expect: {rejected: AG5009}'],
    ['an expired token', 'now: 2030-01-01T00:00:00Z, claims: {exp: 1}, expect: {rejected: AG5010}'],
    ['a signed token', 'sign: true, expect: {user: "a:jane", by: jwt}'],
    ['a forged token', 'sign: {key: unknown}, expect: {rejected: AG5006}'],
    ['an algorithm', 'sign: {algorithm: PS384}, expect: {user: "a:jane"}'],
    ['a cost', 'expect: {user: "a:jane", maxCost: 100}'],
    ['a request', 'sign: true, request: {path: /api}, expect: {user: "a:jane"}'],
  ];

  test('all of them are met', async () => {
    const tests = passing.map(([name, fields]) => `- {name: ${name}, ${fields}}\n`).join('');
    const { code, stdout, stderr } = await run(`${corp}tests:\n${tests}`);
    expect(stdout).toBe(`✓ a.authtest.yaml (${passing.length} tests)\n`);
    expect(stderr).toMatch(/^16 passed in 1 file \(/);
    expect(code).toBe(0);
  });

  test.each([
    ['username', 'expect: {user: "a:bob"}', '"a:bob"', '"a:jane"'],
    ['groups', 'claims: {groups: [x]}, expect: {user: {username: "a:jane"}}', '[]', '["a:x"]'],
    [
      'groups',
      'expect: {userIncludes: {groups: ["a:y"]}}',
      'includes ["a:y"]',
      '["system:authenticated"]',
    ],
    ['decision', 'expect: {rejected: true}', 'rejected', 'accepted as "a:jane" by jwt[0]'],
    [
      'decision',
      'claims: {hd: x}, expect: {user: "a:jane"}',
      'accepted as "a:jane"',
      'rejected with AG5019',
    ],
    ['rejected.code', 'claims: {hd: x}, expect: {rejected: AG5001}', 'AG5001', 'AG5019'],
    ['by', 'expect: {withoutGroups: [], by: anonymous}', 'anonymous', 'jwt[0]'],
    ['maxCost', 'expect: {userIncludes: {}, maxCost: 1}', 'at most 1', '3'],
    [
      'withoutGroups',
      'claims: {groups: [x]}, expect: {withoutGroups: ["a:x"]}',
      'not a member',
      'a member',
    ],
    ['username', 'request: {}, expect: {user: "a:jane"}', '"a:jane"', '"system:anonymous"'],
    ['decision', 'claims: {hd: x}, expect: {userIncludes: {}}', 'accepted', 'rejected with AG5019'],
    ['decision', 'claims: {hd: x}, expect: {withoutGroups: []}', 'accepted', 'rejected with'],
    [
      'decision',
      'request: {path: not-a-path}, expect: {rejected: true}',
      'rejected',
      'answered with 400 before authentication',
    ],
    [
      'decision',
      'request: {impersonate: {user: "", groups: [x]}}, sign: true, expect: {forbidden: true}',
      'impersonation denied',
      'impersonation denied: requested',
    ],
  ])('%s differs: %s', async (what, fields, expected, actual) => {
    const { code, stdout } = await run(`${corp}tests: [{name: case, ${fields}}]\n`, ['-o', 'json']);
    expect(code).toBe(1);
    const data = JSON.parse(stdout);
    expect(schemaErrors('test.v1', data)).toEqual([]);
    const [difference] = data.files[0].tests[0].differences;
    expect(difference.what).toBe(what);
    expect(difference.expected).toContain(expected);
    expect(difference.actual).toContain(actual);
  });
});

test('rows change the input and replace the outcome of their case', async () => {
  const suite = `${corp}tests:
- name: departments
  claims: {groups: [x]}
  expect: {user: "a:jane", by: "jwt[0]"}
  rows:
  - {name: kept}
  - {claims: {sub: bob}, expect: {user: "a:bob"}}
  - {name: other, claims: {hd: z}, expect: {rejected: true}}
`;
  const { code, stdout } = await run(suite, ['--verbose']);
  expect(stdout).toBe(
    '✓ a.authtest.yaml (3 tests)\n  ✓ departments / kept\n  ✓ departments / row 2\n  ✓ departments / other\n',
  );
  expect(code).toBe(0);
});

test('a failure shows the difference, the lines and the path through the graph', async () => {
  const { stdout } = await run(
    `${corp}tests: [{name: jane, claims: {hd: x}, expect: {user: "a:jane"}}]\n`,
  );
  expect(stdout).toContain('✗ jane  a.authtest.yaml:2:9');
  expect(stdout).toContain('expected  accepted as "a:jane"');
  expect(stdout).toContain('--> a.yaml:9:18');
  expect(stdout).toContain('✗ claimValidationRules[0] → false  line 9');
  expect(stdout).toContain('claims.?hd → "x"');
});

describe('samples', () => {
  const claims =
    '{"iss":"https://issuer.example","aud":"app","sub":"ann","hd":"corp","iat":1000000000,"exp":1000000060}';
  test.each([
    [
      'next to the file',
      'tests: [{name: x, sample: ann, expect: {user: "a:ann"}}]',
      'ann.claims.json',
    ],
    [
      'by path',
      'samples: {x: people/a.json}\ntests: [{name: x, sample: x, expect: {user: "a:ann"}}]',
      'people/a.json',
    ],
    [
      'in the file',
      `samples: {ann: ${claims}}\ntests: [{name: x, sample: ann, expect: {user: "a:ann"}}]`,
      'z',
    ],
  ])('%s, at the time when they were issued', async (_, suite, path) => {
    const { code, stdout } = await run(suite, [], { [path]: claims });
    expect([code, stdout]).toEqual([0, '✓ a.authtest.yaml (1 test)\n']);
  });

  test('presets are the claims of providers', async () => {
    const suite = `tests:
- name: x
  preset: google
  claims: {iss: https://issuer.example, aud: app, hd: corp}
  expect: {user: "a:110169484474386276334"}
`;
    expect((await run(suite)).code).toBe(0);
  });
});

describe('mistakes in a file end with 2', () => {
  test.each([
    ['test: []', 'a.authtest.yaml:1:1', 'AG3201', 'Did you mean `tests`?'],
    ['tests: [{name: x, expect: {usr: y}}]', ':1:28', 'AG3201', 'Did you mean `user`?'],
    ['tests: [{name: x}]', ':1:9', 'AG3202', 'nothing is expected'],
    ['tests: [{name: x, expect: {user: a, rejected: true}}]', '', 'AG3202', 'exclude each other'],
    ['tests: [{name: x, expect: {}}]', ':1:27', 'AG3202', 'expect needs an outcome'],
    ['tests: [{name: x, expect: {by: none, maxCost: 1}}]', '', 'AG3202', 'expect needs an outcome'],
    [
      'tests: [{name: x, sign: {header: {crit: [y], y: 1}}, expect: {rejected: true}}]',
      ':1:34',
      'AG3202',
      'crit cannot be signed',
    ],
    ['tests: [{name: x, expect: {rejected: AG4010}}]', '', 'AG3202', 'AG5 and three digits'],
    [
      'tests: [{name: x, sample: none, expect: {rejected: true}}]',
      '',
      'AG3202',
      'no sample is named "none"',
    ],
    ['tests: [{name: x, now: yesterday, expect: {user: a}}]', '', 'AG3202', 'must be a time'],
    [
      'tests: [{name: x, preset: gogle, expect: {user: a}}]',
      '',
      'AG3202',
      'Did you mean `google`?',
    ],
    [
      'configuration: b.yaml\ntests: [{name: x, expect: {user: a}}]',
      ':1:16',
      'AG3202',
      'no such file',
    ],
    [
      'flags: [--tokn]\ntests: [{name: x, request: {}, expect: {user: a}}]',
      ':1:9',
      'AG3202',
      'unknown flag',
    ],
    [
      'flags: [--secure-port=1]\ntests: [{name: x, request: {}, expect: {user: a}}]',
      ':1:9',
      'AG3202',
      'cannot be used in a test or a request file',
    ],
    [
      'flags: [--authentication-token-webhook-config-file=x]\ntests: [{name: x, request: {}, expect: {user: a}}]',
      '',
      'AG3202',
      'cannot be used in a test or a request file',
    ],
  ])('%s', async (suite, place, code, text) => {
    const { code: exit, stderr } = await run(suite);
    expect(exit).toBe(2);
    expect(stderr).toContain(`error[${code}]`);
    expect(stderr).toContain(place);
    expect(stderr).toContain(text);
  });

  test('the errors of the configuration', async () => {
    const { code, stderr } = await run('tests: [{name: x, expect: {user: a}}]', [], {
      'a.yaml': 'jwt: 1\n',
    });
    expect(code).toBe(2);
    expect(stderr).toContain('a.yaml:1');
  });
});

describe('an untrusted suite', () => {
  test.each([
    ['configuration: ../../../../../../etc/passwd\ntests: [{name: x, expect: {user: a}}]'],
    [
      'samples: {a: ../../../../../../../etc/hostname}\ntests: [{name: x, sample: a, expect: {user: a}}]',
    ],
    [
      'objects: [../../../../../../../etc/hostname]\ntests: [{name: x, request: {}, expect: {user: a}}]',
    ],
    [
      'tests: [{name: x, request: {certificate: ../../../../../../etc/hostname}, expect: {user: a}}]',
    ],
    [
      'flags: [--token-auth-file=../../../../../../etc/hostname]\ntests: [{name: x, request: {}, expect: {user: a}}]',
    ],
    ['flags: [--client-ca-file=/etc/hostname]\ntests: [{name: x, request: {}, expect: {user: a}}]'],
  ])('INV-F1 cannot read files outside of its repository: %s', async (suite) => {
    const { code, stderr } = await run(suite);
    expect(code).toBe(2);
    expect(stderr).toContain('the path leaves');
  });

  test('INV-F1 cannot follow a link out of its repository', async () => {
    const { path, write } = temporaryFolder();
    mkdirSync(join(path, 'repository/.git'), { recursive: true });
    write('secret.json', '{"sub":"secret"}');
    symlinkSync(join(path, 'secret.json'), join(path, 'repository/linked.json'));
    const suite = join(path, 'repository/a.authtest.yaml');
    const text = 'samples: {a: linked.json}\ntests: [{name: x, sample: a, expect: {user: a}}]';
    const { code, stderr } = await runCaptured(['test', suite], {
      files: { [suite]: text, [join(path, 'repository/a.yaml')]: configuration },
    });
    expect(code).toBe(2);
    expect(stderr).toContain('the path leaves');
    expect(stderr).not.toContain('secret');
  });

  test('names nothing but files: no link before #, no standard input, no revision', async () => {
    const { path, write } = temporaryFolder();
    mkdirSync(join(path, 'repository/.git'), { recursive: true });
    write('secret.yaml', configuration);
    symlinkSync(join(path, 'secret.yaml'), join(path, 'repository/link.yaml'));
    const suite = join(path, 'repository/a.authtest.yaml');
    const text = 'configuration: link.yaml#1\ntests: [{name: x, expect: {user: a}}]';
    const files = { [suite]: text, [join(path, 'repository/link.yaml')]: configuration };
    const linked = await runCaptured(['test', suite], { files });
    expect([linked.code, linked.stderr]).toEqual([2, expect.stringContaining('the path leaves')]);

    const named = ['-', '-#1', 'HEAD^{/a}:a'];
    for (const name of named) {
      const { code, stderr } = await runCaptured(['test', 'a.authtest.yaml'], {
        files: {
          '-': configuration,
          'a.authtest.yaml': `configuration: "${name}"\ntests: [{name: x, expect: {user: a}}]`,
        },
        revisions: { [name]: configuration },
      });
      expect([code, stderr]).toEqual([2, expect.stringContaining('no such file')]);
    }
  });

  test('absolute paths are refused where only paths are expected', async () => {
    const { stderr } = await run(
      'configuration: /etc/passwd\ntests: [{name: x, expect: {user: a}}]',
    );
    expect(stderr).toContain('must be a path relative to the folder of this file');
  });

  test('names with control characters are escaped in every format', async () => {
    const suite = 'tests: [{name: "a\\u001b[31m\\u202e]]>\\n::error::x", expect: {user: a}}]';
    for (const format of ['text', 'json', 'junit', 'tap', 'github']) {
      const { stdout, stderr } = await run(suite, ['-o', format]);
      // Other than line ends, and the form of a command of GitHub at the start of a line.
      expect(stdout + stderr).not.toMatch(/[\u001b\u202e]/);
      expect(stdout).not.toMatch(/^::error::x/m);
    }
  });

  test('tables and claims are bounded', async () => {
    const rows = Array.from({ length: 200 }, () => '{}').join(', ');
    const many = Array.from(
      { length: 60 },
      () => '  - {name: x, rows: *r, expect: {user: a}}',
    ).join('\n');
    const suite = `tests:\n  - {name: first, rows: &r [${rows}], expect: {user: a}}\n${many}\n`;
    const { code, stderr } = await run(suite);
    expect(code).toBe(2);
    expect(stderr).toMatch(/a file has at most 10000 cases|excessive aliasing/);
  });

  test('long claims of many rows are refused, even if no row is valid', async () => {
    // Too long with the claims that complete it.
    const long = 'x'.repeat(262_130);
    const sample = JSON.stringify({ a: long, b: long, c: long, d: long });
    const rows = Array.from({ length: 100 }, () => '{}').join(', ');
    const { code, stderr } = await run(
      `base: {sample: long}\ntests: [{name: x, expect: {rejected: true}, rows: [${rows}]}]\n`,
      [],
      { 'long.claims.json': sample },
    );
    expect(code).toBe(2);
    expect(stderr).toContain('the claims of all cases are longer than 67108864 characters');
  });

  test('many claims for each of many rows are refused', async () => {
    const claims = Array.from({ length: 4000 }, (_, index) => `c${index}: 1`).join(', ');
    const rows = Array.from({ length: 150 }, () => '{}').join(', ');
    const { code, stderr } = await run(
      `base: {claims: {${claims}}}\ntests: [{name: x, expect: {rejected: true}, rows: [${rows}]}]\n`,
    );
    expect(code).toBe(2);
    expect(stderr).toContain('all cases together have more than 500000 claims');
  });
});

test('a run pauses, so that a signal can end it', async () => {
  const aborting = new AbortController();
  setImmediate(() => aborting.abort());
  const outcome = {
    decision: { kind: 'noOpinion' },
    authenticator: 'none',
    impersonation: undefined,
    cost: 0,
    steps: [],
  } as const;
  const test: TestCase = {
    name: 'x',
    span: { start: 0, end: 0 },
    now: 0,
    input: { kind: 'claims', claims: { claims: {}, unreadable: new Map(), payload: '{}' } },
    expected: {},
  };
  let now = 0;
  const results = await runCases(
    Array.from({ length: 1000 }, () => test),
    { decide: () => Promise.resolve(outcome) },
    {
      bail: false,
      monotonic: () => now++,
      signal: aborting.signal,
      pause: () => new Promise((resolve) => setImmediate(resolve)),
    },
  );
  expect(results.length).toBeGreaterThan(0);
  expect(results.length).toBeLessThan(20);
});

describe('formats', () => {
  const suite = `${corp}tests:
- {name: jane, expect: {user: "a:jane"}}
- {name: 'bob & "co"', expect: {user: "a:bob"}}
`;

  test('JUnit', async () => {
    const { code, stdout } = await run(suite, ['-o', 'junit']);
    expect(code).toBe(1);
    expect(
      stdout.replaceAll(/time="[\d.]+"/g, 'time="0"'),
    ).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="authgraph test" tests="2" failures="1" errors="0" skipped="0" time="0">
  <testsuite name="a.authtest.yaml" tests="2" failures="1" skipped="0" time="0">
    <testcase name="jane" classname="a.authtest.yaml" file="a.authtest.yaml" line="3" time="0"/>
    <testcase name="bob &amp; &quot;co&quot;" classname="a.authtest.yaml" file="a.authtest.yaml" line="4" time="0">
      <failure message="username: expected &quot;a:bob&quot;, actual &quot;a:jane&quot;">a.authtest.yaml:4
username: expected &quot;a:bob&quot;
          actual   &quot;a:jane&quot;</failure>
    </testcase>
  </testsuite>
</testsuites>
`);
  });

  test('TAP', async () => {
    const { stdout } = await run(suite, ['-o', 'tap']);
    expect(stdout).toBe(`TAP version 14
1..2
ok 1 - a.authtest.yaml: jane
not ok 2 - a.authtest.yaml: bob & "co"
  ---
  at: "a.authtest.yaml:4"
  differences:
    - {"what":"username","expected":"\\"a:bob\\"","actual":"\\"a:jane\\""}
  ...
`);
  });

  test('GitHub', async () => {
    const { stdout } = await run(suite, ['-o', 'github']);
    expect(stdout).toBe(
      '::error file=a.authtest.yaml,line=4,title=bob & "co"::username: expected "a:bob"%0A          actual   "a:jane"\n',
    );
  });

  test('a report in a file', async () => {
    const { stdout, written } = await run(suite, ['-o', 'tap', '--out', 'report.tap']);
    expect(stdout).toBe('');
    expect(written.get('report.tap')).toContain('1..2');
  });
});

test('--filter and --bail', async () => {
  const suite = `${corp}tests:
- {name: first, expect: {user: bob}}
- {name: second, expect: {user: bob}}
- {name: third, expect: {user: "a:jane"}}
`;
  const third = await run(suite, ['--filter', 'THIRD']);
  expect([third.code, third.stdout]).toEqual([0, '✓ a.authtest.yaml (1 test, 2 skipped)\n']);
  const none = await run(suite, ['--filter', 'fourth']);
  expect(none.code).toBe(2);
  expect(none.stderr).toContain('No file or name of a case contains "fourth".');
  const bail = await run(suite, ['--bail']);
  expect(bail.code).toBe(1);
  expect(bail.stdout).not.toContain('second');
  expect(bail.stdout).toContain('(1 of 1 test failed, 2 skipped)');
});

test('--init runs no tests, so that --coverage is misuse', async () => {
  const flags = ['--init', '-', '-c', 'a.yaml', '--coverage', 'text'];
  const { code, stderr } = await runCaptured(['test', ...flags]);
  expect(code).toBe(2);
  expect(stderr).toContain('--init runs no tests and cannot be used with --coverage');
});

test('--init writes tests that pass, from the samples', async () => {
  const files = {
    'conf/a.yaml': configuration,
    'conf/jane.claims.json':
      '{"iss":"https://issuer.example","sub":"jane","hd":"corp","groups":["x"]}',
  };
  const target = 'conf/a.authtest.yaml';
  const { code, written, stderr } = await runCaptured(
    ['test', '--init', target, '-c', 'conf/a.yaml'],
    { files },
  );
  expect([code, stderr]).toEqual([
    0,
    `wrote 4 tests to ${target}; run them with authgraph test ${target}\n`,
  ]);
  const suite = written.get(target) ?? '';
  expect(suite).toContain('username: a:jane');
  const tested = await runCaptured(['test', 'conf'], { files: { ...files, [target]: suite } });
  expect([tested.code, tested.stdout]).toEqual([0, `✓ ${target} (4 tests)\n`]);
  const again = (...more: readonly string[]) =>
    runCaptured(['test', '--init', target, '-c', 'conf/a.yaml', ...more], {
      files: { ...files, [target]: 'mine' },
    });
  const refused = await again();
  expect([refused.code, refused.written.size]).toEqual([2, 0]);
  expect(refused.stderr).toContain(
    'already exists\n  Specify another file with --init, or overwrite it with --force.',
  );
  expect((await again('--force')).written.get(target)).toBe(suite);
});

test('--force without --init is an error', async () => {
  const { code, stderr } = await runCaptured(['test', '--force']);
  expect([code, stderr.split('\n')[0]]).toEqual([2, 'error: --force can only be used with --init']);
});

test('--init writes rejections with their code and authenticator', async () => {
  const claims = '{"iss":"https://issuer.example","sub":"jane","hd":"corp"}';
  const init = (files: Readonly<Record<string, string>>) =>
    runCaptured(['test', '--init', '-', '-c', 'conf/a.yaml'], {
      files: { 'conf/a.yaml': configuration, ...files },
    });
  const withSample = await init({ 'conf/jane.claims.json': claims });
  expect(withSample.stdout).toMatch(
    /by: jwt\[0\]\n {4}rejected:\n {6}at: jwt\[0\]\n {6}code: AG5009\n/,
  );
  expect(withSample.stdout).toMatch(
    /by: jwt\[0\]\n {4}rejected:\n(?: {6}at: .*\n)? {6}code: AG5010\n/,
  );
  expect(withSample.stdout).toMatch(/by: jwt\[0\]\n {4}rejected:\n {6}code: AG5006\n/);
  // A sample of an issuer that no authenticator has: no case expects what does not happen.
  const other = await init({ 'conf/jane.claims.json': claims.replace('issuer.ex', 'other.ex') });
  expect(other.stdout).toMatch(/code: AG5022\n/);
  expect(other.stdout).not.toMatch(/AG5009|AG5010|AG5006/);
  const without = await init({});
  expect(without.stdout).toMatch(
    /by: jwt\[0\]\n {4}rejected:\n {6}at: jwt\[0\]\n {6}code: AG5009\n/,
  );
  for (const { stdout } of [withSample, other, without])
    expect(stdout).not.toContain('rejected: true');
});

test('a value of the wrong kind is reported with all forms of its field', async () => {
  const of = async (expected: string): Promise<string> =>
    (await run(`tests: [{name: x, expect: {${expected}}}]`)).stderr;
  for (const value of ['5', '[AG5009]', '1.5'])
    expect(await of(`rejected: ${value}`)).toContain(
      'tests[0].expect.rejected: must be true, a code such as AG5013, or a map with code, at or message',
    );
  expect(await of('forbidden: 5')).toContain('must be true or a part of the message');
  expect(await of('user: 5')).toContain('must be a map or a string');
});

test('--init names the issuers without a sample', async () => {
  const { code, stderr } = await runCaptured(
    ['test', '--init', 'a.authtest.yaml', '-c', 'a.yaml'],
    { files: { 'a.yaml': configuration } },
  );
  expect(code).toBe(0);
  expect(stderr).toContain(
    '\nno sample of jwt[0] (https://issuer.example)\nSave the claims of a user as NAME.claims.json',
  );
});

test('the suites of the samples pass', async () => {
  const samples = join(import.meta.dirname, '../../samples/jwt');
  const read = (name: string): string => readFileSync(join(samples, name), 'utf8');
  const files = Object.fromEntries(
    ['entra.yaml', 'entra.claims.json', 'entra.authtest.yaml'].map((name) => [name, read(name)]),
  );
  const { code, stdout } = await runCaptured(['test', 'entra.authtest.yaml'], { files });
  expect([code, stdout]).toEqual([0, '✓ entra.authtest.yaml (11 tests)\n']);
});
