/**
 * The run-time cost of calls in kube-apiserver's model: most calls cost one unit, those that
 * traverse a string or list cost by its size. Sizes are those of the first two arguments and of the
 * result.
 */
import type { Release } from '../../model/release.ts';
import { codePointCount } from '../tree/code-points.ts';
import { CelFormat } from '../values/api-formats.ts';
import { PanicError } from '../values/evaluation-errors.ts';
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

/** The cost limit of one evaluation of one expression. */
export const costLimit = 1_000_000;

/** The cost of creating a list. */
export const listCreateBaseCost = 10;
/** The cost of creating a map. */
export const mapCreateBaseCost = 30;
/** The cost of creating a message. */
export const structCreateBaseCost = 40;

const stringTraversalCostFactor = 0.1;
const regexStringLengthCostFactor = 0.25;

/** The cost of reading a variable, and of selecting a member. */
export const readCost = 1;

/** A cost that depends on the sizes of the first two arguments. */
export interface SizeCost {
  /** The arguments whose sizes count; the size of the other one may be any number. */
  readonly of: 'first' | 'second' | 'both';
  readonly units: (first: number, second: number) => number;
}

/** Computes a cost from the first two arguments and the result. */
export type Charge = (a: CelResult, b: CelResult, result: CelResult) => number;

/** The cost of a call: a fixed one, or one that depends on sizes or values. */
export type CallCost = number | SizeCost | Charge;

/** Returns the function that computes a cost from values. */
export const chargeOf = (cost: CallCost): Charge => {
  if (typeof cost === 'number') return () => cost;
  if (typeof cost === 'function') return cost;
  const { of, units } = cost;
  if (of === 'first') return (a) => units(actualSize(a), 0);
  return of === 'second'
    ? (_, b) => units(0, actualSize(b))
    : (a, b) => units(actualSize(a), actualSize(b));
};

/**
 * The first release in which `startsWith` and `endsWith` cost by the size of the argument instead
 * of the receiver.
 */
const prefixTestsCostByArgumentSince: Release = 37;

/** Returns the cost of a call. `overload` is set if the checker found exactly one. */
export const costOfCall = (
  name: string,
  overload: string | undefined,
  release: Release,
): CallCost =>
  (overload === undefined || release >= prefixTestsCostByArgumentSince
    ? undefined
    : costsUntil36.get(overload)) ??
  (overload === undefined ? undefined : overloadTrackers.get(overload)) ??
  functionCosts.get(overload === 'cidr_ip' ? '' : name) ??
  (overload === undefined ? undefined : overloadCosts.get(overload)) ??
  1;

/** Returns the size that the cost model uses: 1 for values without a size. */
export const actualSize = (value: CelResult): number => {
  if (typeof value === 'string') return codePointCount(value);
  if (value instanceof CelError) return 1;
  if (isList(value)) return value.length;
  if (isMap(value)) return mapSize(value);
  if (value instanceof CelOptional) return value.value === undefined ? 1 : actualSize(value.value);
  return value instanceof CelObject ? (value.size ?? 1) : 1;
};

/** Returns the cost of traversing a string of that size once. */
const stringTraversalCost = (size: number): number => Math.ceil(size * stringTraversalCostFactor);

/** The first release in which comparing IP addresses costs one unit for any size. */
const addressesCostOneSince: Release = 32;

/**
 * The first release in which an optional has the size of the value it holds; before, its size is 1.
 */
const sizedOptionalsSince: Release = 33;

/** The cost of comparing two values, which depends on the smaller one of the two sizes. */
export const comparisonCost: SizeCost = {
  of: 'both',
  units: (first, second) => stringTraversalCost(Math.min(first, second)),
};

const compareSizes = chargeOf(comparisonCost);

/** Returns the cost of `==` or `!=` for any values. */
export const costOfEquality = (operator: '_==_' | '_!=_', release: Release): Charge => {
  const charge: Charge =
    operator === '_!=_' || release < addressesCostOneSince
      ? compareSizes
      : (a, b, result) =>
          a instanceof CelObject && a.typeName.startsWith('net.') ? 1 : compareSizes(a, b, result);
  return release < sizedOptionalsSince
    ? (a, b, result) => charge(withoutSize(a), withoutSize(b), result)
    : charge;
};

/** Returns a value of size 1 in place of an optional. */
const withoutSize = (value: CelResult): CelResult => (value instanceof CelOptional ? null : value);

/** Returns the cost of matching an RE2 expression against a string. */
const regexCost = (stringSize: number, patternSize: number): number =>
  Math.ceil((1 + stringSize) * stringTraversalCostFactor) *
  Math.ceil(patternSize * regexStringLengthCostFactor);

/**
 * Checks whether a search alone exceeds the cost limit. It is then skipped: its cost would be
 * counted after the call and end the evaluation, whatever the result is.
 */
export const searchExceedsLimit = (text: string, pattern: string): boolean =>
  text.length * pattern.length > costLimit &&
  regexCost(codePointCount(text), codePointCount(pattern)) > costLimit;

const traverseFirst: SizeCost = { of: 'first', units: stringTraversalCost };
const traverseFirstTwice: SizeCost = {
  of: 'first',
  units: (first) => stringTraversalCost(first * 2),
};
const traverseSecond: SizeCost = {
  of: 'second',
  units: (_, second) => stringTraversalCost(second),
};
const traverseBoth: SizeCost = {
  of: 'both',
  units: (first, second) => stringTraversalCost(first + second),
};
const regexSearch: SizeCost = { of: 'both', units: regexCost };

/**
 * Returns the cost of traversing every element once; a string costs a tenth of its bytes, rounded
 * down.
 */
const traversalCost = (value: CelResult): number => {
  if (typeof value === 'string') return Math.floor(byteLength(value) * stringTraversalCostFactor);
  if (value instanceof CelBytes) return Math.floor(value.size * stringTraversalCostFactor);
  if (value instanceof CelError) return 1;
  if (isList(value)) return listTraversalCost(value);
  if (value instanceof VariableMap) return variableTraversalCost(value);
  if (!isMap(value)) return 1;
  const entries = mapEntries(value);
  countSteps(5 * entries.length);
  return entries.reduce((sum, [key, entry]) => sum + traversalCost(key) + traversalCost(entry), 0);
};

/**
 * Iterating over a variable yields its values, and each string among them is looked up as a name.
 */
const variableTraversalCost = ({ record }: VariableMap): number =>
  Object.values(record).reduce((sum: number, value) => {
    const member = typeof value === 'string' ? ownMember(record, value) : undefined;
    return sum + traversalCost(value) + (member === undefined ? 1 : traversalCost(member));
  }, 0);

/**
 * The costs of lists that have been traversed, because an expression may search a list many times.
 */
const cachedTraversalCosts = new WeakMap<readonly CelValue[], number>();

const listTraversalCost = (list: readonly CelValue[]): number => {
  const cached = cachedTraversalCosts.get(list);
  if (cached !== undefined) return cached;
  let sum = 0;
  for (const element of list) sum += traversalCost(element);
  cachedTraversalCosts.set(list, sum);
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

/** The cost of parsing a selector, which creates a requirement for every two characters. */
const selector: CallCost = (_, b) =>
  listCreateBaseCost +
  stringTraversalCost(actualSize(b)) +
  Math.ceil(actualSize(b) / 2) * (listCreateBaseCost + structCreateBaseCost);

const traverseElements: CallCost = (a) => traversalCost(a);

const createdList: CallCost = (_, __, result) => actualSize(result) + 1 + listCreateBaseCost;

const flattenOnce: CallCost = (a) => actualSize(a) + 1 + listCreateBaseCost;

const flattenToDepth = (a: CelResult, b: CelResult): number => {
  if (typeof b !== 'bigint') {
    throw new PanicError(`interface conversion: ref.Val is ${goTypeName(b)}, not types.Int`);
  }
  return actualSize(a) * (b < 0n ? 1 : Number(b)) + 1 + listCreateBaseCost;
};

const pairwiseComparisonCost = (list: CelResult): number => {
  if (list instanceof CelError || !isList(list)) throw notAListPanic(list);
  const size = list.length;
  const [first] = list;
  const factor =
    typeof first === 'string' || first instanceof CelBytes ? 2 + stringTraversalCostFactor : 2;
  return Math.floor(size * size * factor) + 1 + listCreateBaseCost;
};

const notAListPanic = (value: CelResult): PanicError => {
  const adds = typeof value === 'number' || typeof value === 'bigint' || typeof value === 'string';
  const missing = adds || value instanceof CelBytes || isTime(value) ? 'Contains' : 'Add';
  return new PanicError(
    `interface conversion: ${goTypeName(value)} is not traits.Lister: missing method ${missing}`,
  );
};

const isTime = (value: CelResult): boolean =>
  value instanceof CelTimestamp || value instanceof CelDuration || value instanceof CelUint;

const comparePairsOfFirst: CallCost = (a) => pairwiseComparisonCost(a);
const comparePairsOfSecond: CallCost = (_, b) => pairwiseComparisonCost(b);

const crossProduct =
  (factor: number): CallCost =>
  (a, b) =>
    1 + actualSize(a) * actualSize(b) * factor;

const containsIp = (a: CelResult): number =>
  Math.ceil((actualSize(a) + actualSize(a)) * stringTraversalCostFactor);

const containsCidr = (a: CelResult): number =>
  containsIp(a) + stringTraversalCost(actualSize(a)) + 1;

const validateFormat: CallCost = (a, b) =>
  a instanceof CelFormat ? regexCost(actualSize(b), a.regexSize) : 1;

const sortableTypes = [
  'int',
  'uint',
  'double',
  'bool',
  'google.protobuf.Duration',
  'google.protobuf.Timestamp',
  'string',
  'bytes',
];

/** Overloads with cost trackers of their own, which take precedence. */
const overloadTrackers: ReadonlyMap<string, CallCost> = new Map<string, CallCost>([
  ['list_slice', createdList],
  ['lists_range', createdList],
  ['list_reverse', createdList],
  ['list_flatten', flattenOnce],
  ['list_flatten_int', flattenToDepth],
  ['list_distinct', comparePairsOfFirst],
  ...sortableTypes.map((type): [string, CallCost] => [`list_${type}_sort`, comparePairsOfFirst]),
  ...sortableTypes.map((type): [string, CallCost] => [
    `list_${type}_sortByAssociatedKeys`,
    comparePairsOfSecond,
  ]),
  // A string argument is parsed first if the checker inferred that it is a string.
  ['cidr_contains_ip_string', (a, b) => containsIp(a) + stringTraversalCost(actualSize(b))],
  ['cidr_contains_cidr_string', (a, b) => containsCidr(a) + stringTraversalCost(actualSize(b))],
  ['list_sets_contains_list', crossProduct(1)],
  ['list_sets_intersects_list', crossProduct(1)],
  ['list_sets_equivalent_list', crossProduct(2)],
]);

/** Functions that Kubernetes' cost estimator identifies by name, whatever the overload. */
const functionCosts: ReadonlyMap<string, CallCost> = new Map<string, CallCost>([
  ['check', 350_000],
  ['fieldSelector', selector],
  ['labelSelector', selector],
  ['isSorted', traverseElements],
  ['sum', traverseElements],
  ['max', traverseElements],
  ['min', traverseElements],
  ['indexOf', traverseElements],
  ['lastIndexOf', traverseElements],
  ['includes', traverseElements],
  ['url', traverseFirst],
  ['lowerAscii', traverseFirst],
  ['upperAscii', traverseFirst],
  ['substring', traverseFirst],
  ['trim', traverseFirst],
  ['replace', traverseFirstTwice],
  ['split', traverseFirstTwice],
  ['join', (_, __, result) => Math.ceil(actualSize(result) * 2 * stringTraversalCostFactor)],
  ['find', regexSearch],
  ['findAll', regexSearch],
  ['cidr', traverseFirst],
  ['isIP', traverseFirst],
  ['isCIDR', traverseFirst],
  ['ip', traverseFirst],
  ['ip.isCanonical', traverseFirstTwice],
  ['containsIP', containsIp],
  ['containsCIDR', containsCidr],
  ['quantity', traverseFirst],
  ['isQuantity', traverseFirst],
  ['validate', validateFormat],
  ['semver', traverseFirst],
  ['isSemver', traverseFirst],
]);

/**
 * The cost of `flatten(depth)` up to 1.36: a negative depth reduced the cost, and a total below
 * zero exceeded the limit.
 */
const flattenToDepthUntil36: CallCost = (a, b) => {
  if (typeof b !== 'bigint' || b >= 0n) return flattenToDepth(a, b);
  const units = actualSize(a) * Number(b) + 1 + listCreateBaseCost;
  return units < 0 ? costLimit + 1 : units;
};

/**
 * The cost of `lists.range(size)` up to 1.36, which counts the requested size even if the list is
 * not created.
 */
const rangeUntil36: CallCost = (size, _, result) =>
  (typeof size === 'bigint' && size > 0n ? Number(size) : actualSize(result)) +
  1 +
  listCreateBaseCost;

const orderingOverloads = ['less', 'less_equals', 'greater', 'greater_equals'];

/** Costs of CEL's own overloads that are not one unit. */
const overloadCosts: ReadonlyMap<string, CallCost> = new Map<string, CallCost>([
  ['starts_with_string', traverseSecond],
  ['ends_with_string', traverseSecond],
  ['string_to_bytes', traverseFirst],
  ['bytes_to_string', traverseFirst],
  ['strings_quote', traverseFirst],
  ['string_format', traverseFirst],
  ['in_list', { of: 'second', units: (_, second) => second }],
  ...orderingOverloads.flatMap((name): [string, CallCost][] => [
    [`${name}_string`, comparisonCost],
    [`${name}_bytes`, comparisonCost],
  ]),
  ['add_string', traverseBoth],
  ['add_bytes', traverseBoth],
  ['matches', regexSearch],
  ['matches_string', regexSearch],
  [
    'contains_string',
    {
      of: 'both',
      units: (first, second) => stringTraversalCost(first) * stringTraversalCost(second),
    },
  ],
]);

/** Overloads that had a different cost up to 1.36. */
const costsUntil36: ReadonlyMap<string, CallCost> = new Map<string, CallCost>([
  ['starts_with_string', traverseFirst],
  ['ends_with_string', traverseFirst],
  ['list_flatten_int', flattenToDepthUntil36],
  ['lists_range', rangeUntil36],
]);
