/**
 * Generates expressions with matching inputs: some from a small grammar of types, so that most of
 * them compile; some from recorded expressions with tokens removed, inserted or swapped.
 */
import { cases } from '../support/cases.ts';
import type { Random } from './random.ts';

interface Recorded {
  readonly kind: string;
  readonly expression: string;
  readonly claims?: unknown;
  readonly user?: unknown;
}

const recorded = cases<Recorded>('conformance/cel.jsonl')
  .map(({ input }) => input)
  .filter(({ expression }) => expression.length < 300);

export const expressionQuestions = (random: Random, count: number): readonly object[] =>
  Array.from({ length: count }, () => question(random));

const question = (random: Random): object => {
  const kind = random.pick([
    'claims',
    'claims',
    'claims',
    'groups',
    'extra',
    'claimValidation',
    'userValidation',
  ]);
  const isUser = kind === 'userValidation';
  const expression = random.chance(0.4)
    ? mutated(random, random.pick(recorded).expression)
    : make(random, random.pick(types), random.below(4), isUser ? ['user'] : ['claims']);
  return {
    op: 'cel',
    kind,
    expression,
    ...(isUser ? { user: user(random) } : { claims: claims(random) }),
  };
};

export const claims = (random: Random): object => ({
  sub: random.pick(['jane', '', 'é😀x', 'system:admin']),
  n: random.pick([42, 1.5, -7, 0, 2 ** 53 + 2, 1e300]),
  exp: 1_700_003_600,
  flag: random.chance(0.5),
  nothing: null,
  groups: random.pick([[], ['dev', 'ops'], ['', 'a', 'a'], ['b', 1, null], ['dev', ['x']]]),
  roles: random.pick(['a,b', '', ',', 'admin']),
  obj: { a: { b: 'c' }, list: [1, 2, 3], empty: {}, text: 'x-y.z' },
  ...(random.chance(0.3) ? { email: 'jane@example.com', email_verified: random.chance(0.5) } : {}),
  ...(random.chance(0.2)
    ? { __proto__x: 1, constructor: 'c', 'a-b': 'dash', 'x.y/z': 'dotted' }
    : {}),
});

const user = (random: Random): object => ({
  username: random.pick(['jane', 'system:admin', '', 'é😀']),
  uid: random.pick(['', 'u-1']),
  groups: random.pick([[], ['dev'], ['dev', 'system:masters']]),
  extra: random.pick([{}, { 'example.com/team': ['a', 'b'] }]),
});

const types = [
  'bool',
  'int',
  'uint',
  'double',
  'string',
  'bytes',
  'strings',
  'ints',
  'map',
  'dyn',
  'time',
  'span',
  'optional',
] as const;
type Kind = (typeof types)[number];

/** Returns an expression that usually has this type. */
const make = (random: Random, wanted: Kind, depth: number, scope: readonly string[]): string => {
  const type = random.chance(0.06) ? random.pick(types) : wanted;
  if (depth <= 0) return leaf(random, type, scope);
  const sub = (kind: Kind): string => make(random, kind, depth - 1, scope);
  const bound = (kind: Kind, name: string): string =>
    make(random, kind, depth - 1, [...scope, name]);
  const any = (): Kind => random.pick(types);
  const name = random.pick(['x', 'i', 'r']);
  const shapes: Record<Kind, readonly (() => string)[]> = {
    bool: [
      () => `${sub('bool')} && ${sub('bool')}`,
      () => `${sub('bool')} || ${sub('bool')}`,
      () => `!(${sub('bool')})`,
      () =>
        `${sub('int')} ${random.pick(['<', '<=', '>', '>=', '==', '!='])} ${sub(random.pick(['int', 'double', 'uint']))}`,
      () => `${sub('string')} ${random.pick(['<', '==', '!=', '>='])} ${sub('string')}`,
      () => {
        const kind = any();
        return `(${sub(kind)}) ${random.pick(['==', '!='])} (${sub(kind)})`;
      },
      () =>
        `${sub('string')}.${random.pick(['startsWith', 'endsWith', 'contains'])}(${sub('string')})`,
      () =>
        `${sub('string')}.matches(${random.pick(["'^a.*'", "'[a-z]+'", "'(a|b)*c'", "'['", sub('string')])})`,
      () => `${sub('string')} in ${sub('strings')}`,
      () =>
        `${sub('strings')}.${random.pick(['all', 'exists', 'exists_one'])}(${name}, ${bound('bool', name)})`,
      () =>
        `has(claims.${random.pick(['sub', 'obj.a', 'obj.zz', 'nope', 'nothing', 'nope.more'])})`,
      () =>
        `sets.${random.pick(['contains', 'equivalent', 'intersects'])}(${sub('strings')}, ${sub('strings')})`,
      () => `bool(${sub('string')})`,
      () => `${sub('optional')}.hasValue()`,
      () => `${sub('map')}.exists(k, v, ${bound('bool', 'v')})`,
    ],
    int: [
      () => `${sub('int')} ${random.pick(['+', '-', '*', '/', '%'])} ${sub('int')}`,
      () => `-(${sub('int')})`,
      () => `size(${sub(random.pick(['string', 'strings', 'bytes', 'map']))})`,
      () => `int(${sub(random.pick(['string', 'double', 'uint', 'time']))})`,
      () => `${sub('string')}.${random.pick(['indexOf', 'lastIndexOf'])}(${sub('string')})`,
      () => `${sub('ints')}.${random.pick(['sum', 'min', 'max'])}()`,
      () => `${sub('ints')}[${sub('int')}]`,
      () =>
        `${sub('time')}.${random.pick(['getFullYear', 'getMonth', 'getDayOfWeek', 'getHours', 'getMilliseconds'])}()`,
      () => `${sub('bool')} ? ${sub('int')} : ${sub('int')}`,
    ],
    uint: [
      () => `${sub('uint')} ${random.pick(['+', '-', '*', '/', '%'])} ${sub('uint')}`,
      () => `uint(${sub(random.pick(['int', 'double', 'string']))})`,
    ],
    double: [
      () => `${sub('double')} ${random.pick(['+', '-', '*', '/'])} ${sub('double')}`,
      () => `double(${sub(random.pick(['int', 'string', 'uint']))})`,
    ],
    string: [
      () => `${sub('string')} + ${sub('string')}`,
      () =>
        `string(${sub(random.pick(['int', 'double', 'bool', 'uint', 'bytes', 'time', 'span']))})`,
      () => `${sub('string')}.${random.pick(['lowerAscii', 'upperAscii', 'trim'])}()`,
      () => `${sub('string')}.replace(${sub('string')}, ${sub('string')})`,
      () => `${sub('string')}.substring(${sub('int')})`,
      () => `${sub('string')}.charAt(${sub('int')})`,
      () => `${sub('strings')}.join(${sub('string')})`,
      () => `${sub('strings')}[${sub('int')}]`,
      () => `"%s|%d".format([${sub('string')}, ${sub('int')}])`,
      () => `${sub('bool')} ? ${sub('string')} : ${sub('string')}`,
      () => `${sub('optional')}.orValue(${sub('string')})`,
      () => `${sub('string')}.find("[a-z]+")`,
      () => `strings.quote(${sub('string')})`,
    ],
    bytes: [() => `bytes(${sub('string')})`, () => `${sub('bytes')} + ${sub('bytes')}`],
    strings: [
      () => `[${sub('string')}, ${sub('string')}]`,
      () => `${sub('strings')} + ${sub('strings')}`,
      () => `${sub('string')}.split(${random.pick(["','", "''", sub('string')])})`,
      () => `${sub('strings')}.map(${name}, ${bound('string', name)})`,
      () => `${sub('strings')}.filter(${name}, ${bound('bool', name)})`,
      () => `dyn(claims.groups).map(${name}, ${bound('string', name)})`,
      () => `${sub('strings')}.${random.pick(['distinct', 'sort', 'reverse'])}()`,
      () => `${sub('strings')}.slice(${sub('int')}, ${sub('int')})`,
      () => `${sub('strings')}.transformList(i, v, ${bound('string', 'v')})`,
      () => `[?${sub('optional')}, ${sub('string')}]`,
      () => `${sub('string')}.findAll("[a-z]")`,
    ],
    ints: [
      () => `[${sub('int')}, ${sub('int')}]`,
      () => `lists.range(${random.below(6)})`,
      () => `${sub('ints')}.map(${name}, ${bound('int', name)})`,
      () => `${sub('ints')} + ${sub('ints')}`,
      () => `[${sub('ints')}, ${sub('ints')}].flatten()`,
    ],
    map: [
      () => `{${sub('string')}: ${sub('string')}}`,
      () => `{${sub('string')}: ${sub('int')}, ${sub('string')}: ${sub('int')}}`,
      () => `${sub('strings')}.transformMap(i, v, ${bound('string', 'v')})`,
      () => `{?${sub('string')}: ${sub('optional')}}`,
    ],
    dyn: [
      () => `dyn(${sub(any())})`,
      () => `[dyn(${sub(any())}), ${sub(any())}]`,
      () => `type(${sub(any())})`,
    ],
    time: [
      () => `timestamp(${sub(random.pick(['string', 'int']))})`,
      () => `${sub('time')} ${random.pick(['+', '-'])} ${sub('span')}`,
    ],
    span: [
      () => `duration(${sub('string')})`,
      () => `${sub('time')} - ${sub('time')}`,
      () => `${sub('span')} + ${sub('span')}`,
    ],
    optional: [
      () => `optional.of(${sub('string')})`,
      () => `optional.ofNonZeroValue(${sub('string')})`,
      () => `claims.?${random.pick(['sub', 'nope', 'roles'])}`,
      () => `${sub('optional')}.or(${sub('optional')})`,
      () => `${sub('optional')}.optMap(${name}, ${bound('string', name)})`,
      () => `${sub('strings')}[?${sub('int')}]`,
    ],
  };
  return random.pick(shapes[type])();
};

const leaf = (random: Random, type: Kind, scope: readonly string[]): string => {
  const names = scope.filter((name) => name !== 'claims' && name !== 'user');
  const variable = names.length > 0 && random.chance(0.5) ? random.pick(names) : undefined;
  if (variable !== undefined) return variable;
  const fromUser = scope.includes('user');
  const leaves: Record<Kind, readonly string[]> = {
    bool: [
      'true',
      'false',
      fromUser ? "user.username == 'jane'" : 'claims.flag == true',
      'claims.flag',
    ],
    int: ['0', '1', '-1', '2', '7', '9223372036854775807', '0x1F', 'claims.n'],
    uint: ['0u', '3u', '18446744073709551615u'],
    double: ['0.0', '1.5', '-2.5e3', '1e308', '.5', 'claims.n'],
    string: [
      "''",
      "'a'",
      '"b,c"',
      "'é😀'",
      "r'\\d'",
      "'2024-01-01T00:00:00Z'",
      "'1h30m'",
      "'12'",
      fromUser ? 'user.username' : 'claims.sub',
      fromUser ? 'user.uid' : 'claims.roles',
      'claims.obj.text',
      'claims.obj.a.b',
    ],
    bytes: ["b'ab'", "b'\\xff'", "b''"],
    strings: [
      '[]',
      "['a', 'b']",
      "['dev']",
      fromUser ? 'user.groups' : 'claims.groups',
      'claims.obj.list',
    ],
    ints: ['[1, 2, 3]', '[]', '[3, 1, 2]', 'claims.obj.list'],
    map: [
      '{}',
      "{'a': 'b'}",
      '{1: 2}',
      'claims.obj.a',
      fromUser ? 'user.extra' : 'claims',
      'claims.obj',
    ],
    dyn: [
      'dyn(1)',
      "dyn('a')",
      'null',
      'claims.nothing',
      'claims.nope',
      fromUser ? 'user' : 'claims',
    ],
    time: ["timestamp('2024-03-05T14:07:09.123Z')", 'timestamp(0)'],
    span: ["duration('1h')", "duration('-1.5s')"],
    optional: ['optional.none()', "optional.of('a')"],
  };
  return random.pick(leaves[type]);
};

const pieces =
  /[A-Za-z_]\w*|\d+(?:\.\d+)?|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|&&|\|\||[<>=!]=|\s+|./gu;
const unusualTokens = [
  '.',
  ',',
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  '?',
  ':',
  '+',
  '-',
  '!',
  '&&',
  '||',
  '==',
  'in',
  '"',
  "'",
  '`',
  '1',
  '1u',
  '.5',
  'x',
  'true',
  'é',
  '\\',
  '.?',
  '[?',
  '//',
  '\n',
  '@',
  'r"',
  "b'",
  '0x',
  '1e',
  'null',
  'has(',
  '😀',
];

export const mutated = (random: Random, text: string): string => {
  const parts = text.match(pieces) ?? [];
  for (let times = 1 + random.below(2); times > 0; times -= 1) {
    const at = random.below(parts.length + 1);
    const how = random.below(5);
    if (how === 0) parts.splice(at, 1);
    else if (how === 1) parts.splice(at, 0, random.pick(unusualTokens));
    else if (how === 2) parts.splice(at, 1, random.pick(unusualTokens));
    else if (how === 3) parts.length = at;
    else parts.splice(at, 1, parts[random.below(parts.length)] ?? '');
  }
  return parts.join('').toWellFormed();
};
