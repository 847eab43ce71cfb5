/** Mathematics beyond the operators. */
import { boolType, doubleType, dynType, intType, listOf, uintType } from '../types.ts';
import { declare, global, pending } from './declare.ts';
import type { CelLibrary } from './library.ts';

/** Mathematics beyond the operators. */
export const mathLibrary: CelLibrary = {
  name: 'math',
  since: 30,
  doc: 'Mathematics beyond the operators.',
  functions: [
    declare('math.@max', '', [
      global('math_@max_double', [doubleType], doubleType, pending),
      global('math_@max_int', [intType], intType, pending),
      global('math_@max_uint', [uintType], uintType, pending),
      global('math_@max_double_double', [doubleType, doubleType], doubleType, pending),
      global('math_@max_int_int', [intType, intType], intType, pending),
      global('math_@max_uint_uint', [uintType, uintType], uintType, pending),
      global('math_@max_int_uint', [intType, uintType], dynType, pending),
      global('math_@max_int_double', [intType, doubleType], dynType, pending),
      global('math_@max_double_int', [doubleType, intType], dynType, pending),
      global('math_@max_double_uint', [doubleType, uintType], dynType, pending),
      global('math_@max_uint_int', [uintType, intType], dynType, pending),
      global('math_@max_uint_double', [uintType, doubleType], dynType, pending),
      global('math_@max_list_double', [listOf(doubleType)], doubleType, pending),
      global('math_@max_list_int', [listOf(intType)], intType, pending),
      global('math_@max_list_uint', [listOf(uintType)], uintType, pending),
    ]),
    declare('math.@min', '', [
      global('math_@min_double', [doubleType], doubleType, pending),
      global('math_@min_int', [intType], intType, pending),
      global('math_@min_uint', [uintType], uintType, pending),
      global('math_@min_double_double', [doubleType, doubleType], doubleType, pending),
      global('math_@min_int_int', [intType, intType], intType, pending),
      global('math_@min_uint_uint', [uintType, uintType], uintType, pending),
      global('math_@min_int_uint', [intType, uintType], dynType, pending),
      global('math_@min_int_double', [intType, doubleType], dynType, pending),
      global('math_@min_double_int', [doubleType, intType], dynType, pending),
      global('math_@min_double_uint', [doubleType, uintType], dynType, pending),
      global('math_@min_uint_int', [uintType, intType], dynType, pending),
      global('math_@min_uint_double', [uintType, doubleType], dynType, pending),
      global('math_@min_list_double', [listOf(doubleType)], doubleType, pending),
      global('math_@min_list_int', [listOf(intType)], intType, pending),
      global('math_@min_list_uint', [listOf(uintType)], uintType, pending),
    ]),
    declare('math.abs', '', [
      global('math_abs_double', [doubleType], doubleType, pending),
      global('math_abs_int', [intType], intType, pending),
      global('math_abs_uint', [uintType], uintType, pending),
    ]),
    declare('math.bitAnd', '', [
      global('math_bitAnd_int_int', [intType, intType], intType, pending),
      global('math_bitAnd_uint_uint', [uintType, uintType], uintType, pending),
    ]),
    declare('math.bitNot', '', [
      global('math_bitNot_int_int', [intType], intType, pending),
      global('math_bitNot_uint_uint', [uintType], uintType, pending),
    ]),
    declare('math.bitOr', '', [
      global('math_bitOr_int_int', [intType, intType], intType, pending),
      global('math_bitOr_uint_uint', [uintType, uintType], uintType, pending),
    ]),
    declare('math.bitShiftLeft', '', [
      global('math_bitShiftLeft_int_int', [intType, intType], intType, pending),
      global('math_bitShiftLeft_uint_int', [uintType, intType], uintType, pending),
    ]),
    declare('math.bitShiftRight', '', [
      global('math_bitShiftRight_int_int', [intType, intType], intType, pending),
      global('math_bitShiftRight_uint_int', [uintType, intType], uintType, pending),
    ]),
    declare('math.bitXor', '', [
      global('math_bitXor_int_int', [intType, intType], intType, pending),
      global('math_bitXor_uint_uint', [uintType, uintType], uintType, pending),
    ]),
    declare('math.ceil', '', [global('math_ceil_double', [doubleType], doubleType, pending)]),
    declare('math.floor', '', [global('math_floor_double', [doubleType], doubleType, pending)]),
    declare('math.isFinite', '', [global('math_isFinite_double', [doubleType], boolType, pending)]),
    declare('math.isInf', '', [global('math_isInf_double', [doubleType], boolType, pending)]),
    declare('math.isNaN', '', [global('math_isNaN_double', [doubleType], boolType, pending)]),
    declare('math.round', '', [global('math_round_double', [doubleType], doubleType, pending)]),
    declare('math.sign', '', [
      global('math_sign_double', [doubleType], doubleType, pending),
      global('math_sign_int', [intType], intType, pending),
      global('math_sign_uint', [uintType], uintType, pending),
    ]),
    declare('math.sqrt', '', [
      global('math_sqrt_double', [doubleType], doubleType, pending),
      global('math_sqrt_int', [intType], doubleType, pending),
      global('math_sqrt_uint', [uintType], doubleType, pending),
    ]),
    declare('math.trunc', '', [global('math_trunc_double', [doubleType], doubleType, pending)]),
  ],
};
