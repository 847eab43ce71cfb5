/** Implementations of the lists library. */

import { maxComparisons, sizeLimitExceeded, unsupportedOperation } from './arithmetic.ts';
import { equals } from './equality.ts';
import { countSteps } from './evaluation-steps.ts';
import { isMap } from './map-value.ts';
import { compareValues, isOrdered } from './order.ts';
import { typeNameOf } from './runtime-type.ts';
import {
  type Body,
  CelError,
  CelOptional,
  type CelResult,
  type CelValue,
  isList,
  noSuchOverload,
} from './value.ts';

type Flatten = (list?: CelValue, depth?: CelValue) => CelResult;

/** The longest list that `lists.range` creates. */
const maxRangeSize = 1_000_000n;

/** Evaluates `lists.range(size)`. */
export const range: Body = (size = null) => {
  if (typeof size !== 'bigint') return noSuchOverload;
  if (size < 0n) return new CelError(`lists.range: size must be non-negative, got ${size}`);
  if (size > maxRangeSize) {
    return new CelError(`lists.range: size ${size} exceeds maximum allowed (${maxRangeSize})`);
  }
  return Array.from({ length: Number(size) }, (_, index) => BigInt(index));
};

/**
 * Evaluates `lists.range(size)` up to 1.36: the size is not limited, and a negative one gives an
 * empty list.
 */
export const rangeUntil36: Body = (size = null) => {
  if (typeof size !== 'bigint') return noSuchOverload;
  // A longer list exceeds the cost limit anyway, whichever error is returned here.
  return size > maxRangeSize ? sizeLimitExceeded : range(size < 0n ? 0n : size);
};

/** Evaluates `list.reverse()`. */
export const reverse: Body = (list = null) =>
  isList(list) ? Array.from(list).reverse() : noSuchOverload;

/** Evaluates `list.slice(start, end)`. */
export const slice: Body = (list = null, start = null, end = null) => {
  if (!isList(list) || typeof start !== 'bigint' || typeof end !== 'bigint') return noSuchOverload;
  const problem = sliceProblem(BigInt(list.length), start, end);
  if (problem !== undefined) return new CelError(`cannot slice(${start}, ${end}), ${problem}`);
  return list.slice(Number(start), Number(end));
};

/**
 * Evaluates `list.flatten()` and `list.flatten(depth)`. The error names types with their
 * parameters.
 */
export const flatten = flattenWithTypeNames((value) =>
  value instanceof CelOptional ? 'optional_type(dyn)' : parametrizedTypeName(value),
);

/** Evaluates `flatten` up to 1.36, where the type of an optional has no parameter. */
export const flattenUntil36 = flattenWithTypeNames(parametrizedTypeName);

function flattenWithTypeNames(nameOf: (value: CelValue) => string): Flatten {
  return (list = null, depth) => {
    if (!isList(list) || (depth !== undefined && typeof depth !== 'bigint')) {
      const argument = depth === undefined ? '' : nameOf(depth);
      return new CelError(`no such overload: ${nameOf(list)}.flatten(${argument})`);
    }
    return flattenTo(list, depth ?? 1n);
  };
}

function parametrizedTypeName(value: CelValue): string {
  if (isMap(value)) return 'map(dyn, dyn)';
  return isList(value) ? 'list(dyn)' : typeNameOf(value);
}

const flattenTo = (list: readonly CelValue[], depth: bigint): CelResult => {
  if (depth < 0n) return new CelError('level must be non-negative');
  const flat: CelValue[] = [];
  flattenInto(flat, list, depth);
  countSteps(5 * flat.length);
  return flat;
};

/** Evaluates `list.distinct()`. It takes quadratic time, like cel-go, and costs as much. */
export const distinct: Body = (list = null) => {
  if (!isList(list)) return noSuchOverload;
  if (list.length === 0) return list;
  if (list.length * list.length > maxComparisons) return sizeLimitExceeded;
  const unique: CelValue[] = [];
  const strings = new Set<CelValue>();
  for (const value of list) {
    if (typeof value === 'string') {
      if (strings.has(value)) continue;
      strings.add(value);
    } else if (unique.some((other) => equals(value, other) === true)) continue;
    unique.push(value);
  }
  return unique;
};

/** Evaluates `list.sort()`. */
export const sort: Body = (list = null) =>
  isList(list) ? sortByKeys(list, list) : unsupportedOperation(list, 'sort');

/** Evaluates `list.sortBy(x, key)` from the list of computed keys. */
export const sortByKeys: Body = (list = null, keys = null) => {
  if (!isList(list)) return unsupportedOperation(list, '@sortByAssociatedKeys');
  if (!isList(keys)) return noSuchOverload;
  if (list.length !== keys.length) {
    return new CelError(
      `@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got ${list.length} and ${keys.length} elements respectively`,
    );
  }
  const [first] = keys;
  if (first === undefined) return list;
  if (!isOrdered(first)) return new CelError('list elements must be comparable');
  const type = typeNameOf(first);
  if (keys.length > 1 && keys.some((key) => typeNameOf(key) !== type)) {
    return new CelError('list elements must have the same type');
  }
  return sortedIndexes(keys).map((index) => list[index] ?? null);
};

const sliceProblem = (size: bigint, start: bigint, end: bigint): string | undefined => {
  if (start < 0n || end < 0n) return 'negative indexes not supported';
  if (start > end) return 'start index must be less than or equal to end index';
  return size < end ? `list is length ${size}` : undefined;
};

const flattenInto = (flat: CelValue[], list: readonly CelValue[], depth: bigint): void => {
  for (const value of list) {
    if (isList(value) && depth > 0n) flattenInto(flat, value, depth - 1n);
    else flat.push(value);
  }
};

const sortedIndexes = (keys: readonly CelValue[]): readonly number[] =>
  keys
    .map((_, index) => index)
    .sort((a, b) => {
      const sign = compareValues(keys[a] ?? null, keys[b] ?? null);
      return sign instanceof CelError ? 0 : sign;
    });
