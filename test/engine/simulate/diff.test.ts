/** How a change affects the access of samples. */
import { describe, expect, test } from 'vitest';
import type { Decision } from '../../../engine/src/model/decision.ts';
import type { UserInfo } from '../../../engine/src/model/user-info.ts';
import {
  accessChange,
  changeSummary,
  changeThroughout,
  lockOutOf,
  lossOf,
} from '../../../engine/src/simulate/difference/diff.ts';
import {
  addSystemGroupGains,
  systemGroupGains,
  systemGroupSentences,
} from '../../../engine/src/simulate/difference/system-groups.ts';

const user = (changed: Partial<UserInfo> = {}): Decision => ({
  kind: 'accepted',
  by: 'jwt',
  audiences: [],
  user: {
    username: 'oidc:jane',
    uid: '1',
    groups: ['oidc:dev', 'system:authenticated'],
    extra: new Map([['example.com/team', ['blue']]]),
    ...changed,
  },
});
const rejected = (message: string): Decision => ({
  kind: 'rejected',
  by: 'jwt',
  reason: { code: 'AG5018', message, at: 'jwt[0].claimValidationRules[0]' },
});
const noOpinion: Decision = { kind: 'noOpinion' };

describe('access', () => {
  test.each<readonly [string, Decision, Decision, string, readonly string[]]>([
    ['equal decisions', user(), user(), 'same', []],
    [
      'access lost to a rejection',
      user(),
      rejected('oidc: x'),
      'lost',
      ['can no longer log in as oidc:jane'],
    ],
    [
      'access lost because no authenticator accepts the token',
      user(),
      noOpinion,
      'lost',
      ['can no longer log in as oidc:jane'],
    ],
    ['access gained', noOpinion, user(), 'gained', ['can log in as oidc:jane']],
    ['a rejection for another reason', rejected('oidc: a'), rejected('oidc: b'), 'same', []],
    [
      'another username and UID',
      user(),
      user({ username: 'jane', uid: '' }),
      'changed',
      ['username oidc:jane becomes jane', 'UID 1 is lost'],
    ],
    [
      'other groups and extra values',
      user(),
      user({
        groups: ['oidc:ops', 'system:authenticated'],
        extra: new Map([
          ['example.com/team', ['red']],
          ['example.com/new', ['']],
        ]),
      }),
      'changed',
      [
        'group oidc:dev is lost',
        'group oidc:ops is gained',
        'extra example.com/new "" is gained',
        'extra example.com/team blue is lost',
        'extra example.com/team red is gained',
      ],
    ],
    [
      'another order of groups',
      user(),
      user({ groups: ['system:authenticated', 'oidc:dev'] }),
      'same',
      [],
    ],
    [
      'a username with control characters',
      user(),
      user({ username: 'a\u202e\nb' }),
      'changed',
      ['username oidc:jane becomes "a\ufffd\\nb"'],
    ],
  ])('%s', (_, before, after, kind, details) => {
    const change = accessChange('jane', before, after);
    expect(change.kind).toBe(kind);
    expect(change.details).toEqual(details);
  });

  test.each([
    [[], 'nothing changes for 0 samples'],
    [['same'], 'nothing changes for 1 sample'],
    [
      ['lost', 'lost', 'changed', 'same', 'same', 'same'],
      '2 of 6 samples lose access, 1 changes, 3 stay the same',
    ],
    [['lost', 'gained', 'same'], '1 of 3 samples loses access, 1 gains access, 1 stays the same'],
    [['gained', 'gained', 'changed', 'changed'], '2 of 4 samples gain access, 2 change'],
  ] as const)('summarizes %j', (kinds, summary) => {
    expect(changeSummary(kinds.map((kind) => ({ kind })))).toBe(summary);
  });
});

test.each([
  ['no configurations', [], 'same', false],
  ['access lost in both', ['lost', 'lost'], 'lost', false],
  ['access lost in one, unchanged in another', ['lost', 'stays'], 'changed', true],
  ['access lost in one, gained in another', ['lost', 'gained'], 'changed', true],
  ['access gained in one, none in another', ['gained', 'out'], 'gained', true],
  ['access gained in one, unchanged in another', ['gained', 'stays'], 'changed', true],
  ['access unchanged in one, none in another', ['stays', 'out'], 'same', true],
] as const)('several configurations: %s', (_, each, kind, hasAccess) => {
  const changes = {
    lost: accessChange('jane', user(), noOpinion),
    gained: accessChange('jane', noOpinion, user()),
    stays: accessChange('jane', user(), user()),
    out: accessChange('jane', noOpinion, noOpinion),
  };
  expect(changeThroughout(each.map((name) => changes[name]))).toEqual({ kind, isIn: hasAccess });
});

test.each([
  ['no sample could log in before', [rejected('a'), rejected('a')], undefined],
  [
    'the only sample is locked out',
    [user(), rejected('a')],
    'the only sample that could log in before can no longer',
  ],
] as const)('lock-out: %s', (_, [before, after], text) => {
  expect(lockOutOf([accessChange('jane', before, after)])).toBe(text);
});

test('reports a lock-out only if no sample can still log in', () => {
  const lost = accessChange('jane', user(), noOpinion);
  const unchanged = accessChange('bob', user(), user());
  const never = accessChange('eve', noOpinion, noOpinion);
  const changed = accessChange('bob', user(), user({ uid: '2' }));
  expect(lockOutOf([lost, unchanged])).toBeUndefined();
  expect(lockOutOf([lost, changed])).toBeUndefined();
  expect(lockOutOf([lost, lost, never])).toBe(
    'none of the 2 samples that could log in before can any longer',
  );
});

describe('the samples that can no longer log in', () => {
  test.each([
    [[], 2, undefined],
    [['jane'], 3, 'jane can no longer log in'],
    [['jane'], 1, 'jane can no longer log in'],
    [['jane', 'joe'], 3, 'jane and joe can no longer log in'],
    [['jane', 'joe', 'ci'], 9, 'jane and 2 others can no longer log in'],
    [['jane', 'joe'], 2, 'none of your 2 samples can log in any more'],
  ])('%j of %d', (names, all, text) => {
    const lost = names.map((name) => ({ name, kind: 'lost' as const }));
    const others = Array.from({ length: all - names.length }, (_, index) => ({
      name: `other ${index}`,
      kind: 'same' as const,
    }));
    expect(lossOf([...others, ...lost])).toBe(text);
  });
});

describe('groups that start with system:', () => {
  const gains = (before: readonly string[], after: readonly string[]): readonly string[] =>
    accessChange('x', user({ groups: before }), user({ groups: after })).gainedSystemGroups;
  const sentences = (...samples: readonly (readonly string[])[]): readonly string[] =>
    systemGroupSentences(
      { gained: { kind: 'proved' }, lost: { kind: 'proved' }, changed: { kind: 'proved' } },
      { known: addSystemGroupGains(samples.map(systemGroupGains)), noun: 'sample' },
    );

  test('only gained ones count, and none that authentication itself adds', () => {
    expect(gains(['system:nodes', 'dev'], ['system:nodes', 'a'])).toEqual([]);
    expect(gains(['dev'], ['system:nodes', 'system:nodes', 'Xsystem:a'])).toEqual(['system:nodes']);
    expect(gains([], ['system:masters'])).toEqual([]);
    expect(accessChange('x', noOpinion, user()).gainedSystemGroups).toEqual([]);
    expect(
      accessChange('x', noOpinion, user({ groups: ['system:monitoring', 'system:authenticated'] }))
        .gainedSystemGroups,
    ).toEqual(['system:monitoring']);
  });

  test('the summary names up to three of them', () => {
    expect(sentences([], [])).toEqual([]);
    expect(sentences(['system:nodes'])).toEqual(['1 sample gains system:nodes']);
    expect(sentences(['system:nodes'], [], ['system:nodes'])).toEqual([
      '2 samples gain system:nodes',
    ]);
    expect(sentences(['system:a', 'system:b'])).toEqual([
      '1 sample gains system groups: system:a, system:b',
    ]);
    expect(sentences(['system:a'], ['system:b', 'system:c', 'system:d'])).toEqual([
      '2 samples gain system groups: system:a, system:b, system:c, …',
    ]);
  });

  test('the groups of a token that was found are named next to those of samples', () => {
    const found = (groups: readonly string[]) => {
      const after = { username: 'a', uid: '', groups, extra: new Map<string, readonly string[]>() };
      const witness = { issuer: 'https://a.example', audience: 'a', claims: {} };
      const changes = [{ kind: 'gained' as const, witness, before: null, after, cause: [] }];
      const proved = { kind: 'proved' } as const;
      return { gained: { kind: 'found' as const, changes }, lost: proved, changed: proved };
    };
    const known = systemGroupGains(['system:a', 'system:b', 'system:c', 'system:d']);
    const text = (groups: readonly string[]) =>
      systemGroupSentences(found(groups), { known, noun: 'sample' });
    const ofSamples = '1 sample gains system groups: system:a, system:b, system:c, …';
    expect(text(['system:a', 'system:c'])).toEqual([ofSamples]);
    expect(text(['system:a', 'system:nodes'])).toEqual([
      ofSamples,
      'a token can gain system:nodes',
    ]);
    // The fourth group is not named by the first sentence.
    expect(text(['system:d'])).toEqual([ofSamples, 'a token can gain system:d']);
  });

  test('untrusted names stay in one line', () => {
    const [sentence = ''] = sentences([`system:\n\u202e${'x'.repeat(500)}`]);
    expect(sentence).toMatch(/^1 sample gains "system:\\n\ufffdx+…$/);
    expect(sentence.length).toBeLessThan(150);
  });

  test('adding does not depend on how gains were added before', () => {
    const parts = [
      ['system:a'],
      ['system:b', 'system:a'],
      [],
      ['system:c', 'system:d', 'system:e'],
    ];
    const [first, second, third, fourth] = parts.map(systemGroupGains);
    const all = addSystemGroupGains(parts.map(systemGroupGains));
    const pairs = [
      [first, second],
      [third, fourth],
    ].map((pair) => addSystemGroupGains(pair.filter((one) => one !== undefined)));
    expect(addSystemGroupGains(pairs)).toEqual(all);
    expect(all.count).toBe(3);
  });
});
