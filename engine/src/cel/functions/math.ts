/** Mathematics beyond the operators. */
import { boolType, doubleType, dynType, intType, listOf, uintType } from '../types.ts';
import { declare, global, planned } from './declare.ts';
import type { CelLibrary } from './library.ts';

/** Mathematics beyond the operators. */
export const mathLibrary: CelLibrary = {
  name: 'math',
  since: 30,
  doc: 'Mathematics beyond the operators.',
  functions: [
    declare('math.@max', '', [
      global('math_@max_double', [doubleType], doubleType, planned),
      global('math_@max_int', [intType], intType, planned),
      global('math_@max_uint', [uintType], uintType, planned),
      global('math_@max_double_double', [doubleType, doubleType], doubleType, planned),
      global('math_@max_int_int', [intType, intType], intType, planned),
      global('math_@max_uint_uint', [uintType, uintType], uintType, planned),
      global('math_@max_int_uint', [intType, uintType], dynType, planned),
      global('math_@max_int_double', [intType, doubleType], dynType, planned),
      global('math_@max_double_int', [doubleType, intType], dynType, planned),
      global('math_@max_double_uint', [doubleType, uintType], dynType, planned),
      global('math_@max_uint_int', [uintType, intType], dynType, planned),
      global('math_@max_uint_double', [uintType, doubleType], dynType, planned),
      global('math_@max_list_double', [listOf(doubleType)], doubleType, planned),
      global('math_@max_list_int', [listOf(intType)], intType, planned),
      global('math_@max_list_uint', [listOf(uintType)], uintType, planned),
    ]),
    declare('math.@min', '', [
      global('math_@min_double', [doubleType], doubleType, planned),
      global('math_@min_int', [intType], intType, planned),
      global('math_@min_uint', [uintType], uintType, planned),
      global('math_@min_double_double', [doubleType, doubleType], doubleType, planned),
      global('math_@min_int_int', [intType, intType], intType, planned),
      global('math_@min_uint_uint', [uintType, uintType], uintType, planned),
      global('math_@min_int_uint', [intType, uintType], dynType, planned),
      global('math_@min_int_double', [intType, doubleType], dynType, planned),
      global('math_@min_double_int', [doubleType, intType], dynType, planned),
      global('math_@min_double_uint', [doubleType, uintType], dynType, planned),
      global('math_@min_uint_int', [uintType, intType], dynType, planned),
      global('math_@min_uint_double', [uintType, doubleType], dynType, planned),
      global('math_@min_list_double', [listOf(doubleType)], doubleType, planned),
      global('math_@min_list_int', [listOf(intType)], intType, planned),
      global('math_@min_list_uint', [listOf(uintType)], uintType, planned),
    ]),
    declare('math.abs', '', [
      global('math_abs_double', [doubleType], doubleType, planned),
      global('math_abs_int', [intType], intType, planned),
      global('math_abs_uint', [uintType], uintType, planned),
    ]),
    declare('math.bitAnd', '', [
      global('math_bitAnd_int_int', [intType, intType], intType, planned),
      global('math_bitAnd_uint_uint', [uintType, uintType], uintType, planned),
    ]),
    declare('math.bitNot', '', [
      global('math_bitNot_int_int', [intType], intType, planned),
      global('math_bitNot_uint_uint', [uintType], uintType, planned),
    ]),
    declare('math.bitOr', '', [
      global('math_bitOr_int_int', [intType, intType], intType, planned),
      global('math_bitOr_uint_uint', [uintType, uintType], uintType, planned),
    ]),
    declare('math.bitShiftLeft', '', [
      global('math_bitShiftLeft_int_int', [intType, intType], intType, planned),
      global('math_bitShiftLeft_uint_int', [uintType, intType], uintType, planned),
    ]),
    declare('math.bitShiftRight', '', [
      global('math_bitShiftRight_int_int', [intType, intType], intType, planned),
      global('math_bitShiftRight_uint_int', [uintType, intType], uintType, planned),
    ]),
    declare('math.bitXor', '', [
      global('math_bitXor_int_int', [intType, intType], intType, planned),
      global('math_bitXor_uint_uint', [uintType, uintType], uintType, planned),
    ]),
    declare('math.ceil', '', [global('math_ceil_double', [doubleType], doubleType, planned)]),
    declare('math.floor', '', [global('math_floor_double', [doubleType], doubleType, planned)]),
    declare('math.isFinite', '', [global('math_isFinite_double', [doubleType], boolType, planned)]),
    declare('math.isInf', '', [global('math_isInf_double', [doubleType], boolType, planned)]),
    declare('math.isNaN', '', [global('math_isNaN_double', [doubleType], boolType, planned)]),
    declare('math.round', '', [global('math_round_double', [doubleType], doubleType, planned)]),
    declare('math.sign', '', [
      global('math_sign_double', [doubleType], doubleType, planned),
      global('math_sign_int', [intType], intType, planned),
      global('math_sign_uint', [uintType], uintType, planned),
    ]),
    declare('math.sqrt', '', [
      global('math_sqrt_double', [doubleType], doubleType, planned),
      global('math_sqrt_int', [intType], doubleType, planned),
      global('math_sqrt_uint', [uintType], doubleType, planned),
    ]),
    declare('math.trunc', '', [global('math_trunc_double', [doubleType], doubleType, planned)]),
  ],
};
