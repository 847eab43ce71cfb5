/** Mappings, user rules, audiences and issuers; what is undecided and why; what is compared as data. */
import { describe, expect, test } from 'vitest';
import { compareAccess } from '../../../../engine/src/simulate/access/compare-access.ts';
import { compareTexts, kindsOf, sideOf } from './compare-texts.ts';
import { configuration, type Parts } from './configurations.ts';

const expression = (text: string): string => `{expression: ${JSON.stringify(text)}}`;

type Kinds = readonly [gained: string, lost: string, changed: string];

const compareParts = (before: Parts, after: Parts) =>
  compareTexts(configuration(before), configuration(after));

const pairs: readonly (readonly [name: string, before: Parts, after: Parts, kinds: Kinds])[] = [
  [
    'a required claim',
    { requiredClaims: { hd: 'a' } },
    { rules: ["claims.hd == 'a'"] },
    ['proved', 'proved', 'proved'],
  ],
  [
    'a required claim that is null',
    { requiredClaims: { hd: '' } },
    { rules: ["claims.hd == ''"] },
    ['proved', 'found', 'proved'],
  ],
  ['an audience', {}, { audiences: ['kube', 'other'] }, ['found', 'proved', 'proved']],
  ['another audience', {}, { audiences: ['other'] }, ['found', 'found', 'proved']],
  [
    'an audience that a rule excludes',
    { rules: ["claims.aud == 'kube'"] },
    { rules: ["claims.aud == 'kube'"], audiences: ['kube', 'other'] },
    ['proved', 'proved', 'proved'],
  ],
  [
    'an audience in a list',
    { rules: ["'kube' in claims.aud"] },
    { rules: ["'kube' in claims.aud || claims.aud == 'kube'"] },
    ['found', 'proved', 'proved'],
  ],
  [
    'the type of a claim that go-oidc decodes',
    {
      rules: ['type(claims.sub) == string || claims.sub > 5'],
      username: "{claim: id, prefix: 'u:'}",
    },
    { rules: ['type(claims.sub) == string'], username: "{claim: id, prefix: 'u:'}" },
    ['proved', 'proved', 'proved'],
  ],
  [
    'a prefix of the username',
    { username: "{claim: sub, prefix: 'a:'}" },
    { username: "{claim: sub, prefix: 'b:'}" },
    ['proved', 'proved', 'found'],
  ],
  [
    'a username that is written as an expression',
    { username: "{claim: sub, prefix: 'a:'}" },
    { username: expression("'a' + ':' + dyn(claims.sub)") },
    // An expression accepts an empty claim and rejects null, a claim does the opposite.
    ['found', 'proved', 'proved'],
  ],
  [
    'an email address that must be verified',
    { username: "{claim: email, prefix: ''}" },
    { username: expression('claims.email'), rules: ['claims.email_verified == true'] },
    ['proved', 'found', 'proved'],
  ],
  [
    'usernames that follow from a claim',
    { username: expression("claims.a == 'x' ? 'admin' : 'user'") },
    { username: expression("claims.a != 'x' ? 'user' : 'admin'") },
    ['proved', 'proved', 'proved'],
  ],
  [
    'usernames that follow from a claim and differ',
    { username: expression("claims.a == 'x' ? 'admin' : 'user'") },
    { username: expression("claims.a in ['x', 'y'] ? 'admin' : 'user'") },
    ['proved', 'proved', 'found'],
  ],
  [
    'groups of a string',
    { groups: "{claim: g, prefix: ''}", userRules: ["!('a' in user.groups)"] },
    {
      groups: "{claim: g, prefix: ''}",
      userRules: ["!('a' in user.groups) || type(user.groups) != list"],
    },
    ['proved', 'proved', 'proved'],
  ],
  [
    'an empty group, which an expression leaves out',
    { groups: "{claim: g, prefix: ''}", userRules: ["!('' in user.groups)"] },
    { groups: expression('claims.g'), userRules: ["!('' in user.groups)"] },
    ['found', 'found', 'undecided'],
  ],
  [
    'an element of groups that is null',
    { groups: "{claim: g, prefix: 'x:'}", userRules: ["!('x:' in user.groups)"] },
    { groups: "{claim: g, prefix: 'x:'}" },
    ['found', 'proved', 'proved'],
  ],
  [
    'a filter before and after',
    { groups: expression("dyn(claims.g).filter(i, i.startsWith('a'))") },
    { groups: expression("dyn(claims.g).filter(other, other.startsWith('a'))") },
    ['proved', 'proved', 'proved'],
  ],
  [
    'a guard in a user rule and in a claim rule',
    { userRules: ["!user.username.startsWith('u:system:')"] },
    { rules: ["!claims.?sub.orValue('').startsWith('system:')"] },
    ['proved', 'proved', 'proved'],
  ],
  [
    'a uid',
    { uid: '{claim: sub}' },
    { uid: expression('claims.sub') },
    ['proved', 'proved', 'proved'],
  ],
  ['another uid', { uid: '{claim: sub}' }, { uid: '{claim: id}' }, ['proved', 'found', 'found']],
  [
    'an extra key',
    { extra: { 'example.com/a': 'claims.a' } },
    { extra: { 'example.com/b': 'claims.a' } },
    ['proved', 'proved', 'found'],
  ],
  [
    'extra values in another order',
    { extra: { 'example.com/a': 'claims.a', 'example.com/b': 'claims.b' } },
    { extra: { 'example.com/b': 'claims.b', 'example.com/a': 'claims.a' } },
    ['proved', 'proved', 'proved'],
  ],
  [
    'a rule on the extra of a user whose mapping changes',
    {
      extra: { 'example.com/a': 'claims.a' },
      userRules: ["user.extra['example.com/a'].exists(x, x == 'a')"],
    },
    {
      extra: { 'example.com/a': 'claims.b' },
      userRules: ["user.extra['example.com/a'].exists(x, x == 'a')"],
    },
    ['found', 'found', 'found'],
  ],
  [
    'rules that no token can pass',
    { rules: ["claims.a == 'x'", "claims.a == 'y'"], username: "{claim: sub, prefix: 'a:'}" },
    { rules: ["claims.a == 'x'", "claims.a == 'z'"], username: "{claim: sub, prefix: 'b:'}" },
    ['proved', 'proved', 'proved'],
  ],
  [
    'an issuer that no token passes',
    { issuer: 'https://a.example.com', rules: ['false'] },
    { issuer: 'https://b.example.com', rules: ['1 > 2'] },
    ['proved', 'proved', 'proved'],
  ],
  [
    'another issuer',
    { issuer: 'https://a.example.com' },
    { issuer: 'https://b.example.com' },
    ['found', 'found', 'proved'],
  ],
  [
    'both spellings of the issuer of Google',
    {
      issuer: 'https://accounts.google.com',
      rules: ["claims.iss == 'https://accounts.google.com'"],
    },
    { issuer: 'https://accounts.google.com' },
    ['found', 'proved', 'proved'],
  ],
  [
    'a claim that is compared with the issuer of Google',
    { issuer: 'https://accounts.google.com', rules: ['claims.iss == claims.a'] },
    {
      issuer: 'https://accounts.google.com',
      rules: ["claims.iss == claims.a && claims.a.startsWith('https')"],
    },
    ['proved', 'found', 'proved'],
  ],
  [
    'joined lists as groups',
    { groups: expression('dyn(claims.g) + dyn(claims.h)'), userRules: ["!('a' in user.groups)"] },
    {
      groups: expression('dyn(claims.g) + dyn(claims.h)'),
      userRules: ["!('a' in user.groups)", "!('b' in user.groups)"],
    },
    ['proved', 'found', 'proved'],
  ],
  [
    'an optional item of groups',
    { groups: expression('[claims.?g]'), userRules: ["!('a' in user.groups)"] },
    { groups: expression('[claims.?g]') },
    ['found', 'proved', 'proved'],
  ],
  [
    'claims that are joined after a literal',
    {
      username: expression("'a:' + claims.a + claims.b"),
      userRules: ["!user.username.startsWith('system:')"],
    },
    { username: expression("'a:' + claims.a + claims.b") },
    ['proved', 'proved', 'proved'],
  ],
  [
    'the parity of five claims',
    {
      rules: [
        "((claims.a == 'x') != (claims.b == 'x')) != ((claims.c == 'x') != ((claims.d == 'x') != (claims.e == 'x')))",
      ],
    },
    {
      rules: [
        "(((claims.a == 'x') != (claims.b == 'x')) != (claims.c == 'x')) != ((claims.d == 'x') != (claims.e == 'x'))",
      ],
    },
    ['proved', 'proved', 'proved'],
  ],
  [
    'a claim with a default',
    { username: expression('has(claims.upn) ? claims.upn : claims.sub') },
    { username: expression('claims.?upn.orValue(claims.sub)') },
    ['proved', 'proved', 'proved'],
  ],
  [
    'fields of list elements, which are not supported',
    { rules: ["dyn(claims.teams).exists(t, t.name == 'a')"] },
    { rules: ["dyn(claims.teams).exists(t, t.name == 'a' || t.name == 'b')"] },
    ['found', 'undecided', 'proved'],
  ],
  [
    'a number as a string and its order, which are not tested together',
    { rules: ["string(claims.s) == '12' && claims.s < 20"] },
    { rules: ["string(claims.s) == '12' && claims.s < 10"] },
    ['undecided', 'found', 'proved'],
  ],
  [
    'numbers that are subtracted',
    { rules: ['claims.exp - claims.nbf <= 3600'] },
    { rules: ['claims.exp - claims.nbf <= 86400'] },
    ['found', 'undecided', 'proved'],
  ],
  [
    'a network',
    { rules: ["cidr('10.0.0.0/8').containsIP(claims.ip)"] },
    { rules: ["cidr('10.0.0.0/7').containsIP(claims.ip)"] },
    ['found', 'undecided', 'proved'],
  ],
  [
    'an unsupported rule that both have',
    { rules: ["cidr('10.0.0.0/8').containsIP(claims.ip)", "claims.a.startsWith('ab')"] },
    { rules: ["claims.a.startsWith('a')", "cidr('10.0.0.0/8').containsIP(claims.ip)"] },
    ['found', 'proved', 'proved'],
  ],
  [
    'an unsupported rule on the same claim, which decides whether there is a change',
    { rules: ["claims.a.lowerAscii().indexOf('zz') == 9", "claims.a.startsWith('zz')"] },
    { rules: ["claims.a.lowerAscii().indexOf('zz') == 9"] },
    ['undecided', 'proved', 'proved'],
  ],
  [
    'an unsupported rule on the same claim, which does not matter',
    { rules: ["claims.a.indexOf('q') == 7", "claims.a.startsWith('y')"] },
    { rules: ["claims.a.indexOf('q') == 7", "claims.a.startsWith('yz')"] },
    ['proved', 'undecided', 'proved'],
  ],
];

describe('the parts of an authenticator', () => {
  test.each(pairs)('%s', (_name, before, after, [gained, lost, changed]) => {
    const comparison = compareParts(before, after);
    expect(kindsOf(comparison)).toEqual({ gained, lost, changed });
  });
});

test('a rule on the extra of a user changes with the mapping of the extra', () => {
  const userRules = ["user.extra['example.com/a'].exists(x, x == 'a')"];
  const comparison = compareParts(
    { extra: { 'example.com/a': "'a'" }, userRules },
    { extra: { 'example.com/a': "'b'" }, userRules },
  );
  expect(kindsOf(comparison)).toMatchObject({ lost: 'found' });
});

describe('an answer', () => {
  test('has the claims, both users and the line that makes the difference', () => {
    const before = configuration({ rules: ["claims.a == 'x'", "claims.b == 'y'"] });
    const after = configuration({ rules: ["claims.a == 'x'", "claims.b.startsWith('y')"] });
    const { gained } = compareTexts(before, after).verdicts;
    if (gained.kind !== 'found') throw new Error('the change was not found');
    const [change] = gained.changes;
    expect(change).toMatchObject({
      witness: {
        issuer: 'https://idp.example.com',
        audience: 'kube',
        claims: { iss: 'https://idp.example.com', aud: 'kube', sub: 'x', a: 'x', b: 'yx' },
      },
      before: null,
      after: { username: 'u:x', groups: ['system:authenticated'] },
      cause: [{ side: 'before', at: 'jwt[0].claimValidationRules[1]', rule: "claims.b == 'y'" }],
    });
    const span = change?.cause[0]?.span;
    expect(before.slice(span?.start, span?.end)).toContain("claims.b == 'y'");
  });

  test('names the construct and the field that prevent a proof', () => {
    const before = { rules: ["claims.a == 'x'", "claims.b.indexOf('bcd') == 9"] };
    const after = { rules: ["claims.a == 'x'", "claims.b.indexOf('bcd') == 8"] };
    const { gained } = compareParts(before, {
      ...after,
      groups: '{claim: b, prefix: "g:"}',
    }).verdicts;
    expect(gained).toMatchObject({
      kind: 'undecided',
      reasons: expect.arrayContaining([
        {
          construct: 'the function indexOf',
          place: expect.objectContaining({ side: 'after', at: 'jwt[0].claimValidationRules[1]' }),
        },
      ]),
    });
    expect(gained.kind === 'undecided' && gained.tried).toBeGreaterThan(100);
  });

  test('is the same in every run', () => {
    const texts = [
      configuration({
        rules: ['claims.a.reverse() == claims.b'],
        groups: expression("dyn(claims.g).map(x, x.replace('a', ''))"),
      }),
      configuration({
        rules: ['claims.a == claims.b.reverse()'],
        groups: expression("dyn(claims.g).filter(x, x != 'a')"),
      }),
    ] as const;
    expect(compareTexts(...texts)).toEqual(compareTexts(...texts));
  });

  test('is a proof for equal configurations without any evaluation', () => {
    const parts = { rules: ["ip(claims.a) == ip('10.0.0.1')"], groups: '{claim: g, prefix: "g:"}' };
    const comparison = compareParts(parts, parts);
    expect(kindsOf(comparison)).toEqual({ gained: 'proved', lost: 'proved', changed: 'proved' });
    expect(comparison.evaluations).toBe(0);
  });

  test('ends when the evaluations are used up', () => {
    const rule = (last: string): string =>
      `${Array.from({ length: 16 }, (_, index) => `(claims.c${index} == 'a') != (claims.d == '${index}')`).join(' && ')} && claims.d != '${last}'`;
    const comparison = compareParts(
      { rules: [rule('x')] },
      { rules: [rule('y'), 'claims.d.size() < 3'] },
    );
    expect(comparison.evaluations).toBeLessThanOrEqual(2_000_000);
  });
});

describe('settings', () => {
  test('are compared as data', () => {
    const before = configuration({});
    const after = configuration({
      issuerFields: { discoveryURL: 'https://mirror.example.com/.well-known/openid-configuration' },
    });
    const comparison = compareTexts(before, after);
    expect(kindsOf(comparison)).toEqual({ gained: 'proved', lost: 'proved', changed: 'proved' });
    expect(comparison.settings).toEqual([
      {
        setting: 'discoveryURL',
        issuer: 'https://idp.example.com',
        before: undefined,
        after: 'https://mirror.example.com/.well-known/openid-configuration',
      },
    ]);
  });

  test('anonymous requests that gain a path are found', () => {
    const anonymous = (paths: string): string =>
      `${configuration({})}anonymous: {enabled: true, conditions: ${paths}}\n`;
    const comparison = compareTexts(
      anonymous('[{path: /livez}]'),
      anonymous('[{path: /livez}, {path: /healthz}]'),
    );
    expect(kindsOf(comparison)).toEqual({ gained: 'found', lost: 'proved', changed: 'proved' });
    expect(comparison.verdicts.gained).toMatchObject({
      changes: [{ witness: { request: { path: '/healthz' } }, before: null }],
    });
    expect(comparison.settings).toMatchObject([{ setting: 'anonymous' }]);
  });

  test('another module is compared as data', () => {
    const side = sideOf(configuration({}));
    const other = {
      graph: { ...side.graph, staticToken: { module: 'staticToken' } },
    } as unknown as typeof side;
    expect(compareAccess(side, other).settings).toMatchObject([{ setting: 'staticToken' }]);
  });
});
