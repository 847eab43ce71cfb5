/** The lists library, version 3: `slice`, `flatten`, `sort`, `distinct` and others. */

import {
  distinct,
  flatten,
  flattenUntil36,
  range,
  rangeUntil36,
  reverse,
  slice,
  sort,
  sortByKeys,
} from '../values/list-operations.ts';
import {
  dynType,
  intType,
  listOf,
  orderedTypes,
  runtimeTypeName,
  typeParam,
} from '../values/types.ts';
import type { Body } from '../values/value.ts';
import { declare, declareSingleton, global, member, type OverloadReleases } from './declare.ts';
import type { CelLibrary, FunctionDeclaration } from './library.ts';

const paramT = typeParam('T');

const flattenDeclaration = (body: Body, traits: OverloadReleases): FunctionDeclaration =>
  declareSingleton('flatten', 'Returns one list with the elements of nested lists.', [
    member('list_flatten', [listOf(listOf(paramT))], listOf(paramT), body, traits),
    member('list_flatten_int', [listOf(dynType), intType], listOf(dynType), body, traits),
  ]);

/** The `lists` library. */
export const listsLibrary: CelLibrary = {
  name: 'lists',
  since: 34,
  doc: 'Functions that slice, flatten, sort and deduplicate lists.',
  functions: [
    declareSingleton(
      '@sortByAssociatedKeys',
      'Sorts a list by a list of keys; sortBy() expands to it.',
      orderedTypes.map((type) =>
        member(
          `list_${runtimeTypeName(type)}_sortByAssociatedKeys`,
          [listOf(paramT), listOf(type)],
          listOf(paramT),
          sortByKeys,
        ),
      ),
    ),
    declare('distinct', 'Removes duplicates.', [
      member('list_distinct', [listOf(paramT)], listOf(paramT), distinct),
    ]),
    flattenDeclaration(flattenUntil36, { until: 36 }),
    flattenDeclaration(flatten, { since: 37 }),
    declare('lists.range', 'Returns the integers from 0 up to, but not including, a size.', [
      global('lists_range', [intType], listOf(intType), rangeUntil36, { until: 36 }),
      global('lists_range', [intType], listOf(intType), range, { since: 37 }),
    ]),
    declare('reverse', 'Reverses a list.', [
      member('list_reverse', [listOf(paramT)], listOf(paramT), reverse),
    ]),
    declare('slice', 'Returns a part of a list.', [
      member('list_slice', [listOf(paramT), intType, intType], listOf(paramT), slice),
    ]),
    declareSingleton(
      'sort',
      'Sorts a list in ascending order.',
      orderedTypes.map((type) =>
        member(`list_${runtimeTypeName(type)}_sort`, [listOf(type)], listOf(type), sort),
      ),
    ),
  ],
};
