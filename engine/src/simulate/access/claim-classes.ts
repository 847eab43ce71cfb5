/**
 * Lists values of a claim such that every value that a claim can have is treated like one of them: strings for every
 * combination of answers, numbers of every interval, and the other types of JSON.
 */
import type { JsonValue } from '../../formats/json-with-shape.ts';
import type { ResumableWork } from '../../source/resumable-work.ts';
import {
  type ClaimPath,
  type ClaimReads,
  elementStep,
  type PathReads,
  pathKey,
} from './claim-reads.ts';
import { listsOf, longestOf, objectsOf } from './list-classes.ts';
import { numbersOf } from './number-classes.ts';
import type { StringWalks } from './string-walks.ts';

/** An object whose members are values of other paths. */
export const objectOfPaths: unique symbol = Symbol('object');

/** A value of a claim; `undefined` if the claim is absent. */
export type ClassValue = JsonValue | typeof objectOfPaths | undefined;

/** The values to try at one path. */
export interface ClaimClasses {
  readonly values: readonly ClassValue[];
  /** Why they may not be all; `undefined` if every value is treated like one of them. */
  readonly gap: string | undefined;
}

export interface ClassOptions {
  readonly issuer: string;
  /** Strings per combination of answers: two show differences that one hides. */
  readonly stringsPerClass: 1 | 2;
  readonly walks: StringWalks;
}

/** Returns the values to try at a path. */
export function* classesAt(
  reads: ClaimReads,
  at: PathReads,
  options: ClassOptions,
): ResumableWork<ClaimClasses> {
  const { path } = at;
  if (isIssuer(at)) {
    return { values: issuersOf(options.issuer), gap: undefined };
  }
  const times = timesOf(at);
  if (times !== undefined) return { values: times, gap: undefined };
  const group = pathsComparedWith(reads, at);
  const scalars = yield* scalarsOf(at, group, options);
  const containers = yield* containersOf(reads, at, options);
  const others = group.length > 1 ? differentContainers(group.length) : [];
  const isSplit = group.length > 1 && group.some((one) => isReadInside(reads, one));
  const compared = isSplit
    ? `${placeOf(path)} is compared and read as a list or object`
    : undefined;
  return {
    values: [
      ...scalars.strings,
      ...(group.some(isIssuer) ? issuersOf(options.issuer) : []),
      undefined,
      ...scalars.others,
      ...containers.values,
      ...others,
    ],
    gap: scalars.gap ?? containers.gap ?? compared,
  };
}

const isIssuer = ({ path }: PathReads): boolean => path.length === 1 && path[0] === 'iss';

/** Returns a path and all paths whose values are compared with it, directly or through others. */
const pathsComparedWith = (reads: ClaimReads, at: PathReads): readonly PathReads[] => {
  const group = new Map([[pathKey(at.path), at]]);
  for (const member of group.values()) {
    for (const [key, path] of member.equals) group.set(key, reads.at(path));
  }
  return [...group].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, member]) => member);
};

/** Returns lists and objects that differ from each other, for values that are compared. */
const differentContainers = (count: number): readonly JsonValue[] =>
  Array.from({ length: count }, (_, index) => [[index], { key: index }]).flat();

/** Checks whether more is read of a value than its kind and its string or number. */
const isReadInside = (reads: ClaimReads, { path, statements, largestSize }: PathReads): boolean =>
  statements.size > 0 ||
  largestSize >= 0 ||
  reads.find([...path, elementStep]) !== undefined ||
  fieldsBelow(reads, path);

interface Scalars {
  readonly strings: readonly string[];
  readonly others: readonly JsonValue[];
  readonly values: readonly JsonValue[];
  readonly gap: string | undefined;
}

/**
 * Returns strings, numbers, booleans and null. Values that are compared with each other are tried
 * with the same strings and numbers, of which each class has as many as there are values.
 */
function* scalarsOf(
  at: PathReads,
  group: readonly PathReads[],
  { stringsPerClass, walks }: ClassOptions,
): ResumableWork<Scalars> {
  const tests = new Map(group.flatMap((member) => [...member.strings]));
  const numbers = yield* numbersOf(group, walks);
  const found = yield* walks.stringsOf(tests, {
    perClass: stringsPerClass,
    distinct: group.length,
  });
  const others = [...numbers.values, null, true, false];
  return {
    strings: found.strings,
    others,
    values: [...found.strings, ...others],
    gap: found.isComplete ? numbers.gap : `${placeOf(at.path)} has too many kinds of strings`,
  };
}

function* containersOf(
  reads: ClaimReads,
  at: PathReads,
  options: ClassOptions,
): ResumableWork<ClaimClasses> {
  const elementReads = reads.find([...at.path, elementStep]);
  const elements = elementReads && (yield* scalarsOf(elementReads, [elementReads], options));
  const items =
    elementReads && elements ? [...elements.values, ...containersWithin(elementReads)] : ['x'];
  const lists = listsOf(at, items);
  const hasFields = fieldsBelow(reads, at.path);
  const objects: ClaimClasses = hasFields
    ? { values: [objectOfPaths], gap: undefined }
    : objectsOf(at, yield* keysOf(at, elementReads, options));
  const large = needsManyKeys(at, elementReads)
    ? `the size of ${placeOf(at.path)} is compared with a large number`
    : undefined;
  const isMixed = hasFields && (at.statements.size > 0 || at.largestSize >= 0);
  const mixed = isMixed ? `${placeOf(at.path)} is read as a list and as an object` : undefined;
  return {
    values: [...lists.values, ...objects.values],
    gap: elements?.gap ?? lists.gap ?? objects.gap ?? mixed ?? large,
  };
}

/** Returns lists and objects of every size that matters, as elements of a list. */
const containersWithin = ({ largestSize }: PathReads): readonly JsonValue[] => {
  const keys = genericKeys(Math.min(largestSize + 1, maxKeys));
  return [0, ...keys.keys().map((index) => index + 1)].flatMap((size) => [
    keys.slice(0, size),
    Object.fromEntries(keys.slice(0, size).map((key) => [key, 1])),
  ]);
};

const genericKeys = (count: number): readonly string[] =>
  Array.from({ length: Math.max(0, count) }, (_, index) => `key${index}`);

/** The maximum number of keys that objects are built of, where keys are tested. */
const maxKeys = 16;

/** Returns keys of objects, in groups that all statements treat alike. */
function* keysOf(
  at: PathReads,
  elements: PathReads | undefined,
  { walks }: ClassOptions,
): ResumableWork<readonly (readonly string[])[]> {
  const count = at.countsElements ? longestOf(at) : 1;
  if (elements === undefined) return [genericKeys(Math.min(count, maxSizes))];
  return yield* walks.groupsOf(elements.strings, Math.min(count, maxKeys));
}

/** The maximum size of objects that are built where only the size is tested. */
const maxSizes = 2000;

/** Checks whether objects would need more keys than are built. */
const needsManyKeys = (at: PathReads, elements: PathReads | undefined): boolean =>
  (at.countsElements && longestOf(at) > (elements === undefined ? maxSizes : maxKeys)) ||
  (elements !== undefined && elements.largestSize >= maxKeys);

const fieldsBelow = (reads: ClaimReads, path: ClaimPath): boolean =>
  reads
    .all()
    .some(
      (other) =>
        other.path.length === path.length + 1 &&
        other.path.at(-1) !== elementStep &&
        path.every((name, index) => name === other.path[index]),
    );

/** The time at which tokens are tried, in seconds since 1970, and how long they are valid. */
export const issuedAt = 1_800_000_000;
export const lifetime = 3600;

/**
 * Returns times of a token that is valid now. Nothing about them can be proved, because the time goes
 * on.
 */
const timesOf = ({ path, numbers }: PathReads): readonly ClassValue[] | undefined => {
  const [root] = path;
  if (path.length !== 1) return undefined;
  const near = [...numbers].flatMap((number) => [number - 1, number, number + 1]);
  if (root === 'exp') return [issuedAt + lifetime, ...near.filter((time) => time > issuedAt)];
  if (root !== 'nbf' && root !== 'iat') return undefined;
  return [issuedAt, undefined, ...near.filter((time) => time <= issuedAt)];
};

/** Returns how a path is written in an expression. */
export const placeOf = (path: ClaimPath): string => ['claims', ...path].join('.');

const googleIssuer = 'https://accounts.google.com';

/** Google's tokens may have its issuer without the scheme. */
const issuersOf = (issuer: string): readonly string[] =>
  issuer === googleIssuer ? [issuer, 'accounts.google.com'] : [issuer];
