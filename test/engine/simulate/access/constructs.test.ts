/**
 * Each construct that a proof may contain has a change that only this construct shows, and a different spelling of the
 * same rule that is proved to be the same.
 */
import { describe, expect, test } from 'vitest';
import { compareTexts, kindsOf } from './compare-texts.ts';
import { configuration } from './configurations.ts';

type Change = 'gained' | 'lost' | 'both' | 'same';

/** A rule before and after, and what changes. */
type Pair = readonly [name: string, before: string, after: string, change: Change];

const strings: readonly Pair[] = [
  ['equality', "claims.s == 'ab'", "claims.s == 'ac'", 'both'],
  ['equality, same', "claims.s == 'ab'", "claims.s.matches('^ab$')", 'same'],
  ['inequality', "claims.s != 'ab'", "claims.s != 'ab' && claims.s != 'abc'", 'lost'],
  ['inequality, same', "claims.s != 'ab'", "!(claims.s == 'ab')", 'same'],
  ['startsWith', "claims.s.startsWith('ab')", "claims.s.startsWith('a')", 'gained'],
  ['startsWith, same', "claims.s.startsWith('ab')", "claims.s.matches('^ab')", 'same'],
  ['endsWith', "claims.s.endsWith('ab')", "claims.s.endsWith('b')", 'gained'],
  ['endsWith, same', "claims.s.endsWith('aab')", "claims.s.matches('aab$')", 'same'],
  ['contains', "claims.s.contains('aab')", "claims.s.contains('ab')", 'gained'],
  ['contains, same', "claims.s.contains('aab')", "claims.s.matches('aab')", 'same'],
  ['matches', "claims.s.matches('^a{1,63}$')", "claims.s.matches('^a{1,64}$')", 'gained'],
  ['matches, same', "claims.s.matches('^(a|b)+$')", "claims.s.matches('^[ab][ab]*$')", 'same'],
  [
    'matches without case',
    "claims.s.matches('(?i)^ok$')",
    "claims.s.matches('^[Oo][Kk]$')",
    'lost',
  ],
  ['matches at words', "claims.s.matches('\\\\bok\\\\b')", "claims.s.matches('^ok$')", 'lost'],
  [
    'matches a class of Unicode',
    "claims.s.matches('^\\\\p{Lu}$')",
    "claims.s.matches('^[A-Z]$')",
    'lost',
  ],
  ['matches lines', "claims.s.matches('(?m)^ok$')", "claims.s.matches('^ok$')", 'lost'],
  ['size', 'size(claims.s) < 4', 'claims.s.size() < 5', 'gained'],
  [
    'size, same',
    'type(claims.s) == string && size(claims.s) == 3',
    "claims.s.matches('^(?s:.{3})$')",
    'same',
  ],
  ['prefix', "('x' + claims.s).startsWith('xa')", "('x' + claims.s).startsWith('x')", 'gained'],
  ['prefix, same', "('x' + claims.s) == 'xa'", "claims.s == 'a'", 'same'],
  ['suffix', "(claims.s + 'x').endsWith('ax')", "(claims.s + 'x').endsWith('x')", 'gained'],
  ['suffix, same', "(claims.s + 'x') == 'ax'", "claims.s == 'a'", 'same'],
  ['lowerAscii', "claims.s == 'ab'", "claims.s.lowerAscii() == 'ab'", 'gained'],
  ['lowerAscii, same', "claims.s.lowerAscii() == 'ab'", "claims.s.matches('^[aA][bB]$')", 'same'],
  ['upperAscii', "claims.s == 'AB'", "claims.s.upperAscii() == 'AB'", 'gained'],
  ['upperAscii, same', "claims.s.upperAscii() == 'AB'", "claims.s.matches('^[aA][bB]$')", 'same'],
  ['replace', "claims.s == 'ab'", "claims.s.replace('-', '') == 'ab'", 'gained'],
  ['replace, same', "claims.s.replace('aa', 'b') == 'b'", "claims.s in ['b', 'aa']", 'same'],
  [
    'replace that overlaps',
    "claims.s.replace('aa', 'b') == 'ba'",
    "claims.s in ['ba', 'aaa']",
    'same',
  ],
  ['split', "claims.s.split('@')[1] == 'a'", "claims.s.endsWith('@a')", 'both'],
  ['split, same', "claims.s.split('@')[0] == 'a'", "claims.s.matches('^a(@(?s:.*))?$')", 'same'],
  [
    'split at a longer separator',
    "claims.s.split('::')[1] == 'a'",
    "claims.s.split(':')[1] == 'a'",
    'both',
  ],
  [
    'number of parts',
    "claims.s.split('@').size() == 2",
    "claims.s.split('@').size() <= 2",
    'gained',
  ],
  ['number of parts, same', "size(claims.s.split('@')) == 1", "!claims.s.contains('@')", 'same'],
  ['substring', "claims.s.substring(2) == 'a'", "claims.s.substring(2, 3) == 'a'", 'gained'],
  ['substring, same', "claims.s.substring(0, 2) == 'ab'", "claims.s.startsWith('ab')", 'same'],
  ['charAt', "claims.s.charAt(1) == 'a'", "claims.s.charAt(1) in ['a', 'b']", 'gained'],
  ['charAt after the end', "claims.s.charAt(3) == ''", "claims.s.charAt(3) == 'zzz'", 'lost'],
  ['charAt, same', "claims.s.charAt(1) == 'a'", "claims.s.matches('^(?s:.)a')", 'same'],
  ['trim', "claims.s == 'a'", "claims.s.trim() == 'a'", 'gained'],
  ['trim, same', "claims.s.trim() == ''", 'claims.s.trim().size() == 0', 'same'],
  ['trim in the middle', "claims.s.trim() == 'a b'", "claims.s.trim() in ['a b', 'ab']", 'gained'],
  ['order', "claims.s < 'b'", "claims.s <= 'b'", 'gained'],
  ['order, same', "claims.s >= 'b' && claims.s <= 'b'", "claims.s == 'b'", 'same'],
  ['in', "claims.s in ['a', 'b']", "claims.s in ['a', 'b', 'c']", 'gained'],
  ['in, same', "claims.s in ['a', 'b']", "claims.s == 'b' || claims.s == 'a'", 'same'],
  [
    'functions of functions',
    "claims.s.split('@')[0].lowerAscii() == 'ab'",
    "claims.s.lowerAscii().split('@')[0] == 'ab'",
    'same',
  ],
  ['string()', "string(claims.s) == '1'", "claims.s == '1'", 'lost'],
  ['string() of a boolean', "string(claims.s) == 'true'", "claims.s == 'true'", 'lost'],
  [
    'string() of a number, same',
    "string(claims.s) == '2'",
    "claims.s == '2' || claims.s == 2",
    'same',
  ],
  [
    'a number whose string does not matter',
    "string(claims.s) == 'a' || claims.s < 20",
    "claims.s == 'a' || claims.s < 20",
    'same',
  ],
  [
    'errors of functions',
    'dyn(claims.s.substring(2)) != dyn(1)',
    'dyn(claims.s.substring(3)) != dyn(1)',
    'lost',
  ],
];

const values: readonly Pair[] = [
  ['an absent claim', "claims.?v.orValue('a') == 'a'", "has(claims.v) && claims.v == 'a'", 'lost'],
  ['null', "claims.v == null || claims.v == 'a'", "claims.v == 'a'", 'lost'],
  ['true', "claims.v == true || claims.v == 'a'", "claims.v == 'a'", 'lost'],
  ['false', "claims.v == false || claims.v == 'a'", "claims.v == 'a'", 'lost'],
  ['a boolean as a condition', 'claims.v == true', 'claims.v && true', 'same'],
  [
    'an empty string',
    'type(claims.v) == string',
    "claims.v != '' && type(claims.v) == string",
    'lost',
  ],
  ['a number', 'claims.v == 5', 'claims.v in [5, 6]', 'gained'],
  ['numbers below', 'claims.v < 10', 'claims.v <= 5 || claims.v > 5', 'gained'],
  ['numbers below all', 'claims.v < 10 || claims.v == 10', 'claims.v == 10', 'lost'],
  [
    'numbers between',
    'claims.v > 1 && claims.v != 3',
    'claims.v > 1 && !(claims.v > 2 && claims.v < 4)',
    'lost',
  ],
  [
    'numbers between integers',
    'claims.v > 1 && claims.v < 2',
    'claims.v > 1 && claims.v < 1.5',
    'lost',
  ],
  ['numbers above', 'claims.v > 10', 'claims.v > 10 && claims.v <= 1000', 'lost'],
  ['numbers, same', 'claims.v > 10 || claims.v == 10', 'claims.v >= 10', 'same'],
  [
    'another type',
    'type(claims.v) == string',
    'type(claims.v) == string || type(claims.v) == list',
    'gained',
  ],
  [
    'a map',
    'type(claims.v) == string',
    'type(claims.v) == string || type(claims.v) == map',
    'gained',
  ],
  ['the claims, which are no map', "'v' in claims", 'has(claims.v)', 'gained'],
  ['a field', "claims.v.w == 'a'", "has(claims.v.w) && claims.v.w in ['a', 'b']", 'gained'],
  ['a field by its name', "claims.v['w'] == 'a'", "claims.v.w == 'a'", 'same'],
  ['an absent field', "claims.v.?w.orValue('a') == 'a'", "claims.v.w == 'a'", 'lost'],
  [
    'an optional field of an absent claim',
    "claims.?v.?w.orValue('a') == 'a'",
    "claims.v.?w.orValue('a') == 'a'",
    'lost',
  ],
  ['hasValue', 'claims.?v.hasValue()', 'has(claims.v)', 'same'],
  ['value', "claims.?v.value() == 'a'", "claims.v == 'a'", 'same'],
  ['or', "claims.?v.or(claims.?w).orValue('') == 'a'", "claims.v == 'a'", 'lost'],
  [
    'orValue of another claim',
    "claims.?v.orValue(claims.w) == 'xq'",
    "claims.?v.orValue('') == 'xq'",
    'lost',
  ],
  ['optMap', "claims.?v.optMap(x, x + 'b').orValue('') == 'ab'", "claims.v == 'a'", 'same'],
  [
    'ofNonZeroValue of a number',
    'optional.ofNonZeroValue(claims.v).hasValue() && type(claims.v) == double',
    'type(claims.v) == double',
    'gained',
  ],
  [
    'ofNonZeroValue',
    "optional.ofNonZeroValue(claims.v).orValue('a') == 'a'",
    "claims.v in ['', 'a']",
    'lost',
  ],
  ['a condition', "(has(claims.v) ? claims.v : claims.w) == 'a'", "claims.v == 'a'", 'lost'],
  [
    'a condition, same',
    "(has(claims.v) ? claims.v : 'a') == 'a'",
    "claims.?v.orValue('a') == 'a'",
    'same',
  ],
  ['two claims', 'claims.v == claims.w', "claims.v == claims.w && claims.v != 'a'", 'lost'],
  [
    'two claims, same',
    "claims.v == claims.w && claims.v == 'a'",
    "claims.w == 'a' && claims.v == 'a'",
    'same',
  ],
  [
    'two claims of which one has a single value',
    'claims.v == claims.w',
    "claims.v == claims.w && (claims.v != 'a' || claims.w == 'a')",
    'same',
  ],
  [
    'three claims',
    'claims.v != claims.w',
    'claims.v != claims.w && (claims.w == claims.u || claims.v == claims.u)',
    'lost',
  ],
  [
    'two maps',
    'type(claims.v) == map && type(claims.w) == map',
    'type(claims.v) == map && claims.v == claims.w',
    'lost',
  ],
  [
    'three maps',
    'type(claims.v) == map && type(claims.w) == map && type(claims.u) == map && claims.v != claims.w',
    'type(claims.v) == map && type(claims.w) == map && type(claims.u) == map && claims.v != claims.w && (claims.w == claims.u || claims.v == claims.u)',
    'lost',
  ],
  [
    'two different strings of a kind',
    "claims.v.matches('^[a-z]+$') && claims.w.matches('^[a-z]+$')",
    "claims.v.matches('^[a-z]+$') && claims.w.matches('^[a-z]+$') && claims.v == claims.w",
    'lost',
  ],
];

const lists: readonly Pair[] = [
  ['an empty list', "claims.l == [] || 'a' in claims.l", "'a' in claims.l", 'lost'],
  [
    'size of a list',
    'type(claims.l) == list && size(claims.l) < 3',
    'type(claims.l) == list && size(claims.l) < 4',
    'gained',
  ],
  ['in', "'a' in claims.l", "'a' in claims.l || 'b' in claims.l", 'gained'],
  [
    'two elements',
    "'a' in claims.l && 'b' in claims.l",
    "'a' in claims.l && 'b' in claims.l && 'c' in claims.l",
    'lost',
  ],
  [
    'exists',
    "dyn(claims.l).exists(x, x == 'a')",
    "dyn(claims.l).exists(x, x.startsWith('a'))",
    'gained',
  ],
  [
    'exists, same',
    "dyn(claims.l).exists(x, x == 'a')",
    "type(claims.l) != string && 'a' in claims.l",
    'same',
  ],
  ['all', "dyn(claims.l).all(x, x == 'a')", "dyn(claims.l).all(x, x == 'a' || x == 'b')", 'gained'],
  ['all, same', "dyn(claims.l).all(x, x != 'a')", "!dyn(claims.l).exists(x, x == 'a')", 'same'],
  [
    'exists_one',
    "dyn(claims.l).exists(x, x == 'a')",
    "dyn(claims.l).exists_one(x, x == 'a')",
    'lost',
  ],
  [
    'filter',
    "dyn(claims.l).filter(x, x != 'a').size() == 0",
    "dyn(claims.l).filter(x, x != 'a').size() <= 1",
    'gained',
  ],
  [
    'filter, same',
    "size(dyn(claims.l).filter(x, x == 'a')) > 0",
    "dyn(claims.l).all(x, x == 'a' || x != 'a') && 'a' in claims.l",
    'same',
  ],
  [
    'map',
    "dyn(claims.l).map(x, 'p' + x).exists(x, x == 'pa')",
    "dyn(claims.l).exists(x, 'p' + x == 'pa')",
    'gained',
  ],
  [
    'map, same',
    "'pa' in dyn(claims.l).map(x, 'p' + x)",
    "dyn(claims.l).all(x, type(x) == string) && 'a' in claims.l",
    'same',
  ],
  [
    'an element that is null',
    "dyn(claims.l).all(x, x == 'a' || x == null)",
    "dyn(claims.l).all(x, x == 'a')",
    'lost',
  ],
  [
    'an element that is a number',
    "dyn(claims.l).all(x, x == 'a' || x > 5)",
    "dyn(claims.l).all(x, x == 'a')",
    'lost',
  ],
  [
    'an element that is a boolean',
    "dyn(claims.l).all(x, x == 'a' || x == true)",
    "dyn(claims.l).all(x, x == 'a')",
    'lost',
  ],
  [
    'an element that is a list',
    "dyn(claims.l).all(x, x == 'a' || type(x) == list)",
    "dyn(claims.l).all(x, x == 'a')",
    'lost',
  ],
  [
    'keys of a map',
    "type(claims.l) == map && 'a' in claims.l",
    "type(claims.l) == map && 'a' in claims.l && !('b' in claims.l)",
    'lost',
  ],
  ['a constant list', "['a', 'b'].exists(x, claims.l == x)", "claims.l in ['a', 'b']", 'same'],
  [
    'constants in a list',
    "['a', 'b'].all(x, x in claims.l)",
    "'a' in claims.l && 'b' in claims.l",
    'same',
  ],
  [
    'a default list',
    "dyn(claims.?l.orValue(['a'])).exists(x, x == 'a')",
    "dyn(claims.?l.orValue([])).exists(x, x == 'a')",
    'lost',
  ],
  ['sets.contains of three', "sets.contains(dyn(claims.l), ['aq', 'bq', 'cq'])", 'false', 'lost'],
  [
    'sets.contains',
    "sets.contains(dyn(claims.l), ['a', 'b'])",
    "type(claims.l) == list && 'a' in claims.l && 'b' in claims.l",
    'same',
  ],
  [
    'sets.intersects',
    "sets.intersects(dyn(claims.l), ['a', 'b'])",
    "type(claims.l) == list && 'a' in claims.l",
    'lost',
  ],
  [
    'join of empty strings',
    "dyn(claims.l).all(x, x == '') && dyn(claims.l).join('') != ''",
    "dyn(claims.l).all(x, x == '') && dyn(claims.l).join(',') != ''",
    'gained',
  ],
  ['join', "dyn(claims.l).join(',') != ''", "dyn(claims.l).join(';') != ''", 'same'],
  [
    'joined lists',
    "'a' in (dyn(claims.l) + ['b'])",
    "type(claims.l) == list && 'a' in claims.l",
    'same',
  ],
  [
    'an element that is a list of some size',
    'dyn(claims.l).all(x, type(x) == list && size(x) < 2)',
    'dyn(claims.l).all(x, type(x) == list && size(x) < 1)',
    'lost',
  ],
];

const expectedKinds = (change: Change) => ({
  gained: change === 'gained' || change === 'both' ? 'found' : 'proved',
  lost: change === 'lost' || change === 'both' ? 'found' : 'proved',
  changed: 'proved',
});

describe.each([
  ['strings', strings],
  ['kinds of values', values],
  ['lists', lists],
])('%s', (_name, pairs) => {
  test.each(pairs)('%s', (_construct, before, after, change) => {
    const [old, changed] = [before, after].map((rule) => configuration({ rules: [rule] }));
    const comparison = compareTexts(old ?? '', changed ?? '');
    expect(kindsOf(comparison)).toMatchObject(expectedKinds(change));
  });
});
