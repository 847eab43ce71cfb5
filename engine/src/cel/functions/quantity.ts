/** Resource quantities and their arithmetic. */
import { boolType, doubleType, intType, objectType, stringType } from '../types.ts';
import { declare, global, member, pending } from './declare.ts';
import type { CelLibrary } from './library.ts';

/** Resource quantities and their arithmetic. */
export const quantityLibrary: CelLibrary = {
  name: 'quantity',
  since: 30,
  doc: 'Resource quantities and their arithmetic.',
  functions: [
    declare('add', '', [
      member(
        'quantity_add',
        [objectType('kubernetes.Quantity'), objectType('kubernetes.Quantity')],
        objectType('kubernetes.Quantity'),
        pending,
      ),
      member(
        'quantity_add_int',
        [objectType('kubernetes.Quantity'), intType],
        objectType('kubernetes.Quantity'),
        pending,
      ),
    ]),
    declare('asApproximateFloat', '', [
      member('quantity_get_float', [objectType('kubernetes.Quantity')], doubleType, pending),
    ]),
    declare('asInteger', '', [
      member('quantity_get_int', [objectType('kubernetes.Quantity')], intType, pending),
    ]),
    declare('compareTo', '', [
      member(
        'quantity_compare_to',
        [objectType('kubernetes.Quantity'), objectType('kubernetes.Quantity')],
        intType,
        pending,
      ),
    ]),
    declare('isGreaterThan', '', [
      member(
        'quantity_is_greater_than',
        [objectType('kubernetes.Quantity'), objectType('kubernetes.Quantity')],
        boolType,
        pending,
      ),
    ]),
    declare('isInteger', '', [
      member('quantity_is_integer', [objectType('kubernetes.Quantity')], boolType, pending),
    ]),
    declare('isLessThan', '', [
      member(
        'quantity_is_less_than',
        [objectType('kubernetes.Quantity'), objectType('kubernetes.Quantity')],
        boolType,
        pending,
      ),
    ]),
    declare('isQuantity', '', [global('is_quantity_string', [stringType], boolType, pending)]),
    declare('quantity', '', [
      global('string_to_quantity', [stringType], objectType('kubernetes.Quantity'), pending),
    ]),
    declare('sign', '', [
      global('quantity_sign', [objectType('kubernetes.Quantity')], intType, pending),
    ]),
    declare('sub', '', [
      member(
        'quantity_sub',
        [objectType('kubernetes.Quantity'), objectType('kubernetes.Quantity')],
        objectType('kubernetes.Quantity'),
        pending,
      ),
      member(
        'quantity_sub_int',
        [objectType('kubernetes.Quantity'), intType],
        objectType('kubernetes.Quantity'),
        pending,
      ),
    ]),
  ],
};
