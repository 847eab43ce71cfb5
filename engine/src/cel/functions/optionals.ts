/**
 * Optional values. The planner implements `?.`, `[?_]`, `or` and `orValue`, which evaluate their
 * second operand only if the first has no value.
 */

import { isMap, mapSize } from '../values/map-value.ts';
import { noneDereferenced } from '../values/message-value.ts';
import { printValue } from '../values/print-value.ts';
import { CelDuration, CelTimestamp, zeroTimeNanos } from '../values/time.ts';
import {
  boolType,
  dynType,
  intType,
  listOf,
  mapOf,
  optionalOf,
  stringType,
  typeParam,
} from '../values/types.ts';
import {
  type Body,
  CelBytes,
  CelError,
  CelOptional,
  CelUint,
  type CelValue,
  isList,
  none,
  noSuchOverload,
} from '../values/value.ts';
import { declare, global, globals, member, neverCalled } from './declare.ts';
import type { CelLibrary } from './library.ts';

const of: Body = (value = null) => new CelOptional(value);

const ofNonZeroValue: Body = (value = null) => (isZero(value) ? none : new CelOptional(value));

const isZero = (value: CelValue): boolean => {
  if (value === null || value === false || value === '' || value === 0 || value === 0n) return true;
  if (isList(value)) return value.length === 0;
  if (isMap(value)) return mapSize(value) === 0;
  if (value instanceof CelUint) return value.value === 0n;
  if (value instanceof CelBytes) return value.size === 0;
  if (value instanceof CelDuration) return value.nanos === 0n;
  return value instanceof CelTimestamp && value.nanos === zeroTimeNanos;
};

const hasValue: Body = (value = null) =>
  value instanceof CelOptional ? value.value !== undefined : noSuchOverload;

const valueOrError: Body = (value = null) => {
  if (!(value instanceof CelOptional)) return noSuchOverload;
  return value.value === undefined ? noneDereferenced : value.value;
};

const first: Body = (list = null) => {
  if (!isList(list)) return noSuchOverload;
  const [value] = list;
  return value === undefined ? none : new CelOptional(value);
};

const last: Body = (list = null) => {
  if (!isList(list)) return noSuchOverload;
  const value = list.at(-1);
  return value === undefined ? none : new CelOptional(value);
};

const unwrap: Body = (list = null) => {
  if (!isList(list)) return noSuchOverload;
  const values: CelValue[] = [];
  for (const element of list) {
    if (!(element instanceof CelOptional)) {
      return new CelError(`value ${printValue(element)} is not optional`);
    }
    if (element.value !== undefined) values.push(element.value);
  }
  return values;
};

const paramK = typeParam('K');
const paramV = typeParam('V');

/** The `optionals` library. */
export const optionalsLibrary: CelLibrary = {
  name: 'optionals',
  since: 30,
  doc: 'Optional values.',
  functions: [
    declare('_?._', 'Selects a field that may be missing.', [
      global('select_optional_field', [dynType, stringType], optionalOf(paramV), neverCalled),
    ]),
    declare(
      '_[?_]',
      'Selects a list element or map entry that may be missing.',
      globals(optionalOf(paramV), neverCalled, {
        list_optindex_optional_int: [listOf(paramV), intType],
        optional_list_optindex_optional_int: [optionalOf(listOf(paramV)), intType],
        map_optindex_optional_value: [mapOf(paramK, paramV), paramK],
        optional_map_optindex_optional_value: [optionalOf(mapOf(paramK, paramV)), paramK],
      }),
    ),
    declare(
      '_[_]',
      'Selects an element of an optional list or an entry of an optional map.',
      globals(optionalOf(paramV), neverCalled, {
        optional_list_index_int: [optionalOf(listOf(paramV)), intType],
        optional_map_index_value: [optionalOf(mapOf(paramK, paramV)), paramK],
      }),
    ),
    declare('first', 'Returns the first element of a list, if it exists.', [
      member('list_first', [listOf(paramV)], optionalOf(paramV), first, { since: 33 }),
    ]),
    declare('hasValue', 'Returns whether there is a value.', [
      member('optional_hasValue', [optionalOf(paramV)], boolType, hasValue),
    ]),
    declare('last', 'Returns the last element of a list, if it exists.', [
      member('list_last', [listOf(paramV)], optionalOf(paramV), last, { since: 33 }),
    ]),
    declare('optional.none', 'Returns an optional without a value.', [
      global('optional_none', [], optionalOf(paramV), () => none),
    ]),
    declare('optional.of', 'Returns an optional with a value.', [
      global('optional_of', [paramV], optionalOf(paramV), of),
    ]),
    declare(
      'optional.ofNonZeroValue',
      'Returns an optional with a value, or without one if the value is empty, zero, false or null.',
      [global('optional_ofNonZeroValue', [paramV], optionalOf(paramV), ofNonZeroValue)],
    ),
    declare('optional.unwrap', 'Returns the values of a list of optionals, without absent ones.', [
      global('optional_unwrap', [listOf(optionalOf(paramV))], listOf(paramV), unwrap, {
        since: 33,
      }),
    ]),
    declare('or', 'Returns the first of two optionals that has a value.', [
      member(
        'optional_or_optional',
        [optionalOf(paramV), optionalOf(paramV)],
        optionalOf(paramV),
        neverCalled,
      ),
    ]),
    declare('orValue', 'Returns the value, or a default if it is absent.', [
      member('optional_orValue_value', [optionalOf(paramV), paramV], paramV, neverCalled),
    ]),
    declare('unwrapOpt', 'Returns the values of a list of optionals, without absent ones.', [
      member('optional_unwrapOpt', [listOf(optionalOf(paramV))], listOf(paramV), unwrap, {
        since: 33,
      }),
    ]),
    declare('value', 'Returns the value; an absent value is an error.', [
      member('optional_value', [optionalOf(paramV)], paramV, valueOrError),
    ]),
  ],
};
