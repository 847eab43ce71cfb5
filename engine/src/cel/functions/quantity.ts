/** Resource quantities and their arithmetic. */
import { boolType, doubleType, intType, opaqueType, stringType } from '../types.ts';
import { declare, global, member, pending } from './declare.ts';
import type { CelLibrary } from './library.ts';

/** Resource quantities and their arithmetic. */
export const quantityLibrary: CelLibrary = {
  name: 'quantity',
  since: 30,
  doc: 'Resource quantities and their arithmetic.',
  types: [opaqueType('kubernetes.Quantity')],
  functions: [
    declare('add', '', [
      member(
        'quantity_add',
        [opaqueType('kubernetes.Quantity'), opaqueType('kubernetes.Quantity')],
        opaqueType('kubernetes.Quantity'),
        pending,
      ),
      member(
        'quantity_add_int',
        [opaqueType('kubernetes.Quantity'), intType],
        opaqueType('kubernetes.Quantity'),
        pending,
      ),
    ]),
    declare('asApproximateFloat', '', [
      member('quantity_get_float', [opaqueType('kubernetes.Quantity')], doubleType, pending),
    ]),
    declare('asInteger', '', [
      member('quantity_get_int', [opaqueType('kubernetes.Quantity')], intType, pending),
    ]),
    declare('compareTo', '', [
      member(
        'quantity_compare_to',
        [opaqueType('kubernetes.Quantity'), opaqueType('kubernetes.Quantity')],
        intType,
        pending,
      ),
    ]),
    declare('isGreaterThan', '', [
      member(
        'quantity_is_greater_than',
        [opaqueType('kubernetes.Quantity'), opaqueType('kubernetes.Quantity')],
        boolType,
        pending,
      ),
    ]),
    declare('isInteger', '', [
      member('quantity_is_integer', [opaqueType('kubernetes.Quantity')], boolType, pending),
    ]),
    declare('isLessThan', '', [
      member(
        'quantity_is_less_than',
        [opaqueType('kubernetes.Quantity'), opaqueType('kubernetes.Quantity')],
        boolType,
        pending,
      ),
    ]),
    declare('isQuantity', '', [global('is_quantity_string', [stringType], boolType, pending)]),
    declare('quantity', '', [
      global('string_to_quantity', [stringType], opaqueType('kubernetes.Quantity'), pending),
    ]),
    declare('sign', '', [
      global('quantity_sign', [opaqueType('kubernetes.Quantity')], intType, pending),
    ]),
    declare('sub', '', [
      member(
        'quantity_sub',
        [opaqueType('kubernetes.Quantity'), opaqueType('kubernetes.Quantity')],
        opaqueType('kubernetes.Quantity'),
        pending,
      ),
      member(
        'quantity_sub_int',
        [opaqueType('kubernetes.Quantity'), intType],
        opaqueType('kubernetes.Quantity'),
        pending,
      ),
    ]),
  ],
};
