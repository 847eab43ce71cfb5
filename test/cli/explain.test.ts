import { describe, expect, test } from 'vitest';
import { compile } from '../../engine/src/compile/compile.ts';
import { explainLog } from '../../engine/src/simulate/explain/explain-log.ts';
import { sourceFile } from '../../engine/src/source/source-file.ts';
import { runCaptured } from '../support/captured-io.ts';
import { cases } from '../support/cases.ts';
import { schemaErrors } from '../support/json-schema.ts';

const config = `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer:
    url: https://issuer.example
    audiences: [app]
  claimValidationRules:
  - claim: hd
    requiredValue: example.com
  - expression: claims.ok == true
    message: not ok
  claimMappings:
    username: {claim: email, prefix: ""}
    groups: {claim: groups, prefix: ""}
- issuer:
    url: https://other.example
    audiences: [b, a]
  claimMappings:
    username: {expression: 'claims.sub + "x"'}
    uid: {claim: uid}
    extra:
    - {key: example.org/a, valueExpression: claims.a}
    - {key: example.org/b, valueExpression: claims.b}
  userValidationRules:
  - expression: user.username != ''
  - expression: user.username != 'root'
    message: no root
`;
const files = {
  'auth.yaml': config,
  'bad.yaml': config.replace('https://issuer', 'http://issuer'),
};
const explain = (...args: readonly string[]) => runCaptured(['explain', ...args], { files });

describe('the location in the file', () => {
  test.each<[string, string, readonly string[]]>([
    ['oidc: email not verified', 'jwt[0].claimMappings.username', ['13:23']],
    [
      'oidc: parse username claims "email": claim not present',
      'jwt[0].claimMappings.username',
      ['13:23'],
    ],
    [
      'oidc: empty username via CEL expression is not allowed',
      'jwt[1].claimMappings.username',
      ['19:28'],
    ],
    [
      'oidc: error evaluating username claim expression: expression \'claims.sub + "x"\' resulted in error: no such key: sub',
      'jwt[1].claimMappings.username',
      ['19:28'],
    ],
    [
      'oidc: parse groups claim "groups": json: cannot unmarshal bool into Go value of type string',
      'jwt[0].claimMappings.groups',
      ['14:21'],
    ],
    ['oidc: parse uid claim "uid": claim not present', 'jwt[1].claimMappings.uid', ['20:18']],
    [
      "expression 'claims.b' resulted in error: no such key: b",
      'jwt[1].claimMappings.extra[1]',
      ['23:45'],
    ],
    [
      'oidc: error evaluating extra claim expression: claims.a: expression must return a string or a list of strings',
      'jwt[1].claimMappings.extra[0]',
      ['22:45'],
    ],
    [
      'oidc: required claim hd value does not match. Got = y, want = example.com',
      'jwt[0].claimValidationRules[0]',
      ['8:12'],
    ],
    ['oidc: required claim hd not present in ID token', 'jwt[0].claimValidationRules[0]', ['8:12']],
    [
      "oidc: error evaluating claim validation expression: validation expression 'claims.ok == true' failed: not ok",
      'jwt[0].claimValidationRules[1]',
      ['10:17'],
    ],
    [
      "oidc: error evaluating user info validation rule: validation expression 'user.username != 'root'' failed: no root",
      'jwt[1].userValidationRules[1]',
      ['26:17'],
    ],
    [
      'oidc: verify token: oidc: expected audience in ["a" "b"] got ["c"]',
      'jwt[1].issuer.audiences',
      ['17:16'],
    ],
    [
      'oidc: verify token: oidc: expected audience "app" got ["c"]',
      'jwt[0].issuer.audiences',
      ['6:16'],
    ],
    [
      'oidc: authenticator for issuer "https://other.example" is not initialized',
      'jwt[1].issuer.url',
      ['16:10'],
    ],
    [
      'oidc: verify token: failed to verify signature: failed to verify id token signature',
      'jwt[0].issuer.url',
      ['5:10', '16:10'],
    ],
    [
      'oidc: could not expand distributed claims: while getting distributed claim "groups": while calling x',
      'jwt[0].claimMappings.groups',
      ['14:21'],
    ],
    [
      'jwt[1].claimMappings.extra[1].key: Duplicate value: "example.org/b"',
      'jwt[1].claimMappings.extra[1].key',
      ['23:7'],
    ],
    ['jwt[0].issuer.audiences[0]: Required value', 'jwt[0].issuer.audiences[0]', ['6:17']],
  ])('%s', async (message, path, places) => {
    const { code, stdout } = await explain('--config', 'auth.yaml', '--output=json', message);
    expect(code).toBe(0);
    const report = JSON.parse(stdout);
    expect(schemaErrors('explain.v1', report)).toEqual([]);
    const [found] = report.messages;
    expect(found.message).toBe(message);
    expect(found.places[0].path).toBe(path);
    expect(
      found.places.map(
        ({ range }: { range: { start: { line: number; column: number } } }) =>
          `${range.start.line}:${range.start.column}`,
      ),
    ).toEqual(places);
  });

  test('explains an error of the configuration as its diagnostic', async () => {
    const line =
      'E1121 14:00:00.1 1 run.go:72] "command failed" err="invalid authentication configuration: jwt[0].issuer.url: Invalid value: \\"http://issuer.example\\": URL scheme must be https"';
    const { code, stdout } = await explain('-c', 'bad.yaml', line);
    expect(code).toBe(0);
    expect(stdout).toContain(' --> bad.yaml:5:10\n');
    expect(stdout).toMatch(/error\[AG1\d{3}\]/);
  });

  test('reports a message of another configuration', async () => {
    const { stdout } = await explain(
      '-c',
      'auth.yaml',
      'oidc: parse uid claim "x": claim not present',
    );
    expect(stdout).toContain('auth.yaml has no field that produces this message.');
  });
});

describe('finds the location of every recorded rejection', () => {
  const refused = cases('conformance/authenticate.jsonl').flatMap((one) => {
    const { error } = one.expected;
    const { config: text } = one.input;
    return typeof error === 'string' && typeof text === 'string'
      ? [{ id: one.id, error, text }]
      : [];
  });
  test('has many cases', () => {
    expect(refused.length).toBeGreaterThan(150);
  });
  test.each(refused.map((one) => [one.id, one] as const))('%s', (_, { error, text }) => {
    const compilation = compile({ source: sourceFile('a.yaml', text) });
    const { messages, unknown } = explainLog(`[invalid bearer token, ${error}]`, compilation);
    expect(unknown).toEqual([]);
    const [found, ...others] = messages;
    expect(others).toEqual([]);
    const places = found?.places ?? [];
    expect(places.length).toBeGreaterThan(0);
    const shown = places.map(({ path, span }) => ({
      path: path.replace(/^jwt\[\d+\]\./, '').replace(/\[\d+\]$/, ''),
      text: text.slice(span.start, span.end),
    }));
    for (const { path, text: marked } of shown) {
      expect(path).toBe(sectionOf(error));
      const expression = /expression '(.*?)' (?:resulted in error|failed): /s.exec(error)?.[1];
      if (expression !== undefined) expect(unquoted(marked)).toContain(expression);
      const claim = /^oidc: (?:parse \w+ claims? "(.*?)":|required claim (\S+) )/.exec(error);
      if (claim !== null) expect(unquoted(marked)).toBe(claim[1] ?? claim[2]);
    }
  });
});

/** An independent short list of kube-apiserver's steps. */
const sectionOf = (error: string): string => {
  if (error.includes('expected audience') && error.startsWith('oidc: verify'))
    return 'issuer.audiences';
  if (/^oidc: (?:verify token|authenticator)/.test(error)) return 'issuer.url';
  if (/username|email/.test(error.slice(0, 45))) return 'claimMappings.username';
  if (/^oidc: (?:parse groups|error evaluating group |could not expand)/.test(error))
    return 'claimMappings.groups';
  if (/^oidc: (?:parse uid|error evaluating uid )/.test(error)) return 'claimMappings.uid';
  if (/^(?:expression|oidc: error evaluating extra )/.test(error)) return 'claimMappings.extra';
  return error.includes('user info validation') ? 'userValidationRules' : 'claimValidationRules';
};

/** The recorded configurations are JSON inside YAML. */
const unquoted = (text: string): string => (text.startsWith('"') ? JSON.parse(text) : text);

describe('codes', () => {
  test.each(['AG4001', 'ag4001', 'native-string-list'])('%s is a rule', async (asked) => {
    const { code, stdout } = await explain(asked);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^AG4001 native-string-list \(\w+, advice; kube-apiserver accepts it\)\n/,
    );
  });
  test('prints the page of a code, with indented code', async () => {
    const { stdout } = await explain('AG4001');
    expect(stdout).toContain('\nWhat it means\n');
    expect(stdout).toContain("\n          expression: claims.roles.split(',').map(r, r)\n");
    expect(stdout).not.toMatch(/^```|^#/m);
    expect(stdout).toMatch(/\nHow to fix it\n[\s\S]*[.)]\n$/);
  });
  test('lists its locations with a file', async () => {
    const trap = config.replace(
      '{claim: groups, prefix: ""}',
      `{expression: 'claims.g.split(",")'}`,
    );
    const run = (text: string) =>
      runCaptured(['explain', '-c', 'a.yaml', 'AG4001'], { files: { 'a.yaml': text } });
    expect((await run(trap)).stdout).toContain('--> a.yaml:14:');
    expect((await run(config)).stdout).toContain('Not found in a.yaml.');
  });
  test('as JSON', async () => {
    const { stdout } = await explain('-o', 'json', 'AG4001');
    expect(schemaErrors('explain.v1', JSON.parse(stdout))).toEqual([]);
  });
  test('prints the names of other pages without their links', async () => {
    const { stdout } = await explain('AG1039');
    expect(stdout).toContain('(AG4026)');
    expect(stdout).not.toContain('.md)');
  });
  test('reports an unknown code', async () => {
    expect(await explain('AG9999')).toMatchObject({
      code: 1,
      stderr: 'AG9999 is not a code of this version.\n',
    });
  });
});

test('accepts the words of a message as separate arguments', async () => {
  const { code, stdout } = await explain('oidc:', 'email', 'not', 'verified');
  expect(code).toBe(0);
  expect(stdout).toContain('AG5014 email-not-verified');
});

test('reads part of a log line by line', async () => {
  const lines = [
    'I1121 14:00:00.1 1 a.go:1] "starting"',
    'E1121 14:00:00.2 1 b.go:2] "x" err="[invalid bearer token, oidc: email not verified]"',
    '',
  ];
  const { code, stdout } = await runCaptured(['explain', '-'], {
    files: { '-': lines.join('\n') },
  });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^oidc: email not verified\n/);
});

describe('lines that serve, kube-apiserver, check and whoami print', () => {
  test.each([
    [
      'error: failed to load authentication configuration from file "auth.yaml": strict decoding error: unknown field "jwt[0].claimMapping"',
      'AG1008',
    ],
    [
      'Error: failed to load authentication configuration from file "a \\"b\\".yaml": yaml: line 5: did not find expected key',
      'AG1001',
    ],
    [
      'error: failed to load authentication configuration from file "auth.yaml": no kind "X" is registered for version "apiserver.config.k8s.io/v1"',
      'AG1007',
    ],
    ['error[AG1005] empty config data', 'AG1005'],
    ['rejected by jwt[0]: oidc: verify token: oidc: expected audience "app" got ["x"]', 'AG5009'],
  ])('%s', async (line, code) => {
    const found = await explain(line);
    expect(found.code).toBe(0);
    expect(found.stdout).toContain(`\n  ${code} `);
  });
});

describe('an unknown line', () => {
  test.each([
    ['oidc: token expired', 'oidc: verify token: oidc: token is expired (Token Expiry: …)'],
    ['error: username claim not present', 'oidc: parse username claims "…": claim not present'],
    [
      'x509: certificate signed by an unknown authority',
      'x509: certificate signed by unknown authority',
    ],
  ])('lists the nearest known messages: %s', async (text, nearest) => {
    const { code, stdout, stderr } = await explain(text);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    const [first, second, third = '', ...more] = stderr.trimEnd().split('\n');
    expect([first, second]).toEqual([
      'This message is unknown.',
      'The nearest known messages are:',
    ]);
    expect(third.trim()).toBe(nearest);
    expect(more.length).toBeLessThan(3);
    const report = JSON.parse((await explain('-o', 'json', text)).stdout);
    expect(report.nearest[0]).toBe(nearest);
  });

  test('among known messages of a list is reported', async () => {
    const { code, stdout, stderr } = await explain(
      '[oidc: email not verified, jwt[0].issuer.url: Required value]\nI1127 09:00:00.1 1 a.go:1] "other"',
    );
    expect(code).toBe(0);
    expect(stdout).toContain('AG5014');
    expect(stdout).toContain('AG1014');
    expect(stderr).toBe('Not explained: other\n');
  });
});

test('does not guess about other text', async () => {
  const { code, stdout, stderr } = await explain('connection refused');
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain('Paste the whole line');
});

test('reports that an artifact has no locations', async () => {
  const { code, stderr } = await runCaptured(
    ['explain', '-c', 'a.json', 'oidc: email not verified'],
    {
      files: { 'a.json': '{"artifact":"authgraph"}' },
    },
  );
  expect(code).toBe(2);
  expect(stderr).toContain('a.json');
});

test.each([
  ['AG1O12', 'AG1O12 is not the name of a diagnostic. Did you mean AG1012?\n'],
  [
    'duplicate-issuer',
    'duplicate-issuer is not the name of a diagnostic. Did you mean duplicate-issuer-url?\n',
  ],
  ['AG9999', 'AG9999 is not a code of this version.\n'],
])('suggests a diagnostic for %s', async (typed, expected) => {
  const { code, stderr } = await explain(typed);
  expect([code, stderr]).toEqual([1, expected]);
});
