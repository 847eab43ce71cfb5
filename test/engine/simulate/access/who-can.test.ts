/** Who can become a user or a member of a group: an example, or a proof that no one can. */
import { describe, expect, test } from 'vitest';
import type { WhoCanTarget } from '../../../../engine/src/simulate/access/wanted-user.ts';
import { whoCan } from '../../../../engine/src/simulate/access/who-can.ts';
import { sideOf } from './compare-texts.ts';
import { configuration, type Parts } from './configurations.ts';

const masters: WhoCanTarget = { field: 'groups', value: 'system:masters', match: 'exact' };
const anySystem: WhoCanTarget = { field: 'groups', value: 'system:m', match: 'prefix' };
const named = (value: string, match: WhoCanTarget['match'] = 'exact'): WhoCanTarget => ({
  field: 'username',
  value,
  match,
});
const extra = (value: string): WhoCanTarget => ({
  field: 'extra',
  key: 'example.com/team',
  value,
  match: 'exact',
});
const expression = (text: string): string => `{expression: ${JSON.stringify(text)}}`;

/** The claims of an example, apart from issuer and audience. */
type Expected = 'proved' | 'undecided' | Readonly<Record<string, unknown>>;

const cases: readonly (readonly [string, Parts, WhoCanTarget, Expected])[] = [
  [
    'a claim without a guard',
    { groups: "{claim: groups, prefix: ''}" },
    masters,
    { groups: 'system:masters' },
  ],
  ['a prefix', { groups: "{claim: groups, prefix: 'oidc:'}" }, masters, 'proved'],
  [
    'a prefix that leads to the group',
    { groups: "{claim: groups, prefix: 'system:'}" },
    masters,
    { groups: 'masters' },
  ],
  [
    'a guard',
    {
      groups: "{claim: groups, prefix: ''}",
      userRules: ["!user.groups.exists(g, g.startsWith('system:'))"],
    },
    masters,
    'proved',
  ],
  [
    'a filter',
    { groups: expression("dyn(claims.groups).filter(g, g.startsWith('k8s:'))") },
    masters,
    'proved',
  ],
  [
    'a replacement with a guard that has a gap',
    {
      groups: expression("dyn(claims.groups).map(g, g.replace('oidc:', ''))"),
      userRules: ["!user.groups.exists(g, g.startsWith('system:') && g != 'system:masters')"],
    },
    masters,
    { groups: ['system:masters'] },
  ],
  [
    'a replacement with a complete guard',
    {
      groups: expression("dyn(claims.groups).map(g, g.replace('oidc:', ''))"),
      userRules: ["!('system:masters' in user.groups)"],
    },
    masters,
    'proved',
  ],
  ['no groups', {}, masters, 'proved'],
  [
    'the group of all users',
    {},
    { field: 'groups', value: 'system:authenticated', match: 'exact' },
    { sub: 'x' },
  ],
  [
    'any system group',
    { groups: expression("claims.roles.split(',')[1]") },
    anySystem,
    { roles: ',system:m' },
  ],
  [
    'a rule on the claim',
    {
      groups: "{claim: groups, prefix: ''}",
      rules: ["dyn(claims.groups).all(g, !g.startsWith('system:'))"],
    },
    anySystem,
    'proved',
  ],
  [
    'a rule that only looks at strings in lower case',
    {
      groups: expression('claims.group.lowerAscii()'),
      rules: ["!claims.group.startsWith('system:')"],
    },
    masters,
    { group: expect.stringMatching(/^system:masters$/i) },
  ],
  ['a username', { username: "{claim: sub, prefix: 'u:'}" }, named('u:admin'), { sub: 'admin' }],
  [
    'a username with another prefix',
    { username: "{claim: sub, prefix: 'u:'}" },
    named('admin'),
    'proved',
  ],
  [
    'the issuer in the username',
    { username: expression("claims.iss + '#' + claims.sub") },
    named('https://idp.example.com#a'),
    { sub: 'a' },
  ],
  [
    'a user of the system',
    {
      username: expression('claims.email'),
      rules: ["claims.email.endsWith('@example.com') && claims.email_verified"],
    },
    named('system:', 'prefix'),
    { email: 'system:@example.com' },
  ],
  [
    'a username with a regular expression',
    { username: expression('claims.sub'), rules: ["claims.sub.matches('^[a-z]+$')"] },
    named('system:k', 'prefix'),
    'proved',
  ],
  [
    'an extra value',
    { extra: { 'example.com/team': 'claims.team' } },
    extra('admins'),
    { team: 'admins', sub: 'x' },
  ],
  [
    'an extra value with a rule',
    { extra: { 'example.com/team': 'claims.team' }, rules: ["claims.team in ['a', 'b']"] },
    extra('admins'),
    'proved',
  ],
  [
    'a rule that compares parts of claims',
    {
      groups: "{claim: groups, prefix: ''}",
      rules: [
        "dyn(claims.groups).exists(g, g == claims.team + '-x')",
        "claims.kind.indexOf('b') == 9 && claims.kind.size() < 5",
      ],
    },
    masters,
    'undecided',
  ],
  [
    'claims that are joined',
    { username: expression("claims.a + ':' + claims.b") },
    named('x:y:z'),
    'undecided',
  ],
  [
    'a rule that can never hold',
    { groups: "{claim: groups, prefix: ''}", rules: ["claims.a == 'x' && claims.a == 'y'"] },
    masters,
    'proved',
  ],
];

describe('who can', () => {
  test.each(cases)('%s', (_name, parts, target, expected) => {
    const answer = whoCan(sideOf(configuration(parts)), target);
    if (typeof expected === 'string') {
      expect(answer.kind).toBe(expected);
      return;
    }
    expect(answer.kind).toBe('found');
    if (answer.kind !== 'found') return;
    const [example] = answer.examples;
    expect(example?.witness).toMatchObject({ audience: 'kube', claims: expected });
    expect(example?.cause[0]?.span).toBeDefined();
  });

  test.each([
    ['only the issuer', 'u:', 'jwt[0].issuer', 'https://idp.example.com'],
    // kube-apiserver does not add the group to this user.
    ['its mapping', '', 'jwt[0].claimMappings.groups', 'groups'],
  ])('the group of all users, because of %s', (_name, prefix, at, rule) => {
    const username =
      prefix === '' ? expression("'system:anonymous'") : `{claim: sub, prefix: '${prefix}'}`;
    const text = configuration({ username, groups: "{claim: groups, prefix: ''}" });
    const target = { field: 'groups', value: 'system:authenticated', match: 'exact' } as const;
    expect(whoCan(sideOf(text), target)).toMatchObject({
      kind: 'found',
      examples: [{ cause: [{ at, rule }] }],
    });
  });

  test('an anonymous request', () => {
    const text = `${configuration({})}anonymous: {enabled: true, conditions: [{path: /livez}]}\n`;
    const answer = whoCan(sideOf(text), {
      field: 'groups',
      value: 'system:unauthenticated',
      match: 'exact',
    });
    expect(answer).toMatchObject({
      kind: 'found',
      examples: [{ witness: { request: { path: '/livez' } } }],
    });
  });
});
