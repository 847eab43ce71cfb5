/**
 * The function that the two-variable macros for maps expand to. Expressions cannot call it, because
 * its name is not an identifier.
 */

import { CelMap, isMap, type MapValue, mapEntries } from '../values/map-value.ts';
import { printValue } from '../values/print-value.ts';
import { mapOf, typeParam } from '../values/types.ts';
import {
  type Body,
  CelError,
  type CelResult,
  type CelValue,
  noSuchOverload,
} from '../values/value.ts';
import { declare, global } from './declare.ts';
import type { CelLibrary } from './library.ts';

const insertEntry: Body = (map = null, key = null, value = null) =>
  isMap(map) ? insertAll(map, [[key, value]]) : noSuchOverload;

const insertEntries: Body = (map = null, added = null) =>
  isMap(map) && isMap(added) ? insertAll(map, mapEntries(added)) : noSuchOverload;

const insertAll = (map: MapValue, added: readonly (readonly [CelValue, CelValue])[]): CelResult => {
  const target = map instanceof CelMap && map.isGrowing ? map : CelMap.growingFrom(mapEntries(map));
  for (const [key, value] of added) {
    if (!target.insert(key, value)) {
      return new CelError(`insert failed: key ${printValue(key)} already exists`);
    }
  }
  return target;
};

const paramK = typeParam('K');
const paramV = typeParam('V');
const mapType = mapOf(paramK, paramV);

/** Functions that the two-variable macros expand to. */
export const comprehensionsLibrary: CelLibrary = {
  name: 'comprehensions',
  since: 32,
  doc: 'Functions that the two-variable macros expand to.',
  functions: [
    declare('cel.@mapInsert', 'Adds an entry to a map under construction.', [
      global('@mapInsert_map_key_value', [mapType, paramK, paramV], mapType, insertEntry),
      global('@mapInsert_map_map', [mapType, mapType], mapType, insertEntries),
    ]),
  ],
};
