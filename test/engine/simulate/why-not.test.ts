/** `whyNot` suggests the smallest changes of claims that would be accepted, the nearest first. */
import { describe, expect, test } from 'vitest';
import { editDistance } from '../../../engine/src/formats/edit-distance.ts';
import { type ClaimSet, readClaims } from '../../../engine/src/signed-token/payload.ts';
import { preview } from '../../../engine/src/simulate/preview/preview.ts';
import { closestAccepted } from '../../../engine/src/simulate/why-not/closest-accepted.ts';
import { nearestValue } from '../../../engine/src/simulate/why-not/nearest-value.ts';
import { whyNot } from '../../../engine/src/simulate/why-not/why-not.ts';
import { cases } from '../../support/cases.ts';
import { compileText } from '../../support/compile-text.ts';

const now = Date.parse('2026-01-01T00:00:00Z');

const claimSet = (claims: object): ClaimSet => {
  const set = readClaims(new TextEncoder().encode(JSON.stringify(claims)));
  if (set === undefined) throw new Error('no claims');
  return set;
};

/** Returns the suggested changes, and checks that each of them is accepted. */
const suggest = (
  entry: string,
  claims: object,
  { more = '', others = [] }: { readonly more?: string; readonly others?: readonly object[] } = {},
): readonly string[] => {
  const compilation = compileText(
    `apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\njwt:\n- issuer: { url: https://a.example, audiences: [app] }\n${entry}\n${more}`,
  );
  expect(compilation.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const set = claimSet(claims);
  const found = whyNot(compilation, set, { now, others: others.map(claimSet) });
  for (const { claims: changed } of found) {
    const { decision } = preview(compilation, { claims: changed, unreadable: new Map() });
    expect(decision?.kind).toBe('accepted');
  }
  return found.map(({ text }) => text);
};

const username = `  claimMappings: { username: { claim: sub, prefix: 'oidc:' } }`;
const jane = { iss: 'https://a.example', sub: 'jane' };
const rule = (expression: string): string =>
  `${username}\n  claimValidationRules: [{ expression: ${JSON.stringify(expression)}, message: never }]`;
const userRule = (expression: string, mappings = username): string =>
  `${mappings}\n  userValidationRules: [{ expression: ${JSON.stringify(expression)}, message: never }]`;

test.each<readonly [string, string, object, readonly string[]]>([
  [
    'a required value',
    `${username}\n  claimValidationRules: [{ claim: hd, requiredValue: corp.example }]`,
    { ...jane, hd: 'other.example' },
    ['if hd were "corp.example"'],
  ],
  [
    'a claim compared with a string',
    rule('claims.hd == "corp.example"'),
    jane,
    ['if hd were "corp.example"'],
  ],
  [
    'a claim compared with a list',
    rule('claims.env in ["prod", "test"]'),
    { ...jane, env: 'dev' },
    ['if env were "prod"', 'if env were "test"'],
  ],
  [
    'an item of a list',
    rule('"admins" in dyn(claims.groups)'),
    { ...jane, groups: ['dev'] },
    ['if groups also contained "admins"'],
  ],
  [
    'an item that a macro looks for',
    rule('dyn(claims.groups).exists(g, g == "admins")'),
    { ...jane, groups: ['dev'] },
    ['if groups also contained "admins"'],
  ],
  [
    'the end of an address',
    rule('claims.email.endsWith("@corp.example")'),
    { ...jane, email: 'jane@home.example' },
    ['if email were "jane@corp.example"'],
  ],
  [
    'the end of an address, with a name in it',
    rule('claims.email.endsWith("staff@corp.example")'),
    { ...jane, email: 'jane@corp.example' },
    ['if email were "staff@corp.example"'],
  ],
  [
    'the beginning of an address, with a domain in it',
    rule('claims.email.startsWith("staff@")'),
    { ...jane, email: 'jane@corp.example' },
    ['if email were "staff@corp.example"', 'if email were "staff@"'],
  ],
  [
    'a part of an address, with a name in it',
    rule('claims.email.contains("staff@corp.example")'),
    { ...jane, email: 'jane@corp.example' },
    ['if email were "staff@corp.example"'],
  ],
  [
    'a prefix',
    rule('claims.sub.startsWith("corp-")'),
    jane,
    ['if sub were "corp-jane"', 'if sub were "corp-"'],
  ],
  [
    'a Boolean claim',
    rule('claims.admin == true'),
    { ...jane, admin: false },
    ['if admin were true'],
  ],
  [
    'a numeric claim',
    rule('int(claims.level) >= 3'),
    { ...jane, level: 1 },
    ['if level were 3', 'if level were 4'],
  ],
  [
    'a nested claim',
    rule('"ops" in dyn(claims.realm.roles)'),
    jane,
    ['if realm.roles contained "ops"'],
  ],
  [
    'a claim that must be present',
    rule('has(claims.email)'),
    jane,
    ['if email were present, such as "jane@example.com"'],
  ],
  [
    'two claims together',
    rule('claims.hd == "corp.example" && claims.admin == true'),
    jane,
    ['if admin were true, and hd were "corp.example"'],
  ],
  [
    'two rules, one after the other',
    `${username}\n  claimValidationRules: [{ claim: hd, requiredValue: corp.example }, { claim: env, requiredValue: prod }]`,
    jane,
    ['if env were "prod", and hd were "corp.example"'],
  ],
  [
    'an address that is not verified',
    `  claimMappings: { username: { claim: email, prefix: '' } }`,
    { ...jane, email: 'jane@corp.example', email_verified: false },
    ['if email_verified were true'],
  ],
  [
    'a username claim that is missing',
    `  claimMappings: { username: { claim: upn, prefix: '' } }`,
    jane,
    ['if upn were present, such as "jane@example.com"'],
  ],
  [
    'a username expression that reads a missing claim',
    `  claimMappings: { username: { expression: '"x:" + claims.login' } }`,
    jane,
    ['if login were present, such as "jane"'],
  ],
  [
    'groups of the wrong type',
    `  claimMappings: { username: { claim: sub, prefix: '' }, groups: { claim: groups, prefix: '' } }`,
    { ...jane, groups: 7 },
    ['if groups were "7"'],
  ],
  [
    'a reserved username',
    userRule(
      '!user.username.startsWith("system:")',
      `  claimMappings: { username: { claim: sub, prefix: '' } }`,
    ),
    { ...jane, sub: 'system:jane' },
    ['if sub were "jane"'],
  ],
  [
    'a group of the user, without the prefix that the mapping adds',
    userRule(
      '"oidc:admins" in user.groups',
      `  claimMappings: { username: { claim: sub, prefix: '' }, groups: { claim: groups, prefix: 'oidc:' } }`,
    ),
    { ...jane, groups: ['dev'] },
    ['if groups also contained "admins"'],
  ],
  [
    'a group that must not be there',
    userRule(
      'user.groups.all(g, !g.startsWith("system:"))',
      `  claimMappings: { username: { claim: sub, prefix: '' }, groups: { claim: groups, prefix: '' } }`,
    ),
    { ...jane, groups: ['dev', 'system:masters'] },
    ['if groups did not contain "system:masters"'],
  ],
  [
    'an extra value',
    userRule(
      'user.extra["example.com/team"][0] == "blue"',
      `  claimMappings: { username: { claim: sub, prefix: '' }, extra: [{ key: example.com/team, valueExpression: claims.team }] }`,
    ),
    { ...jane, team: 'red' },
    ['if team were "blue"'],
  ],
  [
    'an issuer',
    username,
    { iss: 'https://a.example/', sub: 'jane' },
    ['if iss were "https://a.example"'],
  ],
])('suggests changes for %s', (_, entry, claims, expected) => {
  expect(suggest(entry, claims)).toEqual(expected);
});

test.each([
  ['an accepted token', username],
  ['a rule that no value passes', rule('claims.sub == "a" && claims.sub == "b"')],
  ['a claim whose values are unknown', rule('has(claims.department)')],
  ['more than two claims', rule('claims.a == "1" && claims.b == "2" && claims.c == "3"')],
  ['a pattern that is no list of values', rule('claims.sub.matches("^v[0-9]+$")')],
])('suggests nothing for %s', (_, entry) => {
  expect(suggest(entry, jane)).toEqual([]);
});

test('suggests the most similar of several issuers', () => {
  expect(
    suggest(
      `${username}\n  claimValidationRules: [{ claim: hd, requiredValue: x }]`,
      { iss: 'https://b.exampel', sub: 'jane', aud: 'web' },
      { more: `- issuer: { url: https://b.example, audiences: [web] }\n${username}` },
    ),
  ).toEqual(['if iss were "https://b.example"']);
});

test('suggests a claim that is named like a member of Object.prototype', () => {
  const entry = `${username}\n  claimValidationRules: [{ claim: __proto__, requiredValue: x }]`;
  expect(suggest(entry, jane)).toEqual(['if __proto__ were "x"']);
});

test('prints a hostile value on one line', () => {
  const [text = ''] = suggest(
    `${username}\n  claimValidationRules: [{ claim: hd, requiredValue: "a\\n\\u202eb" }]`,
    jane,
  );
  expect(text).not.toMatch(/[\n\u202e]/);
});

test('suggests nothing for a rule with many claims', () => {
  const many = Array.from({ length: 30 }, (_, index) => `claims.c${index} == "v"`).join(' && ');
  expect(suggest(rule(many), jane)).toEqual([]);
});

test('ends soon for long claims with many conditions and many samples', () => {
  const many = Array.from({ length: 30 }, (_, index) => `claims.c${index} == "v"`).join(' && ');
  const long = Object.fromEntries(
    Array.from({ length: 30 }, (_, index) => [`c${index}`, 'x'.repeat(5000)]),
  );
  const others = Array.from({ length: 100 }, (_, index) => ({
    ...jane,
    [`c${index % 30}`]: `${index}`,
  }));
  const started = performance.now();
  expect(suggest(rule(many), { ...jane, ...long }, { others })).toEqual([]);
  expect(performance.now() - started).toBeLessThan(2000);
});

test('suggests accepted changes for most recorded tokens that are rejected', () => {
  const rejections = cases<{ readonly config?: string; readonly token?: string }>(
    'conformance/authenticate.jsonl',
  ).flatMap(({ input }) => {
    const payload = input.token?.split('.')[1];
    const claims =
      payload === undefined ? undefined : readClaims(Buffer.from(payload, 'base64url'));
    const compilation = compileText(input.config ?? '');
    if (claims === undefined || compilation.graph === undefined) return [];
    return preview(compilation, claims).decision?.kind === 'rejected'
      ? [{ compilation, claims }]
      : [];
  });
  let helped = 0;
  for (const { compilation, claims } of rejections) {
    const found = whyNot(compilation, claims, { now });
    if (found.length > 0) helped += 1;
    expect(found.length).toBeLessThanOrEqual(3);
    for (const { claims: changed } of found) {
      const { decision } = preview(compilation, { claims: changed, unreadable: new Map() });
      expect(decision?.kind).toBe('accepted');
    }
  }
  // The other tokens are rejected by rules that no claim can satisfy.
  expect(helped).toBeGreaterThan(rejections.length / 2);
});

describe('with other samples of the issuer', () => {
  const main = {
    ...jane,
    environment: 'prod',
    event_name: 'push',
    ref: 'refs/heads/main',
    teams: ['ops'],
  };
  const pull = { ...jane, event_name: 'pull_request', ref: 'refs/pull/7/merge', teams: ['dev'] };
  const otherIssuer = { ...main, iss: 'https://b.example', ref: 'refs/heads/other' };
  const cases: readonly (readonly [string, string, readonly string[]])[] = [
    ['their value of a missing claim', 'has(claims.environment)', ['if environment were "prod"']],
    [
      'their value for a rule that excludes one',
      'claims.event_name != "pull_request"',
      ['if event_name were "push"'],
    ],
    [
      'their value instead of a path with another beginning',
      'claims.ref.startsWith("refs/heads/")',
      ['if ref were "refs/heads/main"'],
    ],
    [
      'their value for a pattern',
      'claims.ref.matches("^refs/heads/[a-z]+$")',
      ['if ref were "refs/heads/main"'],
    ],
    [
      'no list in place of a string',
      'claims.event_name in ["push"]',
      ['if event_name were "push"'],
    ],
    [
      'two values',
      'has(claims.environment) && claims.event_name == "push"',
      ['if environment were "prod", and event_name were "push"'],
    ],
    [
      'nothing if three values differ',
      'has(claims.environment) && claims.event_name == "push" && claims.ref == "refs/heads/main"',
      [],
    ],
  ];
  test.each(cases)('suggests %s', (_, expression, expected) => {
    expect(suggest(rule(expression), pull, { others: [otherIssuer, main] })).toEqual(expected);
  });
  test('suggests values of the same type only', () => {
    const entry = rule('claims.level != 1');
    const others = [
      { ...jane, level: 'high' },
      { ...jane, level: [2] },
      { ...jane, level: 3 },
    ];
    expect(suggest(entry, { ...jane, level: 1 }, { others })).toEqual(['if level were 3']);
  });

  const closest = (expression: string, claims: object, others: readonly object[]) =>
    closestAccepted(
      compileText(
        `apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\njwt:\n- issuer: { url: https://a.example, audiences: [app] }\n${rule(expression)}\n`,
      ),
      claimSet(claims),
      others.map((other, index) => ({ name: `sample ${index}`, claims: claimSet(other) })),
    );
  const strict =
    'has(claims.environment) && claims.event_name == "push" && claims.ref == "refs/heads/main"';

  test('names the closest accepted sample and its differences in what rules read', () => {
    expect(closest(strict, pull, [otherIssuer, pull, main])).toBe(
      'sample 2 is accepted and has environment: "prod" instead of no value, event_name: "push" instead of "pull_request", ref: "refs/heads/main" instead of "refs/pull/7/merge"',
    );
  });
  test('names none if no other sample of the issuer is accepted', () => {
    expect(closest(strict, pull, [otherIssuer, pull])).toBeUndefined();
  });
  test('prints hostile values on one line, truncated', () => {
    const text = closest('claims.hd != "x"', { ...jane, hd: 'x' }, [
      { ...jane, hd: `a\n\u202e${'b'.repeat(1000)}` },
    ]);
    expect(text).not.toMatch(/[\n\u202e]/);
    expect(text?.length).toBeLessThan(200);
  });
});

describe('the most similar value', () => {
  test('is found after many copies of another value', () => {
    const copies = new Array<string>(5000).fill('unlike');
    expect(nearestValue('kubernets', [...copies, 'kubernetes'])).toEqual({
      index: 5000,
      rank: 1,
      relation: 'differs in one character',
    });
  });
  test.each([
    [['kubernetes-1', 'kubernetes'], 1],
    [['kubernetes', 'kubernets-', 'kubernetes'], 0],
    [['https://a.example', 'ube'], undefined],
  ])('of %j is number %s', (candidates, index) => {
    expect(nearestValue('kubernete', candidates)?.index).toBe(index);
  });
  test('has the same host, however much the rest differs', () => {
    const [a, b] = ['a', 'b'].map((name) => `https://x.example/${name.repeat(150)}`);
    expect(nearestValue(`${a}`, ['http://x', `${b}`])?.relation).toBe(
      'has the same host, x.example',
    );
  });
});

test('the edit distance is computed up to a bound', () => {
  for (const most of [1, 2, 3]) {
    const distance = editDistance('issuer', 'isuser-1', most);
    expect(distance > most ? 'larger' : distance).toBe(most < 3 ? 'larger' : 3);
  }
  // Computing all cells of these tables takes minutes.
  const [a, b] = ['a', 'b'].map((name) => name.repeat(100_000));
  expect(editDistance(`${a}`, `${b}`, 2)).toBeGreaterThan(2);
  expect(editDistance(`${a}x`, `${a}y`, 2)).toBe(1);
});
