/** Set operations on lists, which ignore order and repetition. */

import { maxComparisons, sizeLimitExceeded } from '../values/arithmetic.ts';
import { equals } from '../values/equality.ts';
import { boolType, listOf, typeParam } from '../values/types.ts';
import { type Body, type CelValue, isList, noSuchOverload } from '../values/value.ts';
import { declare, global } from './declare.ts';
import type { CelLibrary } from './library.ts';

const has = (list: readonly CelValue[], value: CelValue): boolean =>
  list.some((element) => equals(value, element) === true);

const onLists =
  (test: (a: readonly CelValue[], b: readonly CelValue[]) => boolean): Body =>
  (a = null, b = null) =>
    !isList(a) || !isList(b)
      ? noSuchOverload
      : a.length * b.length > maxComparisons
        ? sizeLimitExceeded
        : test(a, b);

const contains = onLists((list, part) => part.every((value) => has(list, value)));

const equivalent = onLists(
  (a, b) => b.every((value) => has(a, value)) && a.every((value) => has(b, value)),
);

const intersects = onLists((a, b) => a.some((value) => has(b, value)));

const paramT = typeParam('T');

/** The `sets` library. */
export const setsLibrary: CelLibrary = {
  name: 'sets',
  since: 30,
  doc: 'Set operations on lists.',
  functions: [
    declare('sets.contains', 'Returns whether a list contains all elements of another list.', [
      global('list_sets_contains_list', [listOf(paramT), listOf(paramT)], boolType, contains),
    ]),
    declare('sets.equivalent', 'Returns whether two lists have the same elements.', [
      global('list_sets_equivalent_list', [listOf(paramT), listOf(paramT)], boolType, equivalent),
    ]),
    declare('sets.intersects', 'Returns whether two lists have an element in common.', [
      global('list_sets_intersects_list', [listOf(paramT), listOf(paramT)], boolType, intersects),
    ]),
  ],
};
