/** Lists compared as sets. */
import { boolType, listOf, typeParam } from '../types.ts';
import { declare, global, pending } from './declare.ts';
import type { CelLibrary } from './library.ts';

const paramT = typeParam('T');

/** Lists compared as sets. */
export const setsLibrary: CelLibrary = {
  name: 'sets',
  since: 30,
  doc: 'Lists compared as sets.',
  functions: [
    declare('sets.contains', '', [
      global('list_sets_contains_list', [listOf(paramT), listOf(paramT)], boolType, pending),
    ]),
    declare('sets.equivalent', '', [
      global('list_sets_equivalent_list', [listOf(paramT), listOf(paramT)], boolType, pending),
    ]),
    declare('sets.intersects', '', [
      global('list_sets_intersects_list', [listOf(paramT), listOf(paramT)], boolType, pending),
    ]),
  ],
};
