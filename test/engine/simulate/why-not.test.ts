/** `whyNot` suggests the smallest changes of claims that would be accepted, the nearest first. */
import { expect, test } from 'vitest';
import { readClaims } from '../../../engine/src/signed-token/payload.ts';
import { preview } from '../../../engine/src/simulate/preview/preview.ts';
import { whyNot } from '../../../engine/src/simulate/why-not/why-not.ts';
import { cases } from '../../support/cases.ts';
import { compileText } from '../../support/compile-text.ts';

const now = Date.parse('2026-01-01T00:00:00Z');

/** Returns the suggested changes, and checks that each of them is accepted. */
const suggest = (entry: string, claims: object, more = ''): readonly string[] => {
  const compilation = compileText(
    `apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\njwt:\n- issuer: { url: https://a.example, audiences: [app] }\n${entry}\n${more}`,
  );
  expect(compilation.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const set = readClaims(new TextEncoder().encode(JSON.stringify(claims)));
  if (set === undefined) throw new Error('no claims');
  const found = whyNot(compilation, set, { now });
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
    rule('has(claims.department)'),
    jane,
    ['if department were present, such as "value"'],
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
])('suggests nothing for %s', (_, entry) => {
  expect(suggest(entry, jane)).toEqual([]);
});

test('suggests the most similar of several issuers', () => {
  expect(
    suggest(
      `${username}\n  claimValidationRules: [{ claim: hd, requiredValue: x }]`,
      { iss: 'https://b.exampel', sub: 'jane', aud: 'web' },
      `- issuer: { url: https://b.example, audiences: [web] }\n${username}`,
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
