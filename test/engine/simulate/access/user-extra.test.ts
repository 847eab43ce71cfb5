/** User validation rules about `user.extra`: which changes are found, and which are proved not to exist. */
import { describe, expect, test } from 'vitest';
import { settingsFor } from '../../../../engine/src/compile/settings.ts';
import { tokenCredentialIdKey } from '../../../../engine/src/model/api-domain.ts';
import { newestRelease, type Release } from '../../../../engine/src/model/release.ts';
import type { AccessSide } from '../../../../engine/src/simulate/access/access-side.ts';
import { compareAccess } from '../../../../engine/src/simulate/access/compare-access.ts';
import { partsOfAuthenticator, whoCan } from '../../../../engine/src/simulate/access/who-can.ts';
import { compileText } from '../../../support/compile-text.ts';
import { compareTexts, graphOf, kindsOf, sideOf } from './compare-texts.ts';
import { configuration, type Parts } from './configurations.ts';

/** The mapping of an extra value, a rule before and after, and who gains and loses access. */
type Case = readonly [
  name: string,
  mapping: string,
  rules: readonly [before: string, after: string],
  change: 'gained' | 'lost' | 'both' | 'same',
];

const key = "'example.com/a'";
const list = `user.extra[${key}]`;
const optional = `user.extra[?${key}]`;
/** Only a token whose claim is a string passes. */
const ofString = "type(claims.a) == string ? string(claims.a) : ''";

const cases: readonly Case[] = [
  ['a value', 'claims.a', [`'x' in ${list}`, `'y' in ${list}`], 'both'],
  ['a value, same', 'claims.a', [`'x' in ${list}`, `${list}.exists(v, v == 'x')`], 'same'],
  [
    'the start of a value',
    'claims.a',
    [`${list}.all(v, v.startsWith('xy'))`, `${list}.all(v, v.startsWith('x'))`],
    'gained',
  ],
  [
    'a function of a claim',
    "'t:' + claims.a.lowerAscii()",
    [`'t:x' in ${list}`, `${list}.exists(v, v.startsWith('t:x'))`],
    'gained',
  ],
  [
    'a function of a claim, same',
    "'t:' + claims.a.lowerAscii()",
    [`'T:X' in ${list}`, 'false'],
    'same',
  ],
  // An empty string is no value, and a key without values is absent.
  ['an absent key of a string', ofString, [`!(${key} in user.extra)`, 'false'], 'lost'],
  ['a key that is present', "'t:' + claims.a", [`${key} in user.extra`, 'true'], 'same'],
  [
    'an absent key of list elements',
    "dyn(claims.a).filter(v, v != 'x')",
    [`!(${key} in user.extra)`, 'false'],
    'lost',
  ],
  ['a key, same', 'claims.a', [`${key} in user.extra`, `size(${list}) > 0`], 'same'],
  ['an optional key, same', 'claims.a', [`${optional}.hasValue()`, `${key} in user.extra`], 'same'],
  [
    'an optional key with a default',
    'claims.a',
    [`${optional}.orValue([]).all(v, v == 'x')`, `${list}.all(v, v == 'x')`],
    'lost',
  ],
  ['another key', 'claims.a', ["'example.com/b' in user.extra", 'false'], 'same'],
  ['another key in brackets', 'claims.a', ["'x' in user.extra['example.com/b']", 'false'], 'same'],
  ['has()', 'claims.a', ['has(user.extra.b)', 'false'], 'same'],
  ['has() of all values', 'claims.a', ['has(user.extra)', 'true'], 'same'],
  ['the number of values, same', ofString, [`size(${list}) == 1`, `${key} in user.extra`], 'same'],
  [
    'two statements about values',
    'claims.a',
    [`${list}.exists(v, v == 'x') && ${list}.exists(v, v == 'y')`, `${list}.exists(v, v == 'x')`],
    'gained',
  ],
  [
    'two statements about a list and its key',
    'claims.a',
    [`${key} in user.extra && !('x' in ${list})`, `!('x' in ${list}) && !('y' in ${list})`],
    'lost',
  ],
];

const parts = (mapping: string, rule: string): Parts => ({
  extra: { 'example.com/a': mapping },
  userRules: [rule],
});

const expected = {
  gained: { gained: 'found', lost: 'proved', changed: 'proved' },
  lost: { gained: 'proved', lost: 'found', changed: 'proved' },
  both: { gained: 'found', lost: 'found', changed: 'proved' },
  same: { gained: 'proved', lost: 'proved', changed: 'proved' },
} as const;

describe('a rule about extra values', () => {
  test.each(cases)('%s', (_name, mapping, [before, after], change) => {
    const comparison = compareTexts(
      configuration(parts(mapping, before)),
      configuration(parts(mapping, after)),
    );
    expect(kindsOf(comparison)).toEqual(expected[change]);
  });

  test.each([
    ['an element of the list', `${list}[0] == 'x'`, 'an element of a list is read'],
    ['all keys', "user.extra.all(k, k == 'example.com/a')", 'a loop over a computed list'],
    ['the number of keys', 'size(user.extra) == 1', 'the size of a computed value is compared'],
    ['a key of a claim', 'user.username in user.extra', 'a value is looked up in a computed list'],
    ['all extra values', 'user.extra == {}', 'a claim is compared with a computed value'],
    ['a time', `${list}.all(v, timestamp(v) < timestamp('2030-01-01T00:00:00Z'))`, 'timestamp'],
  ])('%s is not supported', (_name, rule, construct) => {
    const graph = graphOf(configuration(parts('claims.a', rule)));
    const [node] = graph.nodes;
    const compared = node && partsOfAuthenticator(node, graph, 'product');
    const unsupported = compared?.after?.parts.flatMap((part) => part.unsupported);
    expect(unsupported).toContainEqual(expect.stringContaining(construct));
  });
});

describe('the extra value for the ID of a token', () => {
  const text = configuration({ userRules: [] });
  const idKey = tokenCredentialIdKey(graphOf(text).apiDomain, newestRelease) ?? '';
  const target = { field: 'extra', key: idKey, value: 'JTI=a', match: 'exact' } as const;
  const withRule = (rule: string): string => configuration({ userRules: [rule] });

  test.each([
    ['no rule', 'true', 'found'],
    ['a rule about its key', `!('${idKey}' in user.extra)`, 'proved'],
    ['a rule about its value', `!user.extra['${idKey}'].exists(v, v == 'JTI=a')`, 'proved'],
    ['a rule about another value', `!('JTI=b' in user.extra['${idKey}'])`, 'found'],
  ])('with %s', (_name, rule, kind) => {
    expect(whoCan(sideOf(withRule(rule)), target).kind).toBe(kind);
  });

  const rule = `'${idKey}' in user.extra`;

  test('exists only since a release, also for rules that are the same', () => {
    const sideFor = (release: Release): AccessSide => {
      const { graph, origins } = compileText(withRule(rule), settingsFor(release));
      if (graph === undefined) throw new Error('the configuration has errors');
      return { graph, origins };
    };
    const comparison = compareAccess(sideFor(31), sideFor(32));
    expect(kindsOf(comparison)).toMatchObject({ gained: 'found', lost: 'proved' });
  });

  test('has the key of the API domain, also for rules that are the same', () => {
    const after = withRule(rule);
    const before = after.replace('apiserver.config.platform.io', 'apiserver.config.k8s.io');
    expect(kindsOf(compareTexts(before, after))).toMatchObject({ gained: 'found', lost: 'proved' });
  });
});

test('who can get an extra value that a rule about extra values excludes', () => {
  const target = { field: 'extra', key: 'example.com/a', value: 'admin', match: 'prefix' } as const;
  const answerTo = (rule: string) =>
    whoCan(sideOf(configuration(parts('claims.a', rule))), target).kind;
  expect(answerTo(`${list}.all(v, !v.startsWith('admin'))`)).toBe('proved');
  expect(answerTo(`!('admin' in ${list})`)).toBe('found');
});

test('a rule about a time leaves it undecided, with the line', () => {
  const rules = [
    "timestamp(claims.until) < timestamp('2000-01-01T00:00:00Z') && claims.until.startsWith('3')",
  ];
  const target = { field: 'username', value: 'u:jane', match: 'exact' } as const;
  const answer = whoCan(sideOf(configuration({ rules })), target, { maxEvaluations: 1000 });
  expect(answer).toMatchObject({
    kind: 'undecided',
    reasons: [
      {
        place: { at: 'jwt[0].claimValidationRules[0]', span: expect.anything() },
        construct: 'the function timestamp',
      },
    ],
  });
});
