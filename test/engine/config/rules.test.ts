/** The position and the help of each rule, and the effect of its fix. */
import { describe, expect, test } from 'vitest';
import { applyEdits } from '../../../engine/src/source/text-edit.ts';
import { compileText } from '../../support/compile-text.ts';

const head = 'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\n';

const entry = (lines: string): string => `${head}jwt:\n${lines}`;

const good = entry(`- issuer:
    url: https://a.example
    audiences: [app]
  claimMappings:
    username:
      claim: sub
      prefix: ""
`);

interface Finding {
  readonly name: string;
  /** The text at the position of the diagnostic. */
  readonly at: string;
}

const findings = (text: string, options = {}): readonly Finding[] =>
  compileText(text, options).diagnostics.map(({ name, span }) => ({
    name,
    at: text.slice(span.start, span.end),
  }));

test('a valid file has no diagnostics', () => {
  expect(findings(good)).toEqual([]);
});

/** Valid files with one change, and the resulting finding. */
const changes: readonly (readonly [
  name: string,
  change: readonly [from: string, to: string],
  at: string,
])[] = [
  ['missing-issuer-url', ['    url: https://a.example\n', ''], 'audiences: [app]'],
  ['missing-issuer-url', ['https://a.example', '""'], '""'],
  ['malformed-url', ['https://a.example', 'https://a.example/%zz'], 'https://a.example/%zz'],
  ['url-scheme', ['https://a.example', 'http://a.example'], 'http://a.example'],
  ['url-user-info', ['https://a', 'https://u:p@a'], 'https://u:p@a.example'],
  ['url-query', ['a.example', 'a.example?x'], 'https://a.example?x'],
  ['url-fragment', ['a.example', 'a.example#x'], 'https://a.example#x'],
  ['missing-audiences', ['[app]', '[]'], '[]'],
  ['empty-audience', ['[app]', '[""]'], '""'],
  ['audience-match-policy', ['[app]', '[app, web]'], '[app, web]'],
  ['audience-match-policy', ['[app]\n', '[app]\n    audienceMatchPolicy: Any\n'], 'Any'],
  ['certificate-authority', ['[app]\n', '[app]\n    certificateAuthority: x\n'], 'x'],
  ['egress-lookup-missing', ['[app]\n', '[app]\n    egressSelectorType: cluster\n'], 'cluster'],
  ['egress-selector-type', ['[app]\n', '[app]\n    egressSelectorType: etcd\n'], 'etcd'],
  [
    'same-discovery-url',
    ['[app]\n', '[app]\n    discoveryURL: https://a.example/\n'],
    'https://a.example/',
  ],
  [
    'missing-username',
    ['    username:\n      claim: sub\n      prefix: ""\n', '    uid: {}\n'],
    'uid: {}',
  ],
  [
    'claim-and-expression-mapping',
    ['claim: sub', 'expression: claims.sub\n      claim: sub'],
    'claims.sub',
  ],
  ['prefix-with-expression', ['claim: sub', 'expression: claims.sub'], '""'],
  ['missing-prefix', ['      prefix: ""\n', ''], 'sub'],
  [
    'extra-key',
    ['  claimMappings:\n', '  claimMappings:\n    extra: [{key: x, valueExpression: claims.x}]\n'],
    'x',
  ],
  [
    'extra-key',
    [
      '  claimMappings:\n',
      '  claimMappings:\n    extra: [{key: -a.b/c, valueExpression: claims.x}]\n',
    ],
    '-a.b',
  ],
  [
    'reserved-extra-key',
    [
      '  claimMappings:\n',
      '  claimMappings:\n    extra: [{key: x.k8s.io/c, valueExpression: claims.x}]\n',
    ],
    'x.k8s.io/c',
  ],
  [
    'missing-value-expression',
    ['  claimMappings:\n', '  claimMappings:\n    extra: [{key: a.b/c}]\n'],
    '{key: a.b/c}',
  ],
  [
    'empty-claim-rule',
    ['  claimMappings:\n', '  claimValidationRules: [{}]\n  claimMappings:\n'],
    '{}',
  ],
  [
    'claim-and-expression-rule',
    [
      '  claimMappings:\n',
      '  claimValidationRules: [{claim: a, expression: "true"}]\n  claimMappings:\n',
    ],
    '"true"',
  ],
  [
    'message-with-claim',
    ['  claimMappings:\n', '  claimValidationRules: [{claim: a, message: m}]\n  claimMappings:\n'],
    'm',
  ],
  [
    'required-value-with-expression',
    [
      '  claimMappings:\n',
      '  claimValidationRules: [{requiredValue: a, expression: "true"}]\n  claimMappings:\n',
    ],
    'a',
  ],
  [
    'empty-user-rule',
    ['  claimMappings:\n', '  userValidationRules: [{message: m}]\n  claimMappings:\n'],
    '{message: m}',
  ],
  ['email-verified', ['claim: sub\n      prefix: ""', 'expression: claims.email'], 'claims.email'],
  [
    'expression-not-bool',
    ['  claimMappings:\n', '  claimValidationRules: [{expression: claims.x}]\n  claimMappings:\n'],
    'claims.x',
  ],
  [
    'expression-error',
    [
      '  claimMappings:\n',
      '  claimValidationRules:\n  - expression: >-\n      claims.a == 1 &&\n      clams.b == 2\n  claimMappings:\n',
    ],
    'clams',
  ],
  ...['claims.a.matches', 'claims.a.find', 'claims.a.findAll'].map(
    (call) =>
      [
        'expression-constant',
        [
          '  claimMappings:\n',
          `  claimValidationRules:\n  - expression: >-\n      dyn(${call}('${'b{1000}'.repeat(17)}')) == true\n  claimMappings:\n`,
        ],
        `'${'b{1000}'.repeat(17)}'`,
      ] as const,
  ),
  [
    'anonymous-conditions',
    ['jwt:', 'anonymous: {enabled: false, conditions: [{path: /x}]}\njwt:'],
    '{path: /x}',
  ],
  ['unknown-field', ['audiences:', 'audience: [x]\n    audiences:'], 'audience'],
  ['wrong-type', ['claim: sub', 'claim: no'], 'no'],
  ['duplicate-key', ['kind:', 'kind: X\nkind:'], 'kind'],
  [
    'missing-version',
    ['apiVersion: apiserver.config.k8s.io/v1\n', ''],
    'kind: AuthenticationConfiguration',
  ],
  ['unknown-version', ['/v1', '/v2'], 'apiserver.config.k8s.io/v2'],
  ['unknown-version', ['AuthenticationConf', 'AuthorizationConf'], 'AuthorizationConfiguration'],
  ['yaml-syntax', ['claim: sub\n      prefix: ""', 'claim: "sub'], '"sub'],
  ['yaml-syntax', ['claim: sub', 'claim'], ':'],
  ['yaml-syntax', ['[app]', '[app'], ':'],
];

describe('one mistake has one finding', () => {
  test.each(changes)('%s %s', (name, [from, to], at) => {
    const text = good.replace(from, to);
    expect(text).not.toBe(good);
    expect(findings(text)).toEqual([{ name, at }]);
    for (const diagnostic of compileText(text).diagnostics) {
      expect(diagnostic.help).not.toBe('');
      expect(diagnostic.message).not.toBe('');
    }
  });
});

const withSecondEntry = (second: string): string =>
  `${good}- issuer:\n    url: ${second}\n    audiences: [app]\n  claimMappings:\n    username: {claim: sub, prefix: ""}\n`;

test('a repeated issuer is reported at the second and refers to the first', () => {
  const text = withSecondEntry('https://a.example');
  const [diagnostic] = compileText(text).diagnostics;
  expect(diagnostic?.name).toBe('duplicate-issuer-url');
  expect(diagnostic?.span.start).toBe(text.lastIndexOf('https://a.example'));
  expect(diagnostic?.related.map(({ span }) => span.start)).toEqual([
    text.indexOf('https://a.example'),
  ]);
});

test('a disallowed issuer is reported', () => {
  expect(findings(good, { disallowedIssuers: ['https://a.example'] })).toEqual([
    { name: 'disallowed-issuer', at: 'https://a.example' },
  ]);
});

test('more than 64 authenticators are reported', () => {
  const one = good.slice(good.indexOf('- issuer'));
  const many = (count: number): string =>
    entry(
      Array.from({ length: count }, (_, at) => one.replace('a.example', `a${at}.example`)).join(''),
    );
  expect(findings(many(64))).toEqual([]);
  expect(findings(many(65)).map(({ name }) => name)).toEqual(['too-many-authenticators']);
});

const fixed: readonly (readonly [
  name: string,
  change: readonly [string, string],
  result: readonly [string, string],
])[] = [
  ['url-scheme', ['https://a.example', 'http://a.example'], ['', '']],
  [
    'url-scheme',
    ['https://a.example', '"a.example"'],
    ['https://a.example', '"https://a.example"'],
  ],
  [
    'audience-match-policy',
    ['[app]', '[app, web]'],
    ['[app]', '[app, web]\n    audienceMatchPolicy: MatchAny'],
  ],
  [
    'audience-match-policy',
    ['[app]\n', '[app]\n    audienceMatchPolicy: any\n'],
    ['[app]\n', '[app]\n    audienceMatchPolicy: MatchAny\n'],
  ],
  ['missing-prefix', ['      prefix: ""\n', ''], ['prefix: ""', 'prefix: "oidc:"']],
  [
    'duplicate-audience',
    ['[app]', '[app, app]\n    audienceMatchPolicy: MatchAny'],
    ['[app]', '[app]\n    audienceMatchPolicy: MatchAny'],
  ],
  [
    'duplicate-audience',
    ['[app]', '\n    - app\n    - app\n    audienceMatchPolicy: MatchAny'],
    ['[app]', '\n    - app\n    audienceMatchPolicy: MatchAny'],
  ],
  [
    'missing-prefix',
    ['\n      claim: sub\n      prefix: ""', ' {claim: sub}'],
    ['\n      claim: sub\n      prefix: ""', ' {claim: sub, prefix: "oidc:"}'],
  ],
  ['unknown-field', ['url:', 'URL:'], ['', '']],
  ['missing-version', ['kind: AuthenticationConfiguration\n', ''], ['', '']],
  ['unknown-version', ['kind: A', 'kind: a'], ['', '']],
  ['unknown-field', ['audiences:', 'audiences2:'], ['', '']],
  ['unknown-field', ['username:', 'usrename:'], ['', '']],
  ['wrong-type', ['claim: sub', 'claim: no'], ['claim: sub', 'claim: "no"']],
  ['wrong-type', ['claim: sub', 'claim: 017'], ['claim: sub', 'claim: "017"']],
  [
    'wrong-type',
    ['jwt:', 'anonymous: {enabled: "true"}\njwt:'],
    ['jwt:', 'anonymous: {enabled: true}\njwt:'],
  ],
  [
    'extra-key-case',
    [
      '  claimMappings:\n',
      '  claimMappings:\n    extra: [{key: a.b/C, valueExpression: claims.x}]\n',
    ],
    [
      '  claimMappings:\n',
      '  claimMappings:\n    extra: [{key: a.b/c, valueExpression: claims.x}]\n',
    ],
  ],
  [
    'expression-error',
    [
      '  claimMappings:\n',
      '  claimValidationRules: [{expression: clams.x == 1.0}]\n  claimMappings:\n',
    ],
    [
      '  claimMappings:\n',
      '  claimValidationRules: [{expression: claims.x == 1.0}]\n  claimMappings:\n',
    ],
  ],
];

describe('the fix makes the file valid', () => {
  test.each(fixed)('%s %s', (name, [from, to], result) => {
    const text = good.replace(from, to);
    const diagnostic = compileText(text).diagnostics.find((found) => found.name === name);
    const [fix] = diagnostic?.fixes ?? [];
    expect(fix).toBeDefined();
    const edited = applyEdits(text, fix?.edits ?? []);
    expect(edited).toBe(good.replace(...result));
    expect(findings(edited)).toEqual([]);
  });

  test('in JSON', () => {
    const json = JSON.stringify({
      apiVersion: 'apiserver.config.k8s.io/v1',
      kind: 'AuthenticationConfiguration',
      jwt: [
        {
          issuer: { url: 'http://a.example', audiences: ['a', 'b'] },
          claimMappings: { username: { claim: 'sub' } },
        },
      ],
    });
    const { diagnostics } = compileText(json);
    const edits = diagnostics.flatMap(({ fixes }) => fixes[0]?.edits ?? []);
    expect(edits).toHaveLength(3);
    expect(findings(applyEdits(json, edits))).toEqual([]);
  });

  test('with CRLF line breaks', () => {
    const text = good.replace('      prefix: ""\n', '').replaceAll('\n', '\r\n');
    const [diagnostic] = compileText(text).diagnostics;
    const edited = applyEdits(text, diagnostic?.fixes[0]?.edits ?? []);
    expect(edited).toBe(good.replace('prefix: ""', 'prefix: "oidc:"').replaceAll('\n', '\r\n'));
  });
});

describe('help explains where a variable of other rules is available', () => {
  const advice = (lines: string) =>
    compileText(good + lines).diagnostics.map(({ help, fixes }) => [help, fixes.length]);
  test.each([
    [
      'claimValidationRules',
      "user.username == 'x'",
      /^`user` is only available in userValidationRules/,
    ],
    ['claimValidationRules', 'user', /^`user` is only available in userValidationRules/],
    ['userValidationRules', "claims.sub == 'x'", /^`claims` is not available here/],
    ['claimValidationRules', `claims.a == '${'x'.repeat(100_001)}'`, /^Shorten the expression/],
    [
      'claimValidationRules',
      `claims.a.matches('${'b{1000}'.repeat(17)}')`,
      /^Each `\{n\}` repeats/,
    ],
  ])('%s: %.30s', (rules, expression, help) => {
    const found = advice(`  ${rules}:\n  - expression: "${expression}"\n`);
    expect(found).toEqual([[expect.stringMatching(help), 0]]);
  });
});

describe('the rest of a file with an error is decoded', () => {
  test('fields of a wrong type are omitted', () => {
    const text = good.replace('claim: sub', 'claim: 1').replace('[app]', '[2]');
    const { configuration, report, diagnostics } = compileText(text);
    expect(report.decodeError).toBe(
      'json: cannot unmarshal number into Go struct field PrefixedClaimOrExpression.jwt.claimMappings.username.claim of type string',
    );
    expect(diagnostics.map(({ name }) => name)).toEqual(['wrong-type', 'wrong-type']);
    expect(configuration?.jwt[0]?.issuer.url?.value).toBe('https://a.example');
    expect(configuration?.jwt[0]?.claimMappings.username.claim).toBeUndefined();
  });

  test('with a syntax error at the end', () => {
    const { configuration, graph } = compileText(`${good}anonymous: [\n`);
    expect(configuration?.jwt[0]?.claimMappings.username.claim?.value).toBe('sub');
    expect(graph).toBeUndefined();
  });

  test('with a syntax error in the middle', () => {
    const text = good.replace('audiences: [app]', 'audiences: [app');
    expect(compileText(text).configuration?.jwt[0]?.issuer.url?.value).toBe('https://a.example');
  });

  test('with another version', () => {
    const { configuration } = compileText(good.replace('/v1', '/v9'));
    expect(configuration?.jwt).toHaveLength(1);
  });

  test('findings of rules are reported together with decoding errors', () => {
    const text = `${good.replace('https://a', 'http://a')}bogus: 1\n`;
    expect(findings(text).map(({ name }) => name)).toEqual(['url-scheme', 'unknown-field']);
  });
});
