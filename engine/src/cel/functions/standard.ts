/**
 * The standard library: operators under their internal names, conversions, and functions of strings.
 * The planner implements `&&`, `||`, `?:` and indexing.
 */

import { searchExceedsLimit } from '../cost/cost.ts';
import { compileRegex } from '../regex/regex.ts';
import { codePointCount } from '../tree/code-points.ts';
import {
  add,
  divide,
  modulo,
  multiply,
  negate,
  subtract,
  unsupportedOperation,
} from '../values/arithmetic.ts';
import {
  toBool,
  toBytes,
  toDouble,
  toDuration,
  toInt,
  toStringValue,
  toTimestamp,
  toType,
  toTypeWithPlainOptional,
  toUint,
} from '../values/conversions.ts';
import { equals } from '../values/equality.ts';
import { costLimitExceeded } from '../values/evaluation-errors.ts';
import { findInMap, isMap, mapSize } from '../values/map-value.ts';
import { nativeString } from '../values/native-value.ts';
import { compareValues, isOrdered } from '../values/order.ts';
import { CelDuration, CelTimestamp } from '../values/time.ts';
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listOf,
  mapOf,
  stringType,
  timestampType,
  typeOf,
  typeParam,
  uintType,
} from '../values/types.ts';
import { type Body, CelBytes, CelError, isList, noSuchOverload } from '../values/value.ts';
import {
  declare,
  declareSingleton,
  global,
  member,
  neverCalled,
  type OverloadReleases,
  type ParametersById,
} from './declare.ts';
import type { CelLibrary, FunctionDeclaration } from './library.ts';
import { timeAccessors } from './time-accessors.ts';

const identity: Body = (value = null) => value;

const not: Body = (value = null) => (typeof value === 'boolean' ? !value : noSuchOverload);

/** Evaluates `@not_strictly_false`. The planner converts errors to true, so that none gets here. */
const notStrictlyFalse: Body = (value = null) => value !== false;

const notEquals: Body = (a = null, b = null) => equals(a, b) !== true;

/** The parameters of `<` and the other comparisons, by the last part of the ID of the overload. */
const orderedPairs: ParametersById = {
  bool: [boolType, boolType],
  int64: [intType, intType],
  int64_double: [intType, doubleType],
  int64_uint64: [intType, uintType],
  uint64: [uintType, uintType],
  uint64_double: [uintType, doubleType],
  uint64_int64: [uintType, intType],
  double: [doubleType, doubleType],
  double_int64: [doubleType, intType],
  double_uint64: [doubleType, uintType],
  string: [stringType, stringType],
  bytes: [bytesType, bytesType],
  timestamp: [timestampType, timestampType],
  duration: [durationType, durationType],
};

/** Declares a comparison, which accepts some of the signs of `a - b`. */
const ordering = (
  name: string,
  id: string,
  relation: string,
  accepts: (sign: number) => boolean,
): FunctionDeclaration => {
  const body: Body = (a = null, b = null) => {
    if (!isOrdered(a)) return unsupportedOperation(a, name);
    const sign = compareValues(a, b);
    return sign instanceof CelError ? sign : accepts(sign);
  };
  return declareSingleton(
    name,
    `Returns whether a value is ${relation} another.`,
    Object.entries(orderedPairs).map(([types, params]) =>
      global(`${id}_${types}`, params, boolType, body),
    ),
  );
};

/** Declares a test of a string with another string. */
const stringTest = (
  name: string,
  id: string,
  relation: string,
  test: (text: string, other: string) => boolean,
): FunctionDeclaration =>
  declareSingleton(name, `Returns whether a string ${relation} another string.`, [
    member(id, [stringType, stringType], boolType, (text = null, other = null) =>
      typeof text === 'string' && typeof other === 'string' ? test(text, other) : noSuchOverload,
    ),
  ]);

const isIn: Body = (value = null, container = null) => {
  if (isList(container)) {
    return typeof value === 'string'
      ? container.includes(value)
      : container.some((element) => equals(value, element) === true);
  }
  return isMap(container) ? findInMap(container, value) !== undefined : noSuchOverload;
};

const size: Body = (value = null) => {
  if (typeof value === 'string') return BigInt(codePointCount(value));
  if (isList(value)) return BigInt(value.length);
  if (isMap(value)) return BigInt(mapSize(value));
  if (value instanceof CelBytes) return BigInt(value.size);
  // cel-go looks for a function of the type first for times, and then returns a shorter message.
  return value instanceof CelDuration || value instanceof CelTimestamp
    ? noSuchOverload
    : noSizeOverload;
};

const noSizeOverload = new CelError('no such overload: size');

const noMatchesOverload = new CelError('no such overload: matches');

const matches: Body = (value = null, pattern = null) => {
  const text = nativeString(value);
  if (text === undefined) return noMatchesOverload;
  if (typeof pattern !== 'string') return text === value ? noSuchOverload : noMatchesOverload;
  if (searchExceedsLimit(text, pattern)) return costLimitExceeded;
  const regex = compileRegex(pattern);
  return regex instanceof CelError ? regex : regex.test(text);
};

const paramA = typeParam('A');
const paramB = typeParam('B');

const typeDeclaration = (body: Body, traits: OverloadReleases): FunctionDeclaration =>
  declareSingleton('type', 'Returns the type of a value.', [
    global('type', [paramA], typeOf(paramA), body, traits),
  ]);

/** The standard library of CEL. */
export const standardLibrary: CelLibrary = {
  name: 'standard',
  since: 30,
  doc: 'Operators, conversions, and functions of strings and times.',
  functions: [
    declareSingleton('!_', 'Negates a bool.', [global('logical_not', [boolType], boolType, not)]),
    declareSingleton('-_', 'Negates a number.', [
      global('negate_double', [doubleType], doubleType, negate),
      global('negate_int64', [intType], intType, negate),
    ]),
    declareSingleton('@in', 'Returns whether a list contains an element, or a map a key.', [
      global('in_list', [paramA, listOf(paramA)], boolType, isIn),
      global('in_map', [paramA, mapOf(paramA, paramB)], boolType, isIn),
    ]),
    declareSingleton(
      '@not_strictly_false',
      'Returns true unless the value is false; exists() and all() expand to it.',
      [global('not_strictly_false', [boolType], boolType, notStrictlyFalse)],
    ),
    declareSingleton('_!=_', 'Returns whether two values are different.', [
      global('not_equals', [paramA, paramA], boolType, notEquals),
    ]),
    declareSingleton('_%_', 'Returns the remainder of an integer division.', [
      global('modulo_int64', [intType, intType], intType, modulo),
      global('modulo_uint64', [uintType, uintType], uintType, modulo),
    ]),
    declare(
      '_&&_',
      'Returns true if both operands are true; an error is ignored if the other operand is false.',
      [global('logical_and', [boolType, boolType], boolType, neverCalled)],
    ),
    declareSingleton('_*_', 'Multiplies numbers.', [
      global('multiply_double', [doubleType, doubleType], doubleType, multiply),
      global('multiply_int64', [intType, intType], intType, multiply),
      global('multiply_uint64', [uintType, uintType], uintType, multiply),
    ]),
    declareSingleton(
      '_+_',
      'Adds numbers, times and durations; concatenates strings, bytes and lists.',
      [
        global('add_bytes', [bytesType, bytesType], bytesType, add),
        global('add_double', [doubleType, doubleType], doubleType, add),
        global('add_duration_duration', [durationType, durationType], durationType, add),
        global('add_duration_timestamp', [durationType, timestampType], timestampType, add),
        global('add_timestamp_duration', [timestampType, durationType], timestampType, add),
        global('add_int64', [intType, intType], intType, add),
        global('add_list', [listOf(paramA), listOf(paramA)], listOf(paramA), add),
        global('add_string', [stringType, stringType], stringType, add),
        global('add_uint64', [uintType, uintType], uintType, add),
      ],
    ),
    declareSingleton('_-_', 'Subtracts numbers, times and durations.', [
      global('subtract_double', [doubleType, doubleType], doubleType, subtract),
      global('subtract_duration_duration', [durationType, durationType], durationType, subtract),
      global('subtract_int64', [intType, intType], intType, subtract),
      global('subtract_timestamp_duration', [timestampType, durationType], timestampType, subtract),
      global(
        'subtract_timestamp_timestamp',
        [timestampType, timestampType],
        durationType,
        subtract,
      ),
      global('subtract_uint64', [uintType, uintType], uintType, subtract),
    ]),
    declareSingleton('_/_', 'Divides numbers; dividing an integer by zero is an error.', [
      global('divide_double', [doubleType, doubleType], doubleType, divide),
      global('divide_int64', [intType, intType], intType, divide),
      global('divide_uint64', [uintType, uintType], uintType, divide),
    ]),
    ordering('_<=_', 'less_equals', 'less than or equal to', (sign) => sign <= 0),
    ordering('_<_', 'less', 'less than', (sign) => sign < 0),
    declareSingleton(
      '_==_',
      'Returns whether two values are equal; numbers are compared across types.',
      [global('equals', [paramA, paramA], boolType, equals)],
    ),
    ordering('_>=_', 'greater_equals', 'greater than or equal to', (sign) => sign >= 0),
    ordering('_>_', 'greater', 'greater than', (sign) => sign > 0),
    declare('_?_:_', 'Returns one of two values, depending on a condition.', [
      global('conditional', [boolType, paramA, paramA], paramA, neverCalled),
    ]),
    declare('_[_]', 'Selects a list element by index or a map entry by key.', [
      global('index_list', [listOf(paramA), intType], paramA, neverCalled),
      global('index_map', [mapOf(paramA, paramB), paramA], paramB, neverCalled),
    ]),
    declare(
      '_||_',
      'Returns true if one operand is true; an error is ignored if the other operand is true.',
      [global('logical_or', [boolType, boolType], boolType, neverCalled)],
    ),
    declare('bool', 'Converts a string to a bool: true, t, 1, false, f, 0.', [
      global('bool_to_bool', [boolType], boolType, toBool),
      global('string_to_bool', [stringType], boolType, toBool),
    ]),
    declare('bytes', 'Converts a string to bytes in UTF-8.', [
      global('bytes_to_bytes', [bytesType], bytesType, toBytes),
      global('string_to_bytes', [stringType], bytesType, toBytes),
    ]),
    stringTest('contains', 'contains_string', 'contains', (text, part) => text.includes(part)),
    declare('double', 'Converts a number or string to a double.', [
      global('double_to_double', [doubleType], doubleType, toDouble),
      global('int64_to_double', [intType], doubleType, toDouble),
      global('string_to_double', [stringType], doubleType, toDouble),
      global('uint64_to_double', [uintType], doubleType, toDouble),
    ]),
    declare('duration', 'Converts a string to a duration: 1h30m.', [
      global('duration_to_duration', [durationType], durationType, toDuration),
      global('int64_to_duration', [intType], durationType, toDuration, { until: 36 }),
      global('string_to_duration', [stringType], durationType, toDuration),
    ]),
    declareSingleton(
      'dyn',
      'Returns the value with the type dyn, so that its type is not checked.',
      [global('to_dyn', [paramA], dynType, identity)],
    ),
    stringTest('endsWith', 'ends_with_string', 'ends with', (text, end) => text.endsWith(end)),
    ...timeAccessors,
    declare(
      'int',
      'Converts a number, string, duration (nanoseconds) or timestamp (seconds) to an int.',
      [
        global('int64_to_int64', [intType], intType, toInt),
        global('double_to_int64', [doubleType], intType, toInt),
        global('duration_to_int64', [durationType], intType, toInt),
        global('string_to_int64', [stringType], intType, toInt),
        global('timestamp_to_int64', [timestampType], intType, toInt),
        global('uint64_to_int64', [uintType], intType, toInt),
      ],
    ),
    declareSingleton('matches', 'Returns whether an RE2 expression matches anywhere in a string.', [
      global('matches', [stringType, stringType], boolType, matches),
      member('matches_string', [stringType, stringType], boolType, matches),
    ]),
    declareSingleton(
      'size',
      'Returns the number of code points of a string, of bytes, list elements or map entries.',
      [
        global('size_bytes', [bytesType], intType, size),
        member('bytes_size', [bytesType], intType, size),
        global('size_list', [listOf(paramA)], intType, size),
        member('list_size', [listOf(paramA)], intType, size),
        global('size_map', [mapOf(paramA, paramB)], intType, size),
        member('map_size', [mapOf(paramA, paramB)], intType, size),
        global('size_string', [stringType], intType, size),
        member('string_size', [stringType], intType, size),
      ],
    ),
    stringTest('startsWith', 'starts_with_string', 'starts with', (text, start) =>
      text.startsWith(start),
    ),
    declare('string', 'Converts a value to a string.', [
      global('string_to_string', [stringType], stringType, toStringValue),
      global('bool_to_string', [boolType], stringType, toStringValue),
      global('bytes_to_string', [bytesType], stringType, toStringValue),
      global('double_to_string', [doubleType], stringType, toStringValue),
      global('duration_to_string', [durationType], stringType, toStringValue),
      global('int64_to_string', [intType], stringType, toStringValue),
      global('timestamp_to_string', [timestampType], stringType, toStringValue),
      global('uint64_to_string', [uintType], stringType, toStringValue),
    ]),
    declare('timestamp', 'Converts an RFC 3339 string or seconds since 1970 to a timestamp.', [
      global('timestamp_to_timestamp', [timestampType], timestampType, toTimestamp),
      global('int64_to_timestamp', [intType], timestampType, toTimestamp),
      global('string_to_timestamp', [stringType], timestampType, toTimestamp),
    ]),
    typeDeclaration(toTypeWithPlainOptional, { until: 30 }),
    typeDeclaration(toType, { since: 31 }),
    declare('uint', 'Converts a number or string to an unsigned int.', [
      global('uint64_to_uint64', [uintType], uintType, toUint),
      global('double_to_uint64', [doubleType], uintType, toUint),
      global('int64_to_uint64', [intType], uintType, toUint),
      global('string_to_uint64', [stringType], uintType, toUint),
    ]),
  ],
};
