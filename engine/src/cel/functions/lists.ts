/** Lists reshaped: sliced, flattened, sorted, without repetitions. */
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
} from '../types.ts';
import { declare, global, member, pending } from './declare.ts';
import type { CelLibrary } from './library.ts';

const paramT = typeParam('T');

/** Lists reshaped: sliced, flattened, sorted, without repetitions. */
export const listsLibrary: CelLibrary = {
  name: 'lists',
  since: 34,
  doc: 'Lists reshaped: sliced, flattened, sorted, without repetitions.',
  functions: [
    declare('@sortByAssociatedKeys', '', [
      member(
        'list_int_sortByAssociatedKeys',
        [listOf(paramT), listOf(intType)],
        listOf(paramT),
        pending,
      ),
      member(
        'list_uint_sortByAssociatedKeys',
        [listOf(paramT), listOf(uintType)],
        listOf(paramT),
        pending,
      ),
      member(
        'list_double_sortByAssociatedKeys',
        [listOf(paramT), listOf(doubleType)],
        listOf(paramT),
        pending,
      ),
      member(
        'list_bool_sortByAssociatedKeys',
        [listOf(paramT), listOf(boolType)],
        listOf(paramT),
        pending,
      ),
      member(
        'list_google.protobuf.Duration_sortByAssociatedKeys',
        [listOf(paramT), listOf(durationType)],
        listOf(paramT),
        pending,
      ),
      member(
        'list_google.protobuf.Timestamp_sortByAssociatedKeys',
        [listOf(paramT), listOf(timestampType)],
        listOf(paramT),
        pending,
      ),
      member(
        'list_string_sortByAssociatedKeys',
        [listOf(paramT), listOf(stringType)],
        listOf(paramT),
        pending,
      ),
      member(
        'list_bytes_sortByAssociatedKeys',
        [listOf(paramT), listOf(bytesType)],
        listOf(paramT),
        pending,
      ),
    ]),
    declare('distinct', '', [member('list_distinct', [listOf(paramT)], listOf(paramT), pending)]),
    declare('flatten', '', [
      member('list_flatten', [listOf(listOf(paramT))], listOf(paramT), pending),
      member('list_flatten_int', [listOf(dynType), intType], listOf(dynType), pending),
    ]),
    declare('lists.range', '', [global('lists_range', [intType], listOf(intType), pending)]),
    declare('reverse', '', [member('list_reverse', [listOf(paramT)], listOf(paramT), pending)]),
    declare('slice', '', [
      member('list_slice', [listOf(paramT), intType, intType], listOf(paramT), pending),
    ]),
    declare('sort', '', [
      member('list_int_sort', [listOf(intType)], listOf(intType), pending),
      member('list_uint_sort', [listOf(uintType)], listOf(uintType), pending),
      member('list_double_sort', [listOf(doubleType)], listOf(doubleType), pending),
      member('list_bool_sort', [listOf(boolType)], listOf(boolType), pending),
      member(
        'list_google.protobuf.Duration_sort',
        [listOf(durationType)],
        listOf(durationType),
        pending,
      ),
      member(
        'list_google.protobuf.Timestamp_sort',
        [listOf(timestampType)],
        listOf(timestampType),
        pending,
      ),
      member('list_string_sort', [listOf(stringType)], listOf(stringType), pending),
      member('list_bytes_sort', [listOf(bytesType)], listOf(bytesType), pending),
    ]),
  ],
};
