/** Kubernetes' list functions: search, order, sum, minimum and maximum. */

import { add } from '../values/arithmetic.ts';
import { equals } from '../values/equality.ts';
import { compareValues, isOrdered } from '../values/order.ts';
import { CelDuration } from '../values/time.ts';
import { formatCelType } from '../values/type-format.ts';
import {
  boolType,
  doubleType,
  durationType,
  dynType,
  intType,
  listOf,
  orderedTypes,
  typeParam,
  uintType,
} from '../values/types.ts';
import {
  type Body,
  CelError,
  type CelResult,
  CelUint,
  type CelValue,
  isList,
  noSuchOverload,
} from '../values/value.ts';
import { declare, member } from './declare.ts';
import type { CelLibrary, OverloadDeclaration } from './library.ts';

const indexOf: Body = (list = null, value = null) =>
  isList(list) ? BigInt(findIndex(list, value)) : noSuchOverload;

/**
 * Returns the index of a value. A string equals only the same string, so it can be found by
 * identity.
 */
const findIndex = (list: readonly CelValue[], value: CelValue): number =>
  typeof value === 'string'
    ? list.indexOf(value)
    : list.findIndex((element) => equals(element, value) === true);

const lastIndexOf: Body = (list = null, value = null) =>
  isList(list)
    ? BigInt(list.findLastIndex((element) => equals(element, value) === true))
    : noSuchOverload;

const includes: Body = (container = null, value = null) =>
  isList(container) ? findIndex(container, value) >= 0 : equals(container, value) === true;

const isSorted: Body = (list = null) => {
  if (!isList(list)) return noSuchOverload;
  for (const [index, value] of list.entries()) {
    if (!isOrdered(value)) return noSuchOverload;
    const previous = list[index - 1];
    if (previous === undefined) continue;
    const sign = compareValues(previous, value);
    if (!(sign instanceof CelError) && sign > 0) return false;
  }
  return true;
};

/**
 * Creates the implementation of `min` or `max`. Elements that cannot be compared with the current
 * result are skipped, as in Kubernetes.
 */
const extremum =
  (name: string, wins: (sign: number) => boolean): Body =>
  (list = null) => {
    if (!isList(list)) return noSuchOverload;
    let result: CelValue | undefined;
    for (const value of list) {
      const sign = result === undefined ? noSuchOverload : compareValues(value, result);
      if (typeof sign === 'number') {
        if (wins(sign)) result = value;
        continue;
      }
      if (!isOrdered(value)) return noSuchOverload;
      result ??= value;
    }
    return result === undefined ? new CelError(`${name} called on empty list`) : result;
  };

/** Declares the overloads of `min` or `max`. */
const selections = (
  name: string,
  wins: (sign: number) => boolean,
): readonly OverloadDeclaration[] => {
  const body = extremum(name, wins);
  return orderedTypes.map((type) => {
    const typeName = formatCelType(type);
    return member(`list_${typeName}_${name}_${typeName}`, [listOf(type)], type, body);
  });
};

const sumFrom =
  (zero: CelValue): Body =>
  (list = null) => {
    if (!isList(list)) return noSuchOverload;
    let total: CelResult = zero;
    for (const value of list) {
      total = add(total, value);
      if (total instanceof CelError) return total;
    }
    return total;
  };

const paramA = typeParam('A');

/** The library of Kubernetes' list functions. */
export const kubernetesListsLibrary: CelLibrary = {
  name: 'kubernetes-lists',
  since: 30,
  doc: 'Search, order, sum, minimum and maximum of lists.',
  functions: [
    declare(
      'includes',
      'Returns whether a list contains a value; a single value is compared with it.',
      [member('list_includes_dyn_dyn', [dynType, dynType], boolType, includes, { since: 37 })],
    ),
    declare('indexOf', 'Returns the first index of a value in a list, or -1.', [
      member('list_a_index_of_int', [listOf(paramA), paramA], intType, indexOf),
    ]),
    declare(
      'isSorted',
      'Returns whether a list is sorted in ascending order.',
      orderedTypes.map((type) =>
        member(`list_${formatCelType(type)}_is_sorted_bool`, [listOf(type)], boolType, isSorted),
      ),
    ),
    declare('lastIndexOf', 'Returns the last index of a value in a list, or -1.', [
      member('list_a_last_index_of_int', [listOf(paramA), paramA], intType, lastIndexOf),
    ]),
    declare(
      'max',
      'Returns the largest element of a list.',
      selections('max', (sign) => sign > 0),
    ),
    declare(
      'min',
      'Returns the smallest element of a list.',
      selections('min', (sign) => sign < 0),
    ),
    declare('sum', 'Returns the sum of the elements; zero for an empty list.', [
      member('list_int_sum_int', [listOf(intType)], intType, sumFrom(0n)),
      member('list_uint_sum_uint', [listOf(uintType)], uintType, sumFrom(new CelUint(0n))),
      member('list_double_sum_double', [listOf(doubleType)], doubleType, sumFrom(0)),
      member(
        'list_duration_sum_duration',
        [listOf(durationType)],
        durationType,
        sumFrom(new CelDuration(0n)),
      ),
    ]),
  ],
};
