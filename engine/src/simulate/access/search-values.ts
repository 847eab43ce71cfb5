/**
 * Lists values for a search: those that the classes of a claim need, and what the literals of expressions suggest,
 * which also covers constructs that the classes do not know.
 */
import type { JsonValue } from '../../formats/json-with-shape.ts';
import type { ResumableWork } from '../../source/resumable-work.ts';
import type { AccessPart } from './access-part.ts';
import { type ClassValue, classesAt, issuedAt, lifetime, objectOfPaths } from './claim-classes.ts';
import { type ClaimPath, combineReads } from './claim-reads.ts';
import type { StringWalks } from './string-walks.ts';

/** The values to try at one path. */
export interface SearchDimension {
  readonly path: ClaimPath;
  readonly values: readonly ClassValue[];
}

/** The maximum numbers of values from classes, of strings from literals and of strings in lists. */
const maxClassValues = 60;
const maxStrings = 120;
const maxListItems = 6;

/** Returns the values to try for everything that the parts read. */
export function* searchDimensions(
  parts: readonly AccessPart[],
  issuer: string,
  walks: StringWalks,
): ResumableWork<readonly SearchDimension[]> {
  const reads = combineReads(parts.map((part) => part.reads));
  const paths = reads.all().filter(({ path }) => !path.some((name) => name.startsWith('\0')));
  const dimensions: SearchDimension[] = [];
  for (const at of paths.toSorted((a, b) => a.path.length - b.path.length)) {
    const [root = ''] = at.path;
    const { values: classes } = yield* classesAt(reads, at, { issuer, walks, stringsPerClass: 2 });
    const readers = parts.filter((part) => part.reads.roots().has(root));
    const literals = readers.flatMap((part) => part.literals);
    const fields = readers.flatMap((part) => part.elementFields);
    const timed = at.path.length === 1 ? timesOf(root, literals) : undefined;
    const values = timed
      ? [...classes, ...timed]
      : [
          ...classes.slice(0, maxClassValues),
          ...suggestedBy(literals),
          ...objectLists(fields, literals),
        ];
    dimensions.push({
      path: at.path,
      values: withoutRepetition(root === 'iss' ? classes : values),
    });
  }
  return dimensions;
}

/** Returns times at which a token of now is valid, and those at which its age matters. */
const timesOf = (
  root: string,
  literals: AccessPart['literals'],
): readonly JsonValue[] | undefined => {
  if (root !== 'exp' && root !== 'nbf' && root !== 'iat') return undefined;
  const ages = literals.flatMap(secondsOf).flatMap(around);
  if (root !== 'exp') return [issuedAt, issuedAt - 1, issuedAt - lifetime];
  return [issuedAt + lifetime, ...ages.filter((age) => age > 0).map((age) => issuedAt + age)];
};

/** Returns the seconds that a number or a duration such as `1h30m` stands for. */
const secondsOf = (literal: string | number): readonly number[] => {
  if (typeof literal === 'number') return [literal];
  if (!/^(?:[0-9]{1,9}[hms])+$/.test(literal)) return [];
  const parts = [...literal.matchAll(/([0-9]{1,9})([hms])/g)];
  return [parts.reduce((sum, [, count, unit]) => sum + Number(count) * unitSeconds(unit), 0)];
};

const unitSeconds = (unit: string | undefined): number => {
  if (unit === 'h') return 3600;
  return unit === 'm' ? 60 : 1;
};

const around = (number: number): readonly number[] => [number - 1, number, number + 1];

const suggestedBy = (literals: AccessPart['literals']): readonly JsonValue[] => {
  const texts = [...new Set(literals.filter((literal) => typeof literal === 'string'))];
  const numbers = literals.filter((literal) => typeof literal === 'number').flatMap(around);
  const strings = [...texts.flatMap(variationsOf), ...combinationsOf(texts)].slice(0, maxStrings);
  const items = ['a', 'b', ...texts].slice(0, maxListItems);
  const pairs = items.flatMap((first) => items.map((second) => [first, second]));
  return [...strings, ...numbers, ...items.map((item) => [item]), ...pairs, 'a', 'b', 0, 1];
};

/** Returns lists of one object, with the fields that loops read of list elements. */
const objectLists = (
  fields: readonly string[],
  literals: AccessPart['literals'],
): readonly JsonValue[] => {
  const values = [...new Set(literals)].slice(0, maxListItems);
  const names = [...new Set(fields)].slice(0, maxListItems);
  return names.flatMap((name) => values.map((value) => [{ [name]: value }]));
};

const variationsOf = (text: string): readonly string[] => [
  text,
  `${text}x`,
  `x${text}`,
  text.slice(0, -1),
  ...(text.includes('.') ? [`https://${text}`, `https://x${text}`] : []),
  ...addressesNear(text),
];

/** Joins a few literals, which shows differences between functions such as split and replace. */
const combinationsOf = (texts: readonly string[]): readonly string[] => {
  const pieces = ['x', ...texts.slice(0, 3)];
  return pieces.flatMap((a) =>
    pieces.flatMap((b) => [a + b, ...pieces.map((c) => a + b + c), `x${a}x${b}`]),
  );
};

/** Returns the first and last addresses of an IPv4 network, and those next to it. */
const addressesNear = (text: string): readonly string[] => {
  const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})(?:\/(\d{1,2}))?$/.exec(text);
  if (match === null) return [];
  const [a = 0, b = 0, c = 0, d = 0] = match.slice(1, 5).map(Number);
  const size = 2 ** (32 - Math.min(32, Number(match[5] ?? 32)));
  const first = ((a * 256 + b) * 256 + c) * 256 + d;
  return [first - 1, first, first + size - 1, first + size].filter(isAddress).map(addressText);
};

const isAddress = (address: number): boolean => address >= 0 && address < 2 ** 32;

const addressText = (address: number): string =>
  [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join('.');

const withoutRepetition = (values: readonly ClassValue[]): readonly ClassValue[] => {
  const byText = new Map<string, ClassValue>();
  for (const value of values) byText.set(textOf(value), value);
  return [...byText.values()];
};

const textOf = (value: ClassValue): string => {
  if (value === objectOfPaths) return 'object';
  return value === undefined ? 'absent' : JSON.stringify(value);
};
