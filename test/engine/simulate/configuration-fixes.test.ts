/**
 * Fixes of the configuration for rejected claims: each works, and its title says whether it admits
 * tokens, as a comparison for all tokens shows.
 */
import { describe, expect, test } from 'vitest';
import { compile } from '../../../engine/src/compile/compile.ts';
import { readClaims } from '../../../engine/src/signed-token/payload.ts';
import { preview } from '../../../engine/src/simulate/preview/preview.ts';
import { configurationFixes } from '../../../engine/src/simulate/remedies/configuration-fixes.ts';
import { sourceFile } from '../../../engine/src/source/source-file.ts';
import { applyEdits } from '../../../engine/src/source/text-edit.ts';
import { accessChangesOf } from '../../support/access-of-fix.ts';

const head = `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer: {url: https://a.example, audiences: [app]}
  claimMappings: {username: {claim: sub, prefix: "a:"}`;
const withRule = (expression: string): string =>
  `${head}}\n  claimValidationRules:\n  - expression: ${JSON.stringify(expression)}\n`;
const withMapping = (field: string, expression: string): string =>
  `${head}, ${field}: {expression: ${JSON.stringify(expression)}}}\n`;

const compiled = (text: string) => compile({ source: sourceFile('auth.yaml', text) });
const claimSet = (claims: object) => {
  const read = readClaims(new TextEncoder().encode(JSON.stringify(claims)));
  if (read === undefined) throw new Error('the claims are no object');
  return read;
};
const own = { iss: 'https://a.example', aud: 'app', sub: 'jane', exp: 4_102_444_800 };
const fixesOf = (text: string, claims: object, entry = 0) =>
  configurationFixes(compiled(text), claimSet({ ...own, ...claims }), {
    entry,
    range: { start: 0, end: text.length },
    now: 0,
  });

const admitsNoOne = [
  withRule("claims.hd == 'corp.example'"),
  withRule("claims.email.endsWith('@corp.example') && claims.email_verified"),
  withRule('claims.level >= 3'),
  withRule("'dev' in claims.groups"),
  withRule("claims.a.b.c == 'x'"),
  withRule("claims['a-name'] == 'x'"),
  withRule("claims.hd == 'x' && claims.level == 2"),
  withRule('claims.admin == true'),
];
const admits = [
  withRule("claims.type != 'guest'"),
  withRule('!(claims.blocked == true)'),
  withRule('size(claims.nonce) < 40'),
  withRule("!('blocked' in claims.groups)"),
  withMapping('groups', 'claims.groups'),
  withMapping('groups', "claims.guest == true ? ['guests'] : ['staff']"),
];

const named = [...admitsNoOne, ...admits].map((text) => ({
  name: text.slice(text.lastIndexOf('expression:')).trim(),
  text,
}));

/** Two authenticators, each with a rule and audiences. */
const withAlias = (first: string, second: string, audiences = ['[app]', '[app]']): string =>
  `apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\njwt:\n${[
    first,
    second,
  ]
    .map(
      (rule, index) => `- issuer:
    url: https://${'ab'[index]}.example
    audiences: ${audiences[index]}
    audienceMatchPolicy: MatchAny
  claimMappings: {username: {claim: sub, prefix: "a:"}}
  claimValidationRules:
  - expression: ${rule}
`,
    )
    .join('')}`;
const twoEntries = withAlias("claims.hd == 'x'", "claims.hd == 'y'");
const withUsername = (expression: string): string =>
  withRule('true').replace(
    '{claim: sub, prefix: "a:"}',
    `{expression: ${JSON.stringify(expression)}}`,
  );
const other = { aud: 'other' };

describe.each(named)('$name', ({ text }) => {
  const fixes = fixesOf(text, {});
  const [fix] = fixes;
  const after = applyEdits(text, fix?.edits ?? []);
  test('has one fix, after which no claim is missing', () => {
    expect(fixes).toHaveLength(1);
    const { parts } = preview(compiled(after), claimSet(own));
    const outcomes = [...parts.values()].map(({ outcome }) => outcome);
    expect(outcomes).not.toContainEqual(expect.objectContaining({ cause: 'error' }));
  });
  test('has a title that says whether tokens are admitted', () => {
    const admitted = accessChangesOf(text, after);
    expect(admitted.filter((kind) => kind !== 'gained')).toEqual([]);
    expect(fix?.title).toMatch(
      admitted.includes('gained') ? /: accepts tokens without / : /: no one gains access by /,
    );
  });
});

test('both kinds of fixes are covered', () => {
  const titles = [...admitsNoOne, ...admits].map((text) => fixesOf(text, {})[0]?.title ?? '');
  expect(titles.filter((title) => title.includes('no one gains'))).toHaveLength(admitsNoOne.length);
});

describe('there is no fix', () => {
  test.each([
    ['for accepted claims', withRule("claims.hd == 'x'"), { hd: 'x' }],
    ['for a rule that is false', withRule("claims.hd == 'x'"), { hd: 'y' }],
    ['for a claim of another type', withRule('claims.level > 3'), { level: 'high' }],
    ['for a name in a presence test', withRule('has(claims.a.b)'), {}],
    ['for claims of another issuer', withRule("claims.hd == 'x'"), { iss: 'https://b.example' }],
    ['while the entry has errors', `${withRule("claims.hd == 'x'")}  extra: 1\n`, {}],
    ['for an audience that is no text', withRule("claims.sub == 'jane'"), { aud: [1, '', null] }],
    ['for a username', withUsername("claims.tenant + '/' + claims.sub"), {}],
    ['for a UID', withMapping('uid', 'claims.uid'), {}],
    [
      'that gives a group of Kubernetes',
      withMapping('groups', "claims.guest == true ? ['guests'] : ['system:masters']"),
      {},
    ],
    [
      'for one of two parts that lack the same claim',
      `${withRule("claims.hd == 'x'")}  - expression: claims.hd != 'y'\n`,
      {},
    ],
    ['for another authenticator', twoEntries, { iss: 'https://b.example' }],
    ['for an expression with an alias', withAlias("&rule claims.hd == 'x'", '*rule'), {}],
    [
      'for audiences with an alias',
      withAlias('"true"', '"true"', ['&app\n    - app', '*app']),
      other,
    ],
    ['for a very long audience', withRule("claims.sub == 'jane'"), { aud: 'a'.repeat(1001) }],
  ])('%s', (_, text, claims) => {
    expect(fixesOf(text, claims)).toEqual([]);
  });
});

test.each([
  ["claims.guest == true ? ['guests'] : ['staff']", 'guest; groups of the sample: ["staff"]'],
  ["[claims.role + 'masters']", 'role; groups of the sample: ["masters"]'],
  ['claims.groups', 'groups; groups of the sample: []'],
])('the fix of the groups %s names those of the sample', (expression, end) => {
  const [fix] = fixesOf(withMapping('groups', expression), {});
  expect(fix?.title).toMatch(/^Use claims\.\?.*: accepts tokens without /);
  expect(fix?.title.split(' tokens without ')[1]).toBe(end);
});

test('changes the requested one of two authenticators', () => {
  const claims = { iss: 'https://b.example' };
  expect(fixesOf(twoEntries, claims, 1)).toHaveLength(1);
  const shared = withAlias("&rule claims.hd == 'x'", "claims.type != 'y'");
  expect(fixesOf(shared, {})).toHaveLength(1);
  expect(fixesOf(shared, claims, 1)).toHaveLength(1);
});

test('at most three audiences of the claims are proposed', () => {
  const aud = Array.from({ length: 5000 }, (_, index) => `other-${index % 4000}`);
  const fixes = fixesOf(withRule('true'), { aud });
  expect(fixes.map(({ title }) => title)).toEqual(
    ['other-0', 'other-1', 'other-2'].map(
      (name) => `Add audience "${name}" to issuer.audiences: accepts tokens for it`,
    ),
  );
});

test('at most three claims of an expression are changed', () => {
  const joined = (count: number): string =>
    withRule(Array.from({ length: count }, (_, index) => `claims.c${index} != 'x'`).join(' && '));
  expect(fixesOf(joined(3), {})).toHaveLength(1);
  expect(fixesOf(joined(4), {})).toEqual([]);
});
