/**
 * What a call costs at run time, by the real model: most calls one unit, those that walk through a
 * text or list by its size. The sizes are those of the first two arguments and of the result.
 */
import type { Release } from '../../model/release.ts';
import { codePointCount } from '../tree/code-points.ts';
import { CelFormat } from '../values/api-formats.ts';
import { countSteps } from '../values/evaluation-steps.ts';
import { goTypeName } from '../values/go-type-name.ts';
import { isMap, mapEntries, mapSize, ownMember, VariableMap } from '../values/map-value.ts';
import { CelDuration, CelTimestamp } from '../values/time.ts';
import {
  CelBytes,
  CelError,
  CelObject,
  CelOptional,
  type CelResult,
  CelUint,
  type CelValue,
  isList,
} from '../values/value.ts';

/** Units that one evaluation of one expression may spend. */
export const costLimit = 1_000_000;

/** The error of an expression that spent more. */
export const costLimitExceeded = new CelError('operation cancelled: actual cost limit exceeded');

/** Units for making a list. */
export const listCost = 10;
/** Units for making a map. */
export const mapCost = 30;
/** Units for making an object. */
export const structCost = 40;

/** The real cost model fails in a few places, and takes the whole evaluation with it. */
export class Panic extends Error {}

const textFactor = 0.1;
const regexFactor = 0.25;

/** A fixed number of units, or a function of the first two arguments and the result. */
export type CallCost = number | ((a: CelResult, b: CelResult, result: CelResult) => number);

/** First release in which `startsWith` and `endsWith` cost by the size of the argument, not of the receiver. */
export const textTestsByPartSince: Release = 37;

/** The cost of a call; an overload is known when the checker found exactly one. */
export const costOfCall = (
  name: string,
  overload: string | undefined,
  release: Release,
): CallCost =>
  (overload === undefined || release >= textTestsByPartSince
    ? undefined
    : costsUntil36.get(overload)) ??
  (overload === undefined ? undefined : trackedOverloads.get(overload)) ??
  functionCosts.get(overload === 'cidr_ip' ? '' : name) ??
  (overload === undefined ? undefined : overloadCosts.get(overload)) ??
  1;

/** Size as the cost model sees it: 1 for everything that has none. */
export const sizeOf = (value: CelResult): number => {
  if (typeof value === 'string') return codePointCount(value);
  if (value instanceof CelError) return 1;
  if (isList(value)) return value.length;
  if (isMap(value)) return mapSize(value);
  if (value instanceof CelOptional) return value.value === undefined ? 1 : sizeOf(value.value);
  return value instanceof CelObject ? (value.size ?? 1) : 1;
};

/** Units for walking once through a text of that size. */
export const textCost = (size: number): number => Math.ceil(size * textFactor);

/** Units for `==`: the smaller of two sizes counts. */
export const equalityCost = (a: CelResult, b: CelResult): number =>
  textCost(Math.min(sizeOf(a), sizeOf(b)));

/** Units for `==`, which for addresses and their ranges is one, whatever their size. */
export const equalsCost = (a: CelResult, b: CelResult): number =>
  a instanceof CelObject && a.typeName.startsWith('net.') ? 1 : equalityCost(a, b);

/** Units for fitting an RE2 expression on a text. */
export const regexCost = (textSize: number, patternSize: number): number =>
  Math.ceil((1 + textSize) * textFactor) * Math.ceil(patternSize * regexFactor);

/**
 * Whether a search alone costs more than an expression may. It is then not run: its cost is counted after the
 * call, and the evaluation ends there whatever the result is.
 */
export const searchExceedsLimit = (text: string, pattern: string): boolean =>
  text.length * pattern.length > costLimit &&
  regexCost(codePointCount(text), codePointCount(pattern)) > costLimit;

const walkFirst: CallCost = (a) => textCost(sizeOf(a));
const walkFirstTwice: CallCost = (a) => Math.ceil(sizeOf(a) * 2 * textFactor);
const walkSecond: CallCost = (_, b) => textCost(sizeOf(b));
const walkBoth: CallCost = (a, b) => textCost(sizeOf(a) + sizeOf(b));
const search: CallCost = (a, b) => regexCost(sizeOf(a), sizeOf(b));

/** Every element once; a text counts a tenth of its bytes, rounded down. */
const traversal = (value: CelResult): number => {
  if (typeof value === 'string') return Math.floor(byteLength(value) * textFactor);
  if (value instanceof CelBytes) return Math.floor(value.size * textFactor);
  if (value instanceof CelError) return 1;
  if (isList(value)) return listTraversal(value);
  if (value instanceof VariableMap) return traversalOfVariable(value);
  if (!isMap(value)) return 1;
  const entries = mapEntries(value);
  countSteps(5 * entries.length);
  return entries.reduce((sum, [key, entry]) => sum + traversal(key) + traversal(entry), 0);
};

/** The walk through a variable yields its values, and asks for each of them as if it were a name. */
const traversalOfVariable = ({ record }: VariableMap): number =>
  Object.values(record).reduce((sum: number, value) => {
    const named = typeof value === 'string' ? ownMember(record, value) : undefined;
    return sum + traversal(value) + (named === undefined ? 1 : traversal(named));
  }, 0);

/** A list that is searched again and again is walked through once only. */
const knownTraversals = new WeakMap<readonly CelValue[], number>();

const listTraversal = (list: readonly CelValue[]): number => {
  const known = knownTraversals.get(list);
  if (known !== undefined) return known;
  let sum = 0;
  for (const element of list) sum += traversal(element);
  knownTraversals.set(list, sum);
  return sum;
};

const byteLength = (text: string): number => {
  let bytes = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    else if (unit >= 0xd800 && unit <= 0xdfff) bytes += 2;
    else bytes += 3;
  }
  return bytes;
};

/** A selector is read, and makes a list of requirements: one for every two letters. */
const selector: CallCost = (_, b) =>
  listCost + textCost(sizeOf(b)) + Math.ceil(sizeOf(b) / 2) * (listCost + structCost);

const traverse: CallCost = (a) => traversal(a);

const madeList: CallCost = (_, __, result) => sizeOf(result) + 1 + listCost;

const flattened: CallCost = (a) => sizeOf(a) + 1 + listCost;

const flattenedTo = (a: CelResult, b: CelResult): number => {
  if (typeof b !== 'bigint') {
    throw new Panic(`interface conversion: ref.Val is ${goTypeName(b)}, not types.Int`);
  }
  return sizeOf(a) * (b < 0n ? 1 : Number(b)) + 1 + listCost;
};

const selfCompared = (list: CelResult): number => {
  if (list instanceof CelError || !isList(list)) throw notAList(list);
  const size = list.length;
  const [first] = list;
  const factor = typeof first === 'string' || first instanceof CelBytes ? 2 + textFactor : 2;
  return Math.floor(size * size * factor) + 1 + listCost;
};

const notAList = (value: CelResult): Panic => {
  const adds = typeof value === 'number' || typeof value === 'bigint' || typeof value === 'string';
  const missing = adds || value instanceof CelBytes || isTime(value) ? 'Contains' : 'Add';
  return new Panic(
    `interface conversion: ${goTypeName(value)} is not traits.Lister: missing method ${missing}`,
  );
};

const isTime = (value: CelResult): boolean =>
  value instanceof CelTimestamp || value instanceof CelDuration || value instanceof CelUint;

const compareFirst: CallCost = (a) => selfCompared(a);
const compareSecond: CallCost = (_, b) => selfCompared(b);

const crossed =
  (factor: number): CallCost =>
  (a, b) =>
    1 + sizeOf(a) * sizeOf(b) * factor;

const contained = (a: CelResult): number => Math.ceil((sizeOf(a) + sizeOf(a)) * textFactor);

const containedRange = (a: CelResult): number => contained(a) + textCost(sizeOf(a)) + 1;

const validated: CallCost = (a, b) =>
  a instanceof CelFormat ? regexCost(sizeOf(b), a.regexSize) : 1;

const sortable = [
  'int',
  'uint',
  'double',
  'bool',
  'google.protobuf.Duration',
  'google.protobuf.Timestamp',
  'string',
  'bytes',
];

/** Overloads that count for themselves, before everything else. */
const trackedOverloads: ReadonlyMap<string, CallCost> = new Map<string, CallCost>([
  ['list_slice', madeList],
  ['lists_range', madeList],
  ['list_reverse', madeList],
  ['list_flatten', flattened],
  ['list_flatten_int', flattenedTo],
  ['list_distinct', compareFirst],
  ...sortable.map((type): [string, CallCost] => [`list_${type}_sort`, compareFirst]),
  ...sortable.map((type): [string, CallCost] => [
    `list_${type}_sortByAssociatedKeys`,
    compareSecond,
  ]),
  // A text is read first, where the checker knew that it is one.
  ['cidr_contains_ip_string', (a, b) => contained(a) + textCost(sizeOf(b))],
  ['cidr_contains_cidr_string', (a, b) => containedRange(a) + textCost(sizeOf(b))],
  ['list_sets_contains_list', crossed(1)],
  ['list_sets_intersects_list', crossed(1)],
  ['list_sets_equivalent_list', crossed(2)],
]);

/** Functions that the API server's estimator knows by name, whatever the overload. */
const functionCosts: ReadonlyMap<string, CallCost> = new Map<string, CallCost>([
  ['check', 350_000],
  ['fieldSelector', selector],
  ['labelSelector', selector],
  ['isSorted', traverse],
  ['sum', traverse],
  ['max', traverse],
  ['min', traverse],
  ['indexOf', traverse],
  ['lastIndexOf', traverse],
  ['includes', traverse],
  ['url', walkFirst],
  ['lowerAscii', walkFirst],
  ['upperAscii', walkFirst],
  ['substring', walkFirst],
  ['trim', walkFirst],
  ['replace', walkFirstTwice],
  ['split', walkFirstTwice],
  ['join', (_, __, result) => Math.ceil(sizeOf(result) * 2 * textFactor)],
  ['find', search],
  ['findAll', search],
  ['cidr', walkFirst],
  ['isIP', walkFirst],
  ['isCIDR', walkFirst],
  ['ip', walkFirst],
  ['ip.isCanonical', walkFirstTwice],
  ['containsIP', contained],
  ['containsCIDR', containedRange],
  ['quantity', walkFirst],
  ['isQuantity', walkFirst],
  ['validate', validated],
  ['semver', walkFirst],
  ['isSemver', walkFirst],
]);

/** Depths below zero took units away, and more than were spent exceeded the limit. */
const flattenedBelowZero: CallCost = (a, b) => {
  if (typeof b !== 'bigint' || b >= 0n) return flattenedTo(a, b);
  const units = sizeOf(a) * Number(b) + 1 + listCost;
  return units < 0 ? costLimit + 1 : units;
};

/** A list of any size counts, even one that is not made. */
const unboundedRange: CallCost = (size, _, result) =>
  (typeof size === 'bigint' && size > 0n ? Number(size) : sizeOf(result)) + 1 + listCost;

const compared: CallCost = (a, b) => equalityCost(a, b);

const ordered = ['less', 'less_equals', 'greater', 'greater_equals'];

/** The language's own costs, where they are not one unit. */
const overloadCosts: ReadonlyMap<string, CallCost> = new Map<string, CallCost>([
  ['starts_with_string', walkSecond],
  ['ends_with_string', walkSecond],
  ['string_to_bytes', walkFirst],
  ['bytes_to_string', walkFirst],
  ['strings_quote', walkFirst],
  ['string_format', walkFirst],
  ['in_list', (_, b) => sizeOf(b)],
  ...ordered.flatMap((name): [string, CallCost][] => [
    [`${name}_string`, compared],
    [`${name}_bytes`, compared],
  ]),
  ['add_string', walkBoth],
  ['add_bytes', walkBoth],
  ['matches', search],
  ['matches_string', search],
  ['contains_string', (a, b) => textCost(sizeOf(a)) * textCost(sizeOf(b))],
]);

/** Overloads whose cost was another one up to 1.36. */
const costsUntil36: ReadonlyMap<string, CallCost> = new Map<string, CallCost>([
  ['starts_with_string', walkFirst],
  ['ends_with_string', walkFirst],
  ['list_flatten_int', flattenedBelowZero],
  ['lists_range', unboundedRange],
]);
