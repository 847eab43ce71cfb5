/** The math library. No authentication environment has it; conformance tests select it. */

import { declare, global } from '../../../engine/src/cel/functions/declare.ts';
import type { CelLibrary } from '../../../engine/src/cel/functions/library.ts';
import { int64 } from '../../../engine/src/cel/values/int64.ts';
import { compareValues } from '../../../engine/src/cel/values/order.ts';
import {
  boolType,
  doubleType,
  dynType,
  intType,
  listOf,
  uintType,
} from '../../../engine/src/cel/values/types.ts';
import {
  type Body,
  CelError,
  type CelResult,
  CelUint,
  type CelValue,
  isList,
  noSuchOverload,
} from '../../../engine/src/cel/values/value.ts';

const onDouble =
  (of: (value: number) => CelValue): Body =>
  (value = null) =>
    typeof value === 'number' ? of(value) : noSuchOverload;

const roundAway = (value: number): number =>
  value < 0 ? -Math.floor(0.5 - value) : Math.floor(value + 0.5);

const absolute: Body = (value = null) => {
  if (typeof value === 'number') return Math.abs(value);
  if (value instanceof CelUint) return value;
  if (typeof value !== 'bigint') return noSuchOverload;
  return value < 0n ? int64(-value) : value;
};

const signum: Body = (value = null) => {
  if (typeof value === 'number') return Math.sign(value);
  if (value instanceof CelUint) return new CelUint(value.value === 0n ? 0n : 1n);
  if (typeof value !== 'bigint') return noSuchOverload;
  return value === 0n ? 0n : value < 0n ? -1n : 1n;
};

const squareRoot: Body = (value = null) => {
  if (value instanceof CelUint) return Math.sqrt(Number(value.value));
  return typeof value === 'number' || typeof value === 'bigint'
    ? Math.sqrt(Number(value))
    : noSuchOverload;
};

const bitwise =
  (combine: (a: bigint, b: bigint) => bigint): Body =>
  (a = null, b = null) => {
    if (a instanceof CelUint && b instanceof CelUint) return new CelUint(combine(a.value, b.value));
    return typeof a === 'bigint' && typeof b === 'bigint' ? combine(a, b) : noSuchOverload;
  };

const complement: Body = (value = null) => {
  if (value instanceof CelUint) return new CelUint(BigInt.asUintN(64, ~value.value));
  return typeof value === 'bigint' ? ~value : noSuchOverload;
};

const shift =
  (name: string, move: (value: bigint, places: bigint) => bigint): Body =>
  (value = null, places = null) => {
    if (typeof places !== 'bigint') return noSuchOverload;
    if (places < 0n) return new CelError(`math.${name}() negative offset: ${places}`);
    const steps = places > 64n ? 64n : places;
    if (value instanceof CelUint) return new CelUint(BigInt.asUintN(64, move(value.value, steps)));
    return typeof value === 'bigint'
      ? BigInt.asIntN(64, move(BigInt.asUintN(64, value), steps))
      : noSuchOverload;
  };

const shiftLeft = (value: bigint, places: bigint): bigint => value << places;
const shiftRight = (value: bigint, places: bigint): bigint => value >> places;

const extremum =
  (name: string, wins: (sign: number) => boolean) =>
  (values: readonly CelValue[]): CelResult => {
    const [first, ...others] = values;
    if (first === undefined) return new CelError(`math.@${name}(list) argument must not be empty`);
    let result = first;
    for (const value of others) {
      const sign = compareValues(value, result);
      if (sign instanceof CelError) return new CelError(`${sign.message}: math.@${name}`);
      if (wins(sign)) result = value;
    }
    return result;
  };

const maxOf = extremum('max', (sign) => sign > 0);
const minOf = extremum('min', (sign) => sign < 0);

const maximum: Body = (...values) => maxOf(values);
const minimum: Body = (...values) => minOf(values);
const maximumOfList: Body = (list = null) => (isList(list) ? maxOf(list) : noSuchOverload);
const minimumOfList: Body = (list = null) => (isList(list) ? minOf(list) : noSuchOverload);

/** The `math` library. */
export const mathLibrary: CelLibrary = {
  name: 'math',
  since: 30,
  doc: 'Mathematical functions.',
  functions: [
    declare('math.@max', 'Returns the largest number; math.greatest() expands to it.', [
      global('math_@max_double', [doubleType], doubleType, maximum),
      global('math_@max_int', [intType], intType, maximum),
      global('math_@max_uint', [uintType], uintType, maximum),
      global('math_@max_double_double', [doubleType, doubleType], doubleType, maximum),
      global('math_@max_int_int', [intType, intType], intType, maximum),
      global('math_@max_uint_uint', [uintType, uintType], uintType, maximum),
      global('math_@max_int_uint', [intType, uintType], dynType, maximum),
      global('math_@max_int_double', [intType, doubleType], dynType, maximum),
      global('math_@max_double_int', [doubleType, intType], dynType, maximum),
      global('math_@max_double_uint', [doubleType, uintType], dynType, maximum),
      global('math_@max_uint_int', [uintType, intType], dynType, maximum),
      global('math_@max_uint_double', [uintType, doubleType], dynType, maximum),
      global('math_@max_list_double', [listOf(doubleType)], doubleType, maximumOfList),
      global('math_@max_list_int', [listOf(intType)], intType, maximumOfList),
      global('math_@max_list_uint', [listOf(uintType)], uintType, maximumOfList),
    ]),
    declare('math.@min', 'Returns the smallest number; math.least() expands to it.', [
      global('math_@min_double', [doubleType], doubleType, minimum),
      global('math_@min_int', [intType], intType, minimum),
      global('math_@min_uint', [uintType], uintType, minimum),
      global('math_@min_double_double', [doubleType, doubleType], doubleType, minimum),
      global('math_@min_int_int', [intType, intType], intType, minimum),
      global('math_@min_uint_uint', [uintType, uintType], uintType, minimum),
      global('math_@min_int_uint', [intType, uintType], dynType, minimum),
      global('math_@min_int_double', [intType, doubleType], dynType, minimum),
      global('math_@min_double_int', [doubleType, intType], dynType, minimum),
      global('math_@min_double_uint', [doubleType, uintType], dynType, minimum),
      global('math_@min_uint_int', [uintType, intType], dynType, minimum),
      global('math_@min_uint_double', [uintType, doubleType], dynType, minimum),
      global('math_@min_list_double', [listOf(doubleType)], doubleType, minimumOfList),
      global('math_@min_list_int', [listOf(intType)], intType, minimumOfList),
      global('math_@min_list_uint', [listOf(uintType)], uintType, minimumOfList),
    ]),
    declare('math.abs', 'Returns the absolute value.', [
      global('math_abs_double', [doubleType], doubleType, absolute),
      global('math_abs_int', [intType], intType, absolute),
      global('math_abs_uint', [uintType], uintType, absolute),
    ]),
    declare('math.bitAnd', 'Returns the bitwise AND.', [
      global(
        'math_bitAnd_int_int',
        [intType, intType],
        intType,
        bitwise((a, b) => a & b),
      ),
      global(
        'math_bitAnd_uint_uint',
        [uintType, uintType],
        uintType,
        bitwise((a, b) => a & b),
      ),
    ]),
    declare('math.bitNot', 'Returns the bitwise NOT.', [
      global('math_bitNot_int_int', [intType], intType, complement),
      global('math_bitNot_uint_uint', [uintType], uintType, complement),
    ]),
    declare('math.bitOr', 'Returns the bitwise OR.', [
      global(
        'math_bitOr_int_int',
        [intType, intType],
        intType,
        bitwise((a, b) => a | b),
      ),
      global(
        'math_bitOr_uint_uint',
        [uintType, uintType],
        uintType,
        bitwise((a, b) => a | b),
      ),
    ]),
    declare('math.bitShiftLeft', 'Shifts bits to the left.', [
      global(
        'math_bitShiftLeft_int_int',
        [intType, intType],
        intType,
        shift('bitShiftLeft', shiftLeft),
      ),
      global(
        'math_bitShiftLeft_uint_int',
        [uintType, intType],
        uintType,
        shift('bitShiftLeft', shiftLeft),
      ),
    ]),
    declare('math.bitShiftRight', 'Shifts bits to the right without extending the sign.', [
      global(
        'math_bitShiftRight_int_int',
        [intType, intType],
        intType,
        shift('bitShiftRight', shiftRight),
      ),
      global(
        'math_bitShiftRight_uint_int',
        [uintType, intType],
        uintType,
        shift('bitShiftRight', shiftRight),
      ),
    ]),
    declare('math.bitXor', 'Returns the bitwise XOR.', [
      global(
        'math_bitXor_int_int',
        [intType, intType],
        intType,
        bitwise((a, b) => a ^ b),
      ),
      global(
        'math_bitXor_uint_uint',
        [uintType, uintType],
        uintType,
        bitwise((a, b) => a ^ b),
      ),
    ]),
    declare('math.ceil', 'Rounds up.', [
      global('math_ceil_double', [doubleType], doubleType, onDouble(Math.ceil)),
    ]),
    declare('math.floor', 'Rounds down.', [
      global('math_floor_double', [doubleType], doubleType, onDouble(Math.floor)),
    ]),
    declare('math.isFinite', 'Returns whether a double is neither infinite nor NaN.', [
      global('math_isFinite_double', [doubleType], boolType, onDouble(Number.isFinite)),
    ]),
    declare('math.isInf', 'Returns whether a double is infinite.', [
      global(
        'math_isInf_double',
        [doubleType],
        boolType,
        onDouble(
          (value) => value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY,
        ),
      ),
    ]),
    declare('math.isNaN', 'Returns whether a double is NaN.', [
      global('math_isNaN_double', [doubleType], boolType, onDouble(Number.isNaN)),
    ]),
    declare('math.round', 'Rounds to the nearest integer, halves away from zero.', [
      global('math_round_double', [doubleType], doubleType, onDouble(roundAway)),
    ]),
    declare('math.sign', 'Returns the sign: 1, -1 or 0.', [
      global('math_sign_double', [doubleType], doubleType, signum),
      global('math_sign_int', [intType], intType, signum),
      global('math_sign_uint', [uintType], uintType, signum),
    ]),
    declare('math.sqrt', 'Returns the square root.', [
      global('math_sqrt_double', [doubleType], doubleType, squareRoot),
      global('math_sqrt_int', [intType], doubleType, squareRoot),
      global('math_sqrt_uint', [uintType], doubleType, squareRoot),
    ]),
    declare('math.trunc', 'Truncates to an integer.', [
      global('math_trunc_double', [doubleType], doubleType, onDouble(Math.trunc)),
    ]),
  ],
};
