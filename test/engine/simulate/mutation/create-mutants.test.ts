/** Each mutation operator: what it changes, and that the result is the intended text. */
import { expect, test } from 'vitest';
import { createMutants } from '../../../../engine/src/simulate/mutation/create-mutants.ts';
import type { MutationOperator } from '../../../../engine/src/simulate/mutation/mutant.ts';
import { compileText } from '../../../support/compile-text.ts';

const head = `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer:
    url: https://a.example
`;
const withRule = (expression: string): string => `${head}    audiences: [app]
  claimMappings:
    username: { claim: sub, prefix: "a:" }
  claimValidationRules:
  - expression: ${JSON.stringify(expression)}
`;

/** Returns the mutants of an operator: `claims.a == "x" → claims.a != "x"`, compiled. */
const mutants = (
  text: string,
  operator: MutationOperator,
  otherAudience?: string,
): readonly string[] => {
  const compilation = compileText(text);
  expect(compilation.graph, compilation.diagnostics[0]?.message).toBeDefined();
  return createMutants(compilation, () => otherAudience)
    .mutants.filter((mutant) => mutant.operator === operator)
    .map((mutant) => {
      const { graph, diagnostics } = compileText(mutant.text());
      const error = diagnostics.find(({ severity }) => severity === 'error');
      return `${mutant.original} → ${mutant.replacement}${graph === undefined ? ` (${error?.name})` : ''}`;
    });
};

/** Returns the mutated expressions of an operator. */
const expressions = (expression: string, operator: MutationOperator): readonly string[] =>
  createMutants(compileText(withRule(expression)))
    .mutants.filter((mutant) => mutant.operator === operator && mutant.at.includes('Rules'))
    .map(({ text }) => {
      const { configuration, graph, diagnostics } = compileText(text());
      const message = diagnostics.find(({ severity }) => severity === 'error')?.message;
      expect(graph, message).toBeDefined();
      return configuration?.jwt[0]?.claimValidationRules[0]?.expression?.value ?? '';
    });

test.each<readonly [string, MutationOperator, string, readonly string[]]>([
  ['a rule', 'Rule', 'claims.a == "x"', ['(claims.a == "x") || true', '!(claims.a == "x")']],
  [
    'a rule about a verified address',
    'EmailVerified',
    'claims.?email_verified.orValue(true) == true',
    ['(claims.?email_verified.orValue(true) == true) || true'],
  ],
  [
    'a condition about a verified address',
    'EmailVerified',
    'claims.email_verified == true && has(claims.a)',
    [
      '(claims.email_verified == true || true) && has(claims.a)',
      '(claims.email_verified == true && has(claims.a)) || true',
    ],
  ],
  ['&&', 'LogicalOperator', 'has(claims.a) && has(claims.b)', ['has(claims.a) || has(claims.b)']],
  ['||', 'LogicalOperator', 'has(claims.a) || has(claims.b)', ['has(claims.a) && has(claims.b)']],
  [
    'operands of &&',
    'ConditionalExpression',
    'has(claims.a) && (has(claims.b) || has(claims.c))',
    [
      'true && (has(claims.b) || has(claims.c))',
      'has(claims.a) && (false || has(claims.c))',
      'has(claims.a) && (has(claims.b) || false)',
    ],
  ],
  [
    '?:',
    'ConditionalExpression',
    'has(claims.a) ? claims.a == "x" : claims.b == "x"',
    ['true ? claims.a == "x" : claims.b == "x"', 'false ? claims.a == "x" : claims.b == "x"'],
  ],
  [
    'the condition of a macro',
    'ConditionalExpression',
    'dyn(claims.g).exists(x, x == "a")',
    ['dyn(claims.g).exists(x, true)'],
  ],
  ['!=', 'EqualityOperator', 'claims.a != "x"', ['claims.a == "x"']],
  ['==', 'EqualityOperator', 'claims.a == "x"', ['claims.a.startsWith("x")', 'claims.a != "x"']],
  [
    '== with operands in brackets',
    'EqualityOperator',
    '(claims.a) == ("x")',
    ['(claims.a).startsWith(("x"))', '(claims.a) != ("x")'],
  ],
  [
    '== of a sum',
    'EqualityOperator',
    'string(claims.a) + "b" == "xb"',
    ['(string(claims.a) + "b").startsWith("xb")', 'string(claims.a) + "b" != "xb"'],
  ],
  ['== of a number', 'EqualityOperator', 'claims.a == 1.0', ['claims.a != 1.0']],
  ['<', 'EqualityOperator', 'claims.a < 1.0', ['claims.a <= 1.0']],
  ['<=', 'EqualityOperator', 'claims.a <= 1.0', ['claims.a < 1.0']],
  ['>', 'EqualityOperator', 'claims.a > 1.0', ['claims.a >= 1.0']],
  ['>=', 'EqualityOperator', 'claims.a >= 1.0', ['claims.a > 1.0']],
  ['!', 'BooleanLiteral', '!has(claims.a)', ['has(claims.a)']],
  [
    'a boolean',
    'BooleanLiteral',
    'claims.?a.orValue(false) == true',
    ['claims.?a.orValue(true) == true', 'claims.?a.orValue(false) == false'],
  ],
  ['a string', 'StringLiteral', 'claims.a.startsWith("x")', ['claims.a.startsWith("")']],
  ['a name of a claim is no string', 'StringLiteral', 'claims["a"] == 1.0', []],
  [
    'a list',
    'ArrayDeclaration',
    'claims.a in ["x", "y", "z"]',
    ['claims.a in ["y", "z"]', 'claims.a in ["x", "z"]', 'claims.a in ["x", "y"]'],
  ],
  ['a list of one', 'ArrayDeclaration', 'claims.a in ["x"]', ['claims.a in []']],
  [
    'all',
    'MethodExpression',
    'dyn(claims.g).all(x, x == "a")',
    ['dyn(claims.g).exists(x, x == "a")'],
  ],
  [
    'exists',
    'MethodExpression',
    'dyn(claims.g).exists(x, x == "a")',
    ['dyn(claims.g).all(x, x == "a")'],
  ],
  ['startsWith', 'MethodExpression', 'claims.a.startsWith("x")', ['claims.a.contains("x")']],
  ['endsWith', 'MethodExpression', 'claims.a.endsWith("x")', ['claims.a.contains("x")']],
  [
    'lowerAscii',
    'MethodExpression',
    'claims.a.lowerAscii() == "x"',
    ['claims.a.upperAscii() == "x"'],
  ],
  [
    'a regular expression',
    'Regex',
    'claims.a.matches("^x$")',
    ['claims.a.matches("x$")', 'claims.a.matches("^x")'],
  ],
  ['an escaped $', 'Regex', "claims.a.matches('x\\\\$')", []],
  [
    'names of claims',
    'ClaimName',
    'claims.a == "x" && has(claims.sub) && claims["b"] == "y" && claims.?c.d.orValue("") == "z"',
    [
      'claims.sub == "x" && has(claims.sub) && claims["b"] == "y" && claims.?c.d.orValue("") == "z"',
      'claims.a == "x" && has(claims.name) && claims["b"] == "y" && claims.?c.d.orValue("") == "z"',
      'claims.a == "x" && has(claims.sub) && claims["sub"] == "y" && claims.?c.d.orValue("") == "z"',
      'claims.a == "x" && has(claims.sub) && claims["b"] == "y" && claims.?sub.d.orValue("") == "z"',
    ],
  ],
])('%s', (_, operator, expression, expected) => {
  expect(expressions(expression, operator)).toEqual(expected);
});

test('a user validation rule', () => {
  const text = `${withRule('true').replace(/ {2}claimV[\s\S]*/, '')}  userValidationRules:
  - expression: "!user.username.startsWith('system:')"
`;
  expect(mutants(text, 'Rule')).toEqual([
    "!user.username.startsWith('system:') → (!user.username.startsWith('system:')) || true",
    "!user.username.startsWith('system:') → !(!user.username.startsWith('system:'))",
  ]);
});

test('a required value', () => {
  const text = `${head}    audiences: [app]
  claimMappings:
    username: { claim: sub, prefix: "a:" }
  claimValidationRules:
  - claim: hd
    requiredValue: x # the company
`;
  const original = 'claim: hd\n    requiredValue: x';
  expect(mutants(text, 'Rule')).toEqual([
    `${original} → {"expression": "true"}`,
    `${original} → {"expression": "claims[\\"hd\\"] != \\"x\\""}`,
  ]);
  expect(mutants(text, 'RequiredValue')).toEqual([
    `${original} → {"expression": "\\"hd\\" in claims"}`,
    `${original} → {"expression": "claims[\\"hd\\"].startsWith(\\"x\\")"}`,
  ]);
  expect(mutants(text, 'ClaimName')).toEqual(['sub → "name"', 'hd → "sub"']);
});

test('prefixes', () => {
  const mappings = `    audiences: [app]
  claimMappings:
    username: { claim: sub, prefix: "a:" }
    groups: { claim: groups, prefix: "b:" }
`;
  expect(mutants(head + mappings, 'Prefix')).toEqual([
    '"a:" → ""',
    '"a:" → "b:"',
    '"b:" → ""',
    '"b:" → "a:"',
  ]);
  const alone = mappings.replace(/ {4}groups: .*\n/, '').replace('"a:"', "'a:'");
  expect(mutants(head + alone, 'Prefix')).toEqual([`'a:' → ""`, `'a:' → "other:"`]);
});

test('mappings', () => {
  const text = `${head}    audiences: [app]
  claimMappings:
    username: { claim: sub, prefix: "a:" }
    groups:
      claim: groups
      prefix: "b:"
    uid:
      claim: uid
    extra:
    - key: example.com/a
      valueExpression: claims.a
`;
  expect(mutants(text, 'Mapping')).toEqual([
    '\n    groups:\n      claim: groups\n      prefix: "b:" → ',
    '\n    uid:\n      claim: uid → ',
    'claims.a → "\'\'"',
  ]);
});

test('audiences in every layout', () => {
  const mapping = '  claimMappings:\n    username: { claim: sub, prefix: "a:" }\n';
  expect(mutants(`${head}    audiences: [app]\n${mapping}`, 'Audience')).toEqual([
    '[app] → ["app", "another-audience"]\n    audienceMatchPolicy: "MatchAny"',
    'app → "another-audience"',
  ]);
  const two = `${head}    audiences:\n    - app\n    - cli\n    audienceMatchPolicy: MatchAny\n${mapping}`;
  const list = '- app\n    - cli';
  expect(mutants(two, 'Audience', 'third')).toEqual([
    `${list} →  ["cli"]`,
    `${list} →  ["app"]`,
    `${list} →  ["app", "cli", "third"]`,
  ]);
});

/** Returns for each mutant of a section its place and what the mutant compiles to. */
const anonymousMutants = (section: string): readonly unknown[] => {
  const { configuration, graph } = compileText(withSection(section));
  expect(configuration?.anonymous).toBeDefined();
  expect(graph).toBeDefined();
  return createMutants(compileText(withSection(section)))
    .mutants.filter(({ operator }) => operator === 'Anonymous')
    .map(({ at, text }) => {
      const { enabled, paths } = compileText(text()).graph?.anonymous ?? {};
      return [at, enabled, paths];
    });
};

const withSection = (section: string): string =>
  `${withRule('true')}anonymous:${section}# the last line\n`;

test.each([
  [
    'in block style',
    '\n  enabled: true # yes\n  conditions:\n  - path: /livez\n  - path: "/a b"\n',
  ],
  ['in flow style', ' { enabled: true, conditions: [{ path: /livez }, { path: "/a b" }] }\n'],
])('conditions of anonymous requests %s', (_, section) => {
  expect(anonymousMutants(section).toSorted()).toEqual([
    ['anonymous.conditions', true, undefined],
    ['anonymous.conditions[0]', true, ['/a b']],
    ['anonymous.conditions[1]', true, ['/livez']],
    ['anonymous.enabled', false, undefined],
  ]);
});

test.each([
  [' { enabled: false }\n', [['anonymous.enabled', true, undefined]]],
  [' {}\n', [['anonymous.enabled', true, undefined]]],
  ['\n  enabled: true\n', [['anonymous.enabled', false, undefined]]],
  [
    '\n  enabled: true\n  conditions: [{ path: /livez }]\n',
    [
      ['anonymous.enabled', false, undefined],
      ['anonymous.conditions', true, undefined],
    ],
  ],
])('a section for anonymous requests:%s', (section, expected) => {
  expect(anonymousMutants(section)).toEqual(expected);
});

test('a long list of paths is changed at its beginning only, and the rest is counted', () => {
  const conditions = Array.from({ length: 50 }, (_, index) => `{ path: /p${index} }`).join(', ');
  const text = withSection(` { enabled: true, conditions: [${conditions}] }\n`);
  const { mutants: all, leftOut } = createMutants(compileText(text));
  expect([all.filter(({ operator }) => operator === 'Anonymous').length, leftOut]).toEqual([
    22, 30,
  ]);
});

test('mutants of JSON are JSON', () => {
  const data = {
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'AuthenticationConfiguration',
    jwt: [
      {
        issuer: { url: 'https://a.example', audiences: ['app'] },
        claimMappings: {
          username: { claim: 'sub', prefix: 'a:' },
          groups: { claim: 'groups', prefix: 'b:' },
          extra: [{ key: 'example.com/a', valueExpression: 'claims.a' }],
        },
        claimValidationRules: [
          { claim: 'hd', requiredValue: 'x' },
          { expression: 'claims.a == "x" && claims.b in ["y", "z"]' },
        ],
      },
    ],
    anonymous: { enabled: true, conditions: [{ path: '/livez' }, { path: '/readyz' }] },
  };
  const all = createMutants(compileText(JSON.stringify(data, undefined, 2))).mutants;
  expect(all.length).toBeGreaterThan(25);
  for (const { text, description } of all) {
    expect(() => JSON.parse(text()), description).not.toThrow();
    expect(compileText(text()).graph, description).toBeDefined();
  }
});

test('mutants are in the order of the file, with IDs, and no two have the same text', () => {
  const all = createMutants(compileText(withRule('claims.a == "x" || claims.b == "y"'))).mutants;
  expect(all.map(({ id }) => id)).toEqual(all.map((_, index) => String(index + 1)));
  const starts = all.map(({ span }) => span.start);
  expect(starts).toEqual(starts.toSorted((a, b) => a - b));
  expect(new Set(all.map(({ text }) => text())).size).toBe(all.length);
});

test('a configuration with errors has the mutants of what is understood', () => {
  expect(createMutants(compileText('jwt: 7')).mutants).toEqual([]);
  expect(createMutants(compileText('')).mutants).toEqual([]);
});

test('a long list is changed at its beginning only, and the rest is counted', () => {
  const values = Array.from({ length: 1500 }, (_, index) => `"v${index}"`);
  const { mutants: all, leftOut } = createMutants(
    compileText(withRule(`claims.a in [${values.join(', ')}]`)),
  );
  const inList = all.filter(({ operator }) =>
    /^(?:StringLiteral|ArrayDeclaration)$/.test(operator),
  );
  expect([inList.length, leftOut]).toEqual([40, 1480]);
});
