/** Each construct that coverage counts: its outcomes before and after the case that shows them. */
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../engine/src/formats/json-with-shape.ts';
import {
  type Coverage,
  coveragePercent,
  coverageSummary,
  missingOutcomes,
} from '../../../../engine/src/simulate/coverage/coverage.ts';
import { measureCoverage } from '../../../../engine/src/simulate/coverage/measure-coverage.ts';
import { compileText } from '../../../support/compile-text.ts';

interface Parts {
  readonly issuer?: string;
  readonly username?: string;
  /** Fields of the entry after the issuer. */
  readonly more?: string;
}

const configuration = ({
  issuer = 'audiences: [app]',
  username = 'claim: sub\n      prefix: ""',
  more = '',
}: Parts) => `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer:
    url: https://a.example
    ${issuer}
  claimMappings:
    username:
      ${username}
${more}`;

const rule = (expression: string): string =>
  `  claimValidationRules:\n  - expression: ${JSON.stringify(expression)}\n`;

const measure = (
  text: string,
  claims: readonly JsonObject[],
  options: { readonly isToken?: boolean } = {},
): Coverage => {
  const compilation = compileText(text);
  expect(
    compilation.diagnostics
      .filter(({ severity }) => severity === 'error')
      .map(({ message }) => message),
  ).toEqual([]);
  return measureCoverage(
    compilation,
    claims.map((one) => ({
      claims: { claims: { iss: 'https://a.example', sub: 'jane', ...one }, unreadable: new Map() },
      now: 1_000_000,
      isToken: options.isToken ?? false,
    })),
  );
};

/** Returns the outcomes of a kind: `claims.a == "x" true 1 false 0`. */
const outcomes = ({ places }: Coverage, kind: string): readonly string[] =>
  places
    .filter((place) => place.kind === kind)
    .map(({ text, outcomes: all }) =>
      [text, ...all.map(({ name, hits }) => `${name} ${hits}`)].join(' | '),
    );

test('a rule is true and false', () => {
  const text = configuration({ more: rule('claims.hd == "x"') });
  expect(outcomes(measure(text, []), 'rule')).toEqual(['claims.hd == "x" | true 0 | false 0']);
  expect(outcomes(measure(text, [{ hd: 'x' }]), 'rule')).toEqual([
    'claims.hd == "x" | true 1 | false 0',
  ]);
  // The last two have an error instead of an outcome, and no claims for it.
  expect(outcomes(measure(text, [{ hd: 'x' }, { hd: 'y' }, {}]), 'rule')).toEqual([
    'claims.hd == "x" | true 1 | false 1',
  ]);
});

test('a rule after a false one is evaluated too', () => {
  const text = configuration({
    more: '  claimValidationRules:\n  - expression: claims.a == "x"\n  - expression: claims.b == "x"\n',
  });
  expect(outcomes(measure(text, [{ a: 'y', b: 'x' }]), 'rule')).toEqual([
    'claims.a == "x" | true 0 | false 1',
    'claims.b == "x" | true 1 | false 0',
  ]);
});

test('a required value matches and does not match; later ones are then not reached', () => {
  const more =
    '  claimValidationRules:\n  - { claim: a, requiredValue: x }\n  - { claim: b, requiredValue: x }\n';
  const text = configuration({ more });
  expect(
    outcomes(
      measure(text, [
        { a: 'x', b: 'x' },
        { a: 'y', b: 'x' },
      ]),
      'rule',
    ),
  ).toEqual(['a: x | true 1 | false 1', 'b: x | true 1 | false 0']);
});

test('a user validation rule', () => {
  const more = '  userValidationRules:\n  - expression: "user.username != \'root\'"\n';
  expect(outcomes(measure(configuration({ more }), [{}, { sub: 'root' }]), 'rule')).toEqual([
    "user.username != 'root' | true 1 | false 1",
  ]);
});

test('mappings give values until one of them rejects', () => {
  const text = configuration({
    more: `    groups:
      claim: groups
      prefix: ""
    uid:
      expression: claims.uid
    extra:
    - key: example.com/a
      valueExpression: claims.a
`,
  });
  const counts = (claims: JsonObject): readonly string[] =>
    outcomes(measure(text, [claims]), 'mapping');
  const names = ['the claim sub', 'the claim groups', 'claims.uid', 'claims.a'];
  const withValues = (count: number): readonly string[] =>
    names.map((name, index) => `${name} | value ${index < count ? 1 : 0}`);
  expect(counts({ uid: 'u', a: 'x' })).toEqual(withValues(4));
  expect(counts({ uid: 'u' })).toEqual(withValues(3));
  expect(counts({})).toEqual(withValues(2));
  expect(counts({ groups: 7 })).toEqual(withValues(1));
  expect(counts({ sub: 7 })).toEqual(withValues(0));
});

test.each([
  [
    '&&',
    'claims.a == 1.0 && claims.b == 1.0',
    { a: 1, b: 1 },
    [
      [1, 0],
      [1, 0],
    ],
  ],
  [
    '&& that stops at its first operand',
    'claims.a == 1.0 && claims.b == 1.0',
    { a: 2, b: 1 },
    [
      [0, 1],
      [0, 0],
    ],
  ],
  [
    '||',
    'claims.a == 1.0 || claims.b == 1.0',
    { a: 2, b: 2 },
    [
      [0, 1],
      [0, 1],
    ],
  ],
  [
    '|| that stops at its first operand',
    'claims.a == 1.0 || claims.b == 1.0',
    { a: 1, b: 1 },
    [
      [1, 0],
      [0, 0],
    ],
  ],
  [
    'a chain',
    'claims.a == 1.0 && claims.b == 1.0 && claims.c == 1.0',
    { a: 1, b: 1, c: 2 },
    [
      [1, 0],
      [1, 0],
      [0, 1],
    ],
  ],
  ['?:', 'claims.a == 1.0 ? true : false', { a: 1 }, [[1, 0]]],
  ['?: with a negated condition', '!has(claims.a) ? true : false', { a: 1 }, [[0, 1]]],
  [
    '?: with a condition of two',
    '(has(claims.a) && claims.a == 1.0) ? true : false',
    { a: 1 },
    [
      [1, 0],
      [1, 0],
      [1, 0],
    ],
  ],
  ['exists', 'dyn(claims.l).exists(x, x == "b")', { l: ['a', 'b'] }, [[1, 1]]],
  ['all', 'dyn(claims.l).all(x, x == "a")', { l: ['a', 'b'] }, [[1, 1]]],
  ['filter', 'dyn(claims.l).filter(x, x == "a").size() == 1', { l: ['a', 'b'] }, [[1, 1]]],
  [
    'map with a condition',
    'dyn(claims.l).map(x, x == "a", x).size() == 1',
    { l: ['a', 'b'] },
    [[1, 1]],
  ],
  ['exists_one', 'dyn(claims.l).exists_one(x, x == "a")', { l: ['a', 'b'] }, [[1, 1]]],
  ['a constant operand', 'claims.a == 1.0 || true', { a: 2 }, [[0, 1]]],
  ['an error of an operand', 'claims.a == 1.0 || true', {}, [[0, 0]]],
] as const)('a branch of %s', (_, expression, claims, counts) => {
  const { places } = measure(configuration({ more: rule(expression) }), [claims]);
  const branches = places.filter(({ kind }) => kind === 'branch');
  expect(branches.map(({ outcomes: all }) => all.map(({ hits }) => hits))).toEqual(counts);
});

test.each([
  ['orValue', 'claims.?a.orValue("x") == "x"', 'claims.?a', { a: 'x' }],
  ['or', 'claims.?a.or(claims.?b).orValue("x") == "x"', 'claims.?a', { a: 'x' }],
  ['a chain', 'claims.?a.b.?c.orValue("x") == "x"', 'claims.?a.b.?c', { a: { b: { c: 'x' } } }],
  ['an index', 'claims[?"a"].orValue("x") == "x"', 'claims[?"a"]', { a: 'x' }],
])('an optional value of %s is present and absent', (_, expression, part, claims) => {
  const text = configuration({ more: rule(expression) });
  expect(outcomes(measure(text, [claims, {}, {}]), 'branch')).toContain(
    `${part} | present 1 | absent 2`,
  );
});

test('a presence test in an optional chain', () => {
  const text = configuration({ more: rule('has(claims.?a.b) || false') });
  const cases = [{ a: { b: 'x' } }, { a: {} }, {}];
  expect(outcomes(measure(text, cases), 'branch')).toEqual(['has(claims.?a.b) | true 1 | false 2']);
});

test('branches of a mapping', () => {
  const username = `expression: 'has(claims.name) ? claims.name : claims.sub'`;
  const coverage = measure(configuration({ username }), [{ name: 'Jane' }]);
  expect(outcomes(coverage, 'branch')).toEqual(['has(claims.name) | true 1 | false 0']);
});

test('elements of a list that a claim is in', () => {
  const text = configuration({ more: rule('claims.a in ["x", "y"] || claims.a in [2, 3]') });
  expect(outcomes(measure(text, [{ a: 'y' }, { a: 3 }, { a: 'z' }]), 'list element')).toEqual([
    '"x" | matched 0',
    '"y" | matched 1',
    '2 | matched 0',
    '3 | matched 1',
  ]);
});

test('elements of a list that is not only literals', () => {
  const text = configuration({ more: rule('claims.a in ["x", string(claims.b)]') });
  expect(outcomes(measure(text, [{ a: 'x', b: 'q' }]), 'list element')).toEqual([
    '"x" | matched 1',
  ]);
});

test('elements of a list that a macro iterates over', () => {
  const text = configuration({ more: rule('["x", "y", "z"].exists(p, claims.a.startsWith(p))') });
  expect(outcomes(measure(text, [{ a: 'y1' }, { a: 'q' }]), 'list element')).toEqual([
    '"x" | matched 0',
    '"y" | matched 1',
    '"z" | matched 0',
  ]);
});

test('elements of a list inside another loop', () => {
  const text = configuration({
    more: rule('dyn(claims.l).all(g, ["x", "y"].exists(p, g.startsWith(p)))'),
  });
  expect(outcomes(measure(text, [{ l: ['y1', 'y2'] }]), 'list element')).toEqual([
    '"x" | matched 0',
    '"y" | matched 2',
  ]);
});

test('elements of a list that map reaches', () => {
  const username = `expression: '["a", "b"].map(x, x + claims.sub).join(",")'`;
  expect(outcomes(measure(configuration({ username }), [{}]), 'list element')).toEqual([
    '"a" | reached 1',
    '"b" | reached 1',
  ]);
});

test('issuers and audiences count accepted tokens', () => {
  const issuer = 'audiences: [app, cli]\n    audienceMatchPolicy: MatchAny';
  const text = configuration({ issuer, more: rule('claims.ok == true') });
  const claims = { exp: 2_000_000_000 };
  const coverage = measure(
    text,
    [
      { ...claims, aud: 'cli', ok: true },
      { ...claims, aud: ['other', 'cli'], ok: true },
      { ...claims, aud: 'app', ok: false },
      { ...claims, aud: 'other', ok: true },
    ],
    { isToken: true },
  );
  expect(outcomes(coverage, 'issuer')).toEqual(['https://a.example | accepted 2']);
  expect(outcomes(coverage, 'audience')).toEqual(['app | accepted 0', 'cli | accepted 2']);
  expect(outcomes(coverage, 'rejection')).toContain('AG5009 (audience-mismatch) | rejected 1');
  // The rules are not evaluated for a token of another audience.
  expect(outcomes(coverage, 'rule')).toEqual(['claims.ok == true | true 2 | false 1']);
});

test('reasons for rejections', () => {
  const text = configuration({
    username: 'claim: email\n      prefix: ""',
    more: `    groups:
      claim: groups
      prefix: ""
    uid:
      claim: uid
    extra:
    - key: example.com/a
      valueExpression: claims.a
  claimValidationRules:
  - claim: hd
    requiredValue: x
  - expression: claims.ok == true
  userValidationRules:
  - expression: user.username != "root"
`,
  });
  const good = { email: 'jane', uid: 'u', a: 'x', hd: 'x', ok: true };
  const cases: readonly (readonly [string, JsonObject])[] = [
    ['AG5009 (audience-mismatch)', { aud: 'other' }],
    ['AG5013 (username-mapping)', { email: 7 }],
    ['AG5014 (email-not-verified)', { email_verified: false }],
    ['AG5015 (groups-mapping)', { groups: 7 }],
    ['AG5016 (uid-mapping)', { uid: 7 }],
    ['AG5017 (extra-mapping)', { a: 7 }],
    ['AG5018 (required-claim)', { hd: 'y' }],
    ['AG5019 (claim-rule)', { ok: false }],
    ['AG5020 (user-rule)', { email: 'root' }],
  ];
  for (const [name, claims] of cases) {
    const one = { exp: 2_000_000_000, aud: 'app', ...good, ...claims };
    expect(outcomes(measure(text, [one], { isToken: true }), 'rejection').toSorted()).toEqual(
      cases.map(([other]) => `${other} | rejected ${other === name ? 1 : 0}`),
    );
  }
});

test('a case counts for the authenticator of its issuer only', () => {
  const [entry = ''] = /- issuer:[\s\S]*/.exec(configuration({})) ?? [];
  const text = configuration({}) + entry.replace('a.example', 'b.example');
  const coverage = measure(text, [{ iss: 'https://b.example' }, { iss: 'https://c.example' }]);
  expect(outcomes(coverage, 'issuer')).toEqual([
    'https://a.example | accepted 0',
    'https://b.example | accepted 1',
  ]);
});

test('an entry with an error has no places, and the others do', () => {
  const [entry = ''] = /- issuer:[\s\S]*/.exec(configuration({})) ?? [];
  const broken = entry
    .replace('https://a', 'http://b')
    .replace('claim: sub', 'expression: claims.');
  const { places } = measureCoverage(compileText(configuration({}) + broken), []);
  expect(new Set(places.map(({ at }) => at.slice(0, 6)))).toEqual(new Set(['jwt[0]']));
});

test('positions are those of the parts, also in quotes and blocks', () => {
  const text = configuration({
    more: `  claimValidationRules:
  - expression: 'claims.a == ''x'' || claims.b == ''y'''
  - expression: >-
      claims.c == "x" ||
      claims.d in ["y"]
`,
  });
  const { places } = measure(text, []);
  expect(
    places
      .filter(({ kind }) => kind === 'branch' || kind === 'list element')
      .map(({ span }) => text.slice(span.start, span.end)),
  ).toEqual([
    "claims.a == ''x''",
    "claims.b == ''y''",
    'claims.c == "x"',
    'claims.d in ["y"]',
    '"y"',
  ]);
});

test('the summary counts outcomes by kind, and each missing one has a sentence', () => {
  const coverage = measure(configuration({ more: rule('claims.a in ["x"]') }), [{ a: 'y' }]);
  const { byKind, total } = coverageSummary(coverage);
  expect([...byKind].map(([kind, { covered, all }]) => `${kind} ${covered}/${all}`)).toEqual([
    'issuer 0/1',
    'audience 0/1',
    'mapping 1/1',
    'rule 1/2',
    'list element 0/1',
    'rejection 1/3',
  ]);
  expect(total).toEqual({ covered: 3, all: 9 });
  expect(coveragePercent(total)).toBeCloseTo(33.3, 1);
  expect(coveragePercent({ covered: 0, all: 0 })).toBe(100);
  expect(coverage.places.flatMap(missingOutcomes)).toEqual([
    'no case is accepted as a token of https://a.example',
    'no case is rejected for AG5009 (audience-mismatch)',
    'no case is accepted for the audience "app"',
    'no case is rejected for AG5013 (username-mapping)',
    'no case makes the rule true: claims.a in ["x"]',
    'no case matches the element "x"',
  ]);
});
