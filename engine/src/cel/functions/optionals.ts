/** Values that may be absent. */
import {
  boolType,
  dynType,
  intType,
  listOf,
  mapOf,
  optionalOf,
  stringType,
  typeParam,
} from '../types.ts';
import { declare, global, member, pending } from './declare.ts';
import type { CelLibrary } from './library.ts';

const paramK = typeParam('K');
const paramV = typeParam('V');

/** Values that may be absent. */
export const optionalsLibrary: CelLibrary = {
  name: 'optionals',
  since: 30,
  doc: 'Values that may be absent.',
  functions: [
    declare('_?._', '', [
      global('select_optional_field', [dynType, stringType], optionalOf(paramV), pending),
    ]),
    declare('_[?_]', '', [
      global('list_optindex_optional_int', [listOf(paramV), intType], optionalOf(paramV), pending),
      global(
        'optional_list_optindex_optional_int',
        [optionalOf(listOf(paramV)), intType],
        optionalOf(paramV),
        pending,
      ),
      global(
        'map_optindex_optional_value',
        [mapOf(paramK, paramV), paramK],
        optionalOf(paramV),
        pending,
      ),
      global(
        'optional_map_optindex_optional_value',
        [optionalOf(mapOf(paramK, paramV)), paramK],
        optionalOf(paramV),
        pending,
      ),
    ]),
    declare('_[_]', '', [
      global(
        'optional_list_index_int',
        [optionalOf(listOf(paramV)), intType],
        optionalOf(paramV),
        pending,
      ),
      global(
        'optional_map_index_value',
        [optionalOf(mapOf(paramK, paramV)), paramK],
        optionalOf(paramV),
        pending,
      ),
    ]),
    declare('first', '', [member('list_first', [listOf(paramV)], optionalOf(paramV), pending)]),
    declare('hasValue', '', [member('optional_hasValue', [optionalOf(paramV)], boolType, pending)]),
    declare('last', '', [member('list_last', [listOf(paramV)], optionalOf(paramV), pending)]),
    declare('optional.none', '', [global('optional_none', [], optionalOf(paramV), pending)]),
    declare('optional.of', '', [global('optional_of', [paramV], optionalOf(paramV), pending)]),
    declare('optional.ofNonZeroValue', '', [
      global('optional_ofNonZeroValue', [paramV], optionalOf(paramV), pending),
    ]),
    declare('optional.unwrap', '', [
      global('optional_unwrap', [listOf(optionalOf(paramV))], listOf(paramV), pending),
    ]),
    declare('or', '', [
      member(
        'optional_or_optional',
        [optionalOf(paramV), optionalOf(paramV)],
        optionalOf(paramV),
        pending,
      ),
    ]),
    declare('orValue', '', [
      member('optional_orValue_value', [optionalOf(paramV), paramV], paramV, pending),
    ]),
    declare('unwrapOpt', '', [
      member('optional_unwrapOpt', [listOf(optionalOf(paramV))], listOf(paramV), pending),
    ]),
    declare('value', '', [member('optional_value', [optionalOf(paramV)], paramV, pending)]),
  ],
};
