/**
 * Values of each CEL type that an attacker who controls a claim would choose, as large as a token
 * permits.
 */
import { libraries } from '../../engine/src/cel/functions/registry.ts';
import { CelMap } from '../../engine/src/cel/values/map-value.ts';
import { CelDuration, CelTimestamp } from '../../engine/src/cel/values/time.ts';
import type { CelType } from '../../engine/src/cel/values/types.ts';
import {
  CelBytes,
  CelError,
  CelOptional,
  CelUint,
  type CelValue,
} from '../../engine/src/cel/values/value.ts';
import { maxTokenItems, maxTokenMembers } from '../../engine/src/model/limits.ts';

/** Returns hostile values; the last one of each list is small. */
export const hostileValues = (type: CelType, size: number): readonly CelValue[] => {
  switch (type.kind) {
    case 'string':
      return strings(size);
    case 'bool':
      return [true];
    case 'int':
      return [0n, BigInt(size), BigInt(Math.floor(size / 2)), 2n ** 63n - 1n, -1n, 1n];
    case 'uint':
      return [new CelUint(2n ** 64n - 1n), new CelUint(1n)];
    case 'double':
      return [1.7976931348623157e308, 5e-324, Number.NaN, 1];
    case 'bytes':
      return [new CelBytes(new Uint8Array(size).fill(0xff)), new CelBytes(new Uint8Array(1))];
    case 'duration':
      return [new CelDuration(2n ** 63n - 1n), new CelDuration(1n)];
    case 'timestamp':
      return [new CelTimestamp(253_402_300_799_999_999_999n), new CelTimestamp(0n)];
    case 'list':
      return lists(type.element, size);
    case 'map':
      return maps(size);
    case 'optional':
      return hostileValues(type.value, size).map((value) => new CelOptional(value));
    case 'param':
    case 'dyn':
      return [
        'a'.repeat(size),
        ...lists({ kind: 'string' }, size),
        nested(size),
        ...maps(size),
        1.5,
        1n,
        'a',
      ];
    case 'opaque':
    case 'object':
      return objects(type.name, size);
    default:
      throw new Error(`no hostile values of the type ${type.kind}`);
  }
};

/** Parts of the syntaxes that string functions parse; they are repeated. */
const parts: readonly string[] = [
  'a',
  'ab',
  ' ',
  '0',
  '1',
  '9',
  '.',
  '1.',
  'a.',
  '-',
  'a-',
  ':',
  '::',
  '/',
  '%2f',
  '%',
  '%s',
  ',',
  '+',
  '=',
  '"',
  '\\',
  '\\"',
  '[',
  '(',
  '(?:',
  '{',
  '*',
  '(a*)*',
  '[a-z]',
  'a|',
  '\\pL',
  '\n',
  '1h',
  '00ns',
  '1e9',
  'é',
  '😀',
];

const strings = (size: number): readonly string[] => {
  const times = (part: string, length = size): string =>
    part.repeat(Math.floor(length / new TextEncoder().encode(part).length));
  const half = times('a', size / 2);
  return [
    ...parts.map((part) => times(part)),
    half,
    `b${half}`,
    `${half}b`,
    `x${times(' ')}x`,
    `0${times('0')}x`,
    `http://a/${times('/')}?${times('&', 100)}`,
    `https://${times('a')}:1/`,
    `2020-01-01T00:00:00.${times('0')}Z`,
    `1.${times('0')}Ki`,
    `1e${times('9', 4)}`,
    `1.0.0-${times('a.')}a`,
    `(${times('a')})*b`,
    '(a*)*b',
    'a{1000}',
    '',
    'a',
  ];
};

const lists = (element: CelType, size: number): readonly CelValue[] => {
  const small =
    element.kind === 'param' || element.kind === 'dyn' ? { kind: 'string' as const } : element;
  const values = hostileValues(small, Math.min(64, size));
  const last = values.at(-1) ?? null;
  const items = Math.min(maxTokenItems, Math.floor(size / 2));
  const different = Array.from({ length: items }, (_, index): CelValue => {
    if (small.kind === 'string') return `${index}`.padStart(8, 'a');
    if (small.kind === 'int') return BigInt((index * 7919) % items);
    if (small.kind === 'double') return (index * 7919) % items;
    return values[index % values.length] ?? null;
  });
  const alike = Array.from({ length: items }, () => last);
  return [different, alike, [...hostileValues(small, size).slice(0, 1)], [last]];
};

/** Nested lists, as deep and as many as a token permits. */
const nested = (size: number): CelValue => {
  const deep = (levels: number): CelValue => (levels === 0 ? [] : [deep(levels - 1)]);
  return Array.from({ length: Math.floor(size / 128) }, () => deep(60));
};

const maps = (size: number): readonly CelValue[] => {
  const members = Math.min(maxTokenMembers, Math.floor(size / 8));
  return [
    new CelMap(Array.from({ length: members }, (_, index) => [`k${index}`, `${index}`])),
    new CelMap([['a', 'b']]),
  ];
};

/** The functions that return values of a type, by its name. */
const constructors: ReadonlyMap<
  string,
  readonly [overload: string, strings: (size: number) => readonly string[]]
> = new Map<string, readonly [string, (size: number) => readonly string[]]>([
  [
    'kubernetes.URL',
    [
      'string_to_url',
      (size) => [
        `https://a/${'/'.repeat(size)}`,
        `https://a/?${'a=b&'.repeat(size / 4)}`,
        `https://a/${'%2f'.repeat(size / 3)}`,
        'https://a/',
      ],
    ],
  ],
  [
    'kubernetes.Quantity',
    ['string_to_quantity', (size) => [`0.${'0'.repeat(size)}1`, '9'.repeat(1000), '1e1000', '1Ki']],
  ],
  [
    'kubernetes.Semver',
    ['string_to_semver', (size) => [`1.0.0-${'a.'.repeat(size / 2)}a`, '1.0.0']],
  ],
  ['net.IP', ['string_to_ip', () => ['ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '10.0.0.1']]],
  ['net.CIDR', ['string_to_cidr', () => ['ffff::/128', '10.0.0.0/8']]],
  ['kubernetes.NamedFormat', ['format.dns1123Label', () => ['']]],
]);

/** Checks for types of which no expression in an AuthenticationConfiguration can have a value. */
export const isUnreachable = (name: string): boolean =>
  name.startsWith('kubernetes.authorization.');

const objects = (name: string, size: number): readonly CelValue[] => {
  if (isUnreachable(name)) return [null];
  const [id, texts] = constructors.get(name) ?? [];
  const constructorOverload = libraries
    .flatMap(({ functions }) => functions.flatMap(({ overloads }) => overloads))
    .find((overload) => overload.id === id);
  if (constructorOverload === undefined || texts === undefined) {
    throw new Error(`no hostile values of the type ${name}`);
  }
  const values = texts(size).map((text) =>
    constructorOverload.evaluate(constructorOverload.params.length === 0 ? [] : [text]),
  );
  const objectValues = values.flatMap((value) => (value instanceof CelError ? [] : [value]));
  if (objectValues.length === 0) throw new Error(`${id} does not return a ${name}`);
  return objectValues;
};
