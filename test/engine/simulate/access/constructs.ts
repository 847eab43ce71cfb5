/**
 * Each construct that a proof may contain has a change that only this construct shows, and a different spelling of the
 * same rule that is proved to be the same.
 */
import type { WhoCanTarget } from '../../../../engine/src/simulate/access/wanted-user.ts';
import { whoCan } from '../../../../engine/src/simulate/access/who-can.ts';
import { compareTexts, kindsOf, sideOf } from './compare-texts.ts';
import { configuration } from './configurations.ts';

type Change = 'gained' | 'lost' | 'both' | 'same';

/** A rule before and after, and what changes. */
type ConstructPair = readonly [name: string, before: string, after: string, change: Change];

const strings: readonly ConstructPair[] = [
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

const values: readonly ConstructPair[] = [
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

const lists: readonly ConstructPair[] = [
  ['an empty list', "claims.l == [] || 'a' in claims.l", "'a' in claims.l", 'lost'],
  [
    'ofNonZeroValue of a computed list, same',
    "optional.ofNonZeroValue(dyn(claims.l).filter(x, x == 'rst')).hasValue()",
    "dyn(claims.l).exists(x, x == 'rst')",
    'same',
  ],
  [
    'ofNonZeroValue of a list of a claim, same',
    'optional.ofNonZeroValue(claims.l).hasValue() && type(claims.l) == list',
    'type(claims.l) == list',
    'same',
  ],
  ['an empty list on the left', "[] == claims.l || 'a' in claims.l", "'a' in claims.l", 'lost'],
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

/** A rule that a token can pass, for which claims of one class are needed. */
type Rule = readonly [name: string, rule: string];

const stringClasses: readonly Rule[] = [
  ['a string with a rare character', "claims.s == 'é'"],
  ['a string of some size', 'type(claims.s) == string && size(claims.s) == 7'],
  ['a string of more than some size', "size(claims.s) > 7 && claims.s.matches('^(ac*d?|bc*e?)$')"],
  ['a longer string with a start', "claims.s.startsWith('rst') && claims.s.endsWith('yz')"],
  [
    'an overlap within a string',
    "claims.s.contains('aab') && claims.s.startsWith('aaa') && size(claims.s) == 4",
  ],
  ['an end that is not the start', "claims.s.endsWith('rst') && claims.s.startsWith('u')"],
  ['matches a rare character', "claims.s.matches('^é$')"],
  ['<', "claims.s < '5' && claims.s > '4'"],
  ['<=', "claims.s <= '5' && claims.s > '4'"],
  ['>', "claims.s > '4' && claims.s < '5'"],
  ['>=', "claims.s >= '41' && claims.s < '42'"],
  ['a smaller character', "claims.s < 'b' && claims.s != ''"],
  ['order of rare characters', "claims.s > 'é' && claims.s < 'ê'"],
  ['a literal before a claim', "('qp' + claims.s) == 'qprst'"],
  ['a literal after a claim', "(claims.s + 'qp') == 'rstqp'"],
  ['a literal before a claim, in lower case', "('AB' + claims.s).lowerAscii() == 'abcd'"],
  ['the last letter in lower case', "claims.s.lowerAscii() == 'z' && claims.s != 'z'"],
  ['a rare letter in lower case', "claims.s.lowerAscii() == 'w' && claims.s != 'w'"],
  ['errors of substring', 'dyn(claims.s.substring(1, 3)) != dyn(1)'],
  ['the end of substring', "claims.s.substring(0, 2) == 'rs' && claims.s.endsWith('t')"],
  ['the type of a part', 'type(claims.s.substring(5)) == string'],
  ['spaces before a string', "claims.s.trim() == 'rs' && claims.s.startsWith(' ')"],
  ['spaces after a string', "claims.s.trim() == 'rs' && claims.s.endsWith(' ')"],
  [
    'rare spaces',
    "claims.s.trim() == 'rs' && !claims.s.startsWith('r') && !claims.s.startsWith(' ')",
  ],
  ['a replacement', "claims.s.replace('rs', 'tu') == 'vtu' && claims.s != 'vtu'"],
  ['a replacement of a start alone', "claims.s.replace('rst', '') == 'ur'"],
  ['a replacement after an overlap', "claims.s.replace('aab', 'r') == 'ar' && claims.s != 'ar'"],
  ['a part that exists', "dyn(claims.s.split('@')[2]) != dyn(1)"],
  ['the start of a separator', "claims.s.split('::')[0] == 'r:'"],
  ['some number of parts', "claims.s.split('@').size() > 3"],
];

const valueClasses: readonly Rule[] = [
  ['a claim as a condition', 'claims.v && true'],
  ['numbers above all', 'claims.v > 10'],
  ['any number', 'type(claims.v) == double'],
  [
    'two different numbers',
    'type(claims.v) == double && type(claims.w) == double && claims.v != claims.w',
  ],
  ['a field in brackets', "claims.v['w'] == 'rst'"],
  ['an optional field', "claims.?v.?w.orValue('') == 'rst'"],
  ['the value of an optional', "claims.?v.value() == 'rst'"],
  ['a claim that has a default', "claims.?v.orValue('') == 'rst'"],
  ['optional.of', "optional.of(claims.v).orValue('') == 'rst'"],
  ['a claim that is bound', "claims.?v.optMap(x, x + 'b').orValue('') == 'rstb'"],
  [
    'a string that is not empty',
    'optional.ofNonZeroValue(claims.v).hasValue() && type(claims.v) == string',
  ],
];

const listClasses: readonly Rule[] = [
  ['an element of a list', "type(claims.l) == list && 'rst' in claims.l"],
  ['elements of joined lists', "'rst' in (dyn(claims.l) + ['b'])"],
  [
    'elements of two loops',
    "dyn(claims.l).exists(x, x == 'rs') && dyn(claims.l).exists(x, x == 'rt')",
  ],
  ['a filtered element', "dyn(claims.l).filter(x, x == 'rst').size() == 1"],
  ['several equal elements', "dyn(claims.l).filter(x, x == 'rst').size() > 2"],
  ['a mapped element', "'qprst' in dyn(claims.l).map(x, 'qp' + x)"],
  ['an object of some size', 'type(claims.l) == map && size(claims.l) == 4'],
  ['joined strings that are not empty', "dyn(claims.l).join('') != ''"],
];

/** Rules whose classes are not complete: it cannot be proved that no token passes them. */
const gaps: readonly Rule[] = [
  [
    'a number with two limits and its string',
    "string(claims.v).endsWith('3') && claims.v > 100 && claims.v < 200",
  ],
  [
    'the string of a number',
    "type(claims.v) == double && string(claims.v).matches('^(0\\\\.0000001|0\\\\.00000001|123456\\\\.12345)$')",
  ],
  ['a size and a field', 'type(claims.v) == map && size(claims.v) == 2 && !has(claims.v.w)'],
  ['compared lists', "claims.v == claims.w && type(claims.v) == list && 'rst' in claims.v"],
  ['too many kinds of strings', "claims.v.matches('^[ab]*a[ab]{15}$')"],
  [
    'too many kinds of elements',
    "sets.contains(dyn(claims.v), ['r0', 'r1', 'r2', 'r3', 'r4', 'r5', 'r6', 'r7', 'r8'])",
  ],
  ['joined claims after a literal', "('a:' + claims.v + claims.w) == 'a:rst'"],
  ['joined claims that are tested', "(claims.v + claims.w).contains('rst')"],
  ['joined claims that are compared with a number', '(claims.v + claims.w) == 5'],
  ['joined claims that are ordered', "(claims.v + claims.w) > 'y'"],
  ['a function of joined claims', "(claims.v + claims.w).lowerAscii() == 'rst'"],
  ['parts of joined claims', "(claims.v + claims.w).split('@')[1] == 'rst'"],
  ['the size of a computed value', "size(dyn(claims.v).join(',')) == 7"],
  ['two claims in order', 'claims.v < claims.w && claims.v > 5'],
  ['parts of two claims', "claims.v.lowerAscii() == claims.w && claims.w == 'rst'"],
  ['values of several claims', "(claims.v + claims.w) == claims.u && claims.v == 'r'"],
  ['a computed value', 'claims.v == string(1.5)'],
  ['arithmetic', 'claims.v + 5.0 == 12.5'],
  ['an element by its index', "claims.v[0] == 'rst'"],
  ['a claim in another one', "claims.v in claims.w && claims.v == 'rst'"],
  ['an optional element', "'rst' in [?claims.?v]"],
  ['a map that is built', "{'a': claims.v} == {'a': 'rst'}"],
  ['an unknown function', "claims.v.indexOf('q') == 7"],
  ['a loop over parts', "claims.v.split(',').exists(x, x == 'rst')"],
  ['a claim that begins with another one', "claims.v.startsWith(claims.w) && claims.w == 'rst'"],
  ['a field of list elements', "dyn(claims.v).exists(x, x.w == 'rst')"],
  [
    'a loop within a loop',
    "'ra' in claims.v && 'rb' in claims.v && dyn(claims.v).all(x, dyn(claims.w).exists(y, (x == 'ra' && y == 'sa') || (x == 'rb' && y == 'sb')))",
  ],
  ['a loop with two variables', "dyn(claims.v).exists(i, x, x == 'rst')"],
];

/** A directed test: what it returns, and what is right. */
export interface DirectedTest {
  readonly name: string;
  answer(): { readonly actual: unknown; readonly expected: unknown };
}

const expectedKinds = (change: Change) => ({
  gained: change === 'gained' || change === 'both' ? 'found' : 'proved',
  lost: change === 'lost' || change === 'both' ? 'found' : 'proved',
  changed: 'proved',
});

const testOfPair = ([name, before, after, change]: ConstructPair): DirectedTest => ({
  name,
  answer() {
    const [old, changed] = [before, after].map((rule) => configuration({ rules: [rule] }));
    const actual = kindsOf(compareTexts(old ?? '', changed ?? ''));
    return { actual, expected: expectedKinds(change) };
  },
});

/** Tests that tokens that pass a rule are found. */
const testOfClass = ([name, rule]: Rule): DirectedTest => testOfPair([name, rule, 'false', 'lost']);

/** Tests that it is not proved that no token passes a rule. */
const testOfGap = ([name, rule]: Rule): DirectedTest => ({
  name,
  answer() {
    const answer = whoCan(sideOf(configuration({ rules: [rule] })), anyUser, {
      maxEvaluations: 20_000,
    });
    return { actual: answer.kind === 'proved', expected: false };
  },
});

const anyUser: WhoCanTarget = { field: 'username', value: 'u:', match: 'prefix' };

/** All directed tests, by the kind of the construct. */
export const directedTests: readonly (readonly [title: string, tests: readonly DirectedTest[]])[] =
  [
    ['strings', strings.map(testOfPair)],
    ['values', values.map(testOfPair)],
    ['lists', lists.map(testOfPair)],
    ['classes of strings', stringClasses.map(testOfClass)],
    ['classes of values', valueClasses.map(testOfClass)],
    ['classes of lists', listClasses.map(testOfClass)],
    ['gaps', gaps.map(testOfGap)],
  ];
