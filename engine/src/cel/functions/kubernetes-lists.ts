/** Lists as sequences that can be ordered and searched. */
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
import { declare, member, pending } from './declare.ts';
import type { CelLibrary } from './library.ts';

const paramA = typeParam('A');

/** Lists as sequences that can be ordered and searched. */
export const kubernetesListsLibrary: CelLibrary = {
  name: 'kubernetes-lists',
  since: 30,
  doc: 'Lists as sequences that can be ordered and searched.',
  functions: [
    declare('includes', '', [
      member('list_includes_dyn_dyn', [dynType, dynType], boolType, pending, { since: 37 }),
    ]),
    declare('indexOf', '', [
      member('list_a_index_of_int', [listOf(paramA), paramA], intType, pending),
    ]),
    declare('isSorted', '', [
      member('list_int_is_sorted_bool', [listOf(intType)], boolType, pending),
      member('list_uint_is_sorted_bool', [listOf(uintType)], boolType, pending),
      member('list_double_is_sorted_bool', [listOf(doubleType)], boolType, pending),
      member('list_bool_is_sorted_bool', [listOf(boolType)], boolType, pending),
      member('list_duration_is_sorted_bool', [listOf(durationType)], boolType, pending),
      member('list_timestamp_is_sorted_bool', [listOf(timestampType)], boolType, pending),
      member('list_string_is_sorted_bool', [listOf(stringType)], boolType, pending),
      member('list_bytes_is_sorted_bool', [listOf(bytesType)], boolType, pending),
    ]),
    declare('lastIndexOf', '', [
      member('list_a_last_index_of_int', [listOf(paramA), paramA], intType, pending),
    ]),
    declare('max', '', [
      member('list_int_max_int', [listOf(intType)], intType, pending),
      member('list_uint_max_uint', [listOf(uintType)], uintType, pending),
      member('list_double_max_double', [listOf(doubleType)], doubleType, pending),
      member('list_bool_max_bool', [listOf(boolType)], boolType, pending),
      member('list_duration_max_duration', [listOf(durationType)], durationType, pending),
      member('list_timestamp_max_timestamp', [listOf(timestampType)], timestampType, pending),
      member('list_string_max_string', [listOf(stringType)], stringType, pending),
      member('list_bytes_max_bytes', [listOf(bytesType)], bytesType, pending),
    ]),
    declare('min', '', [
      member('list_int_min_int', [listOf(intType)], intType, pending),
      member('list_uint_min_uint', [listOf(uintType)], uintType, pending),
      member('list_double_min_double', [listOf(doubleType)], doubleType, pending),
      member('list_bool_min_bool', [listOf(boolType)], boolType, pending),
      member('list_duration_min_duration', [listOf(durationType)], durationType, pending),
      member('list_timestamp_min_timestamp', [listOf(timestampType)], timestampType, pending),
      member('list_string_min_string', [listOf(stringType)], stringType, pending),
      member('list_bytes_min_bytes', [listOf(bytesType)], bytesType, pending),
    ]),
    declare('sum', '', [
      member('list_int_sum_int', [listOf(intType)], intType, pending),
      member('list_uint_sum_uint', [listOf(uintType)], uintType, pending),
      member('list_double_sum_double', [listOf(doubleType)], doubleType, pending),
      member('list_duration_sum_duration', [listOf(durationType)], durationType, pending),
    ]),
  ],
};
