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
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listOf,
  stringType,
  timestampType,
  typeParam,
  uintType,
} from '../values/types.ts';
import {
  type Body,
  declare,
  declareSingleton,
  global,
  member,
  type OverloadReleases,
} from './declare.ts';
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
      [
        member(
          'list_int_sortByAssociatedKeys',
          [listOf(paramT), listOf(intType)],
          listOf(paramT),
          sortByKeys,
        ),
        member(
          'list_uint_sortByAssociatedKeys',
          [listOf(paramT), listOf(uintType)],
          listOf(paramT),
          sortByKeys,
        ),
        member(
          'list_double_sortByAssociatedKeys',
          [listOf(paramT), listOf(doubleType)],
          listOf(paramT),
          sortByKeys,
        ),
        member(
          'list_bool_sortByAssociatedKeys',
          [listOf(paramT), listOf(boolType)],
          listOf(paramT),
          sortByKeys,
        ),
        member(
          'list_google.protobuf.Duration_sortByAssociatedKeys',
          [listOf(paramT), listOf(durationType)],
          listOf(paramT),
          sortByKeys,
        ),
        member(
          'list_google.protobuf.Timestamp_sortByAssociatedKeys',
          [listOf(paramT), listOf(timestampType)],
          listOf(paramT),
          sortByKeys,
        ),
        member(
          'list_string_sortByAssociatedKeys',
          [listOf(paramT), listOf(stringType)],
          listOf(paramT),
          sortByKeys,
        ),
        member(
          'list_bytes_sortByAssociatedKeys',
          [listOf(paramT), listOf(bytesType)],
          listOf(paramT),
          sortByKeys,
        ),
      ],
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
    declareSingleton('sort', 'Sorts a list in ascending order.', [
      member('list_int_sort', [listOf(intType)], listOf(intType), sort),
      member('list_uint_sort', [listOf(uintType)], listOf(uintType), sort),
      member('list_double_sort', [listOf(doubleType)], listOf(doubleType), sort),
      member('list_bool_sort', [listOf(boolType)], listOf(boolType), sort),
      member(
        'list_google.protobuf.Duration_sort',
        [listOf(durationType)],
        listOf(durationType),
        sort,
      ),
      member(
        'list_google.protobuf.Timestamp_sort',
        [listOf(timestampType)],
        listOf(timestampType),
        sort,
      ),
      member('list_string_sort', [listOf(stringType)], listOf(stringType), sort),
      member('list_bytes_sort', [listOf(bytesType)], listOf(bytesType), sort),
    ]),
  ],
};
