/**
 * Resource quantities: numbers with a suffix, and their arithmetic.
 */

import { parseQuantity } from '../values/parse-quantity.ts';
import {
  addInPlace,
  addQuantities,
  asApproximateFloat,
  CelQuantity,
  compareQuantities,
  integerOf,
  signOf,
} from '../values/quantity-value.ts';
import { boolType, doubleType, intType, objectType, stringType } from '../values/types.ts';
import { CelError, type CelValue, noSuchOverload } from '../values/value.ts';
import { type Body, declare, global, member } from './declare.ts';
import type { CelLibrary, OverloadDeclaration } from './library.ts';

const quantityType = objectType('kubernetes.Quantity');
const quantity: Body = (text = null) =>
  typeof text === 'string' ? parseQuantity(text) : noSuchOverload;

const isQuantity: Body = (text = null) =>
  typeof text === 'string' ? !(parseQuantity(text) instanceof CelError) : noSuchOverload;

const getter =
  (of: (value: CelQuantity) => CelValue): Body =>
  (value = null) =>
    value instanceof CelQuantity ? of(value) : noSuchOverload;

const asInteger: Body = (value = null) => {
  if (!(value instanceof CelQuantity)) return noSuchOverload;
  return integerOf(value) ?? new CelError('cannot convert value to integer');
};

const compare =
  (of: (sign: number) => CelValue): Body =>
  (a = null, b = null) =>
    a instanceof CelQuantity && b instanceof CelQuantity
      ? of(compareQuantities(a, b))
      : noSuchOverload;

const calculate =
  (sign: 1n | -1n, combine = addQuantities): Body =>
  (a = null, b = null) => {
    const other = typeof b === 'bigint' ? fromInt(b) : b;
    return a instanceof CelQuantity && other instanceof CelQuantity
      ? combine(a, other, sign)
      : noSuchOverload;
  };

const fromInt = (value: bigint): CelQuantity =>
  new CelQuantity({
    amount: { unscaled: value, exponent: 0 },
    format: 'decimalExponent',
    isSmall: true,
  });

/** The overloads for a quantity and an int; up to 1.36 they change a big receiver. */
const arithmetic = (id: string, sign: 1n | -1n): readonly OverloadDeclaration[] =>
  [
    { id, other: quantityType },
    { id: `${id}_int`, other: intType },
  ].flatMap((overload) => [
    member(overload.id, [quantityType, overload.other], quantityType, calculate(sign, addInPlace), {
      until: 36,
    }),
    member(overload.id, [quantityType, overload.other], quantityType, calculate(sign), {
      since: 37,
    }),
  ]);

/** Resource quantities and their arithmetic. */
export const quantityLibrary: CelLibrary = {
  name: 'quantity',
  since: 30,
  doc: 'Resource quantities and their arithmetic.',
  functions: [
    declare('add', 'Adds a quantity or an int.', [...arithmetic('quantity_add', 1n)]),
    declare('asApproximateFloat', 'The quantity as a double, which may lose digits.', [
      member('quantity_get_float', [quantityType], doubleType, getter(asApproximateFloat)),
    ]),
    declare('asInteger', 'The quantity as an int; an error if it is none.', [
      member('quantity_get_int', [quantityType], intType, asInteger),
    ]),
    declare('compareTo', '-1, 0 or 1.', [
      member(
        'quantity_compare_to',
        [quantityType, quantityType],
        intType,
        compare((sign) => BigInt(sign)),
      ),
    ]),
    declare('isGreaterThan', 'Tells whether it is greater than another.', [
      member(
        'quantity_is_greater_than',
        [quantityType, quantityType],
        boolType,
        compare((sign) => sign > 0),
      ),
    ]),
    declare('isInteger', 'Tells whether asInteger() works.', [
      member(
        'quantity_is_integer',
        [quantityType],
        boolType,
        getter((value) => integerOf(value) !== undefined),
      ),
    ]),
    declare('isLessThan', 'Tells whether it is less than another.', [
      member(
        'quantity_is_less_than',
        [quantityType, quantityType],
        boolType,
        compare((sign) => sign < 0),
      ),
    ]),
    declare('isQuantity', 'Tells whether a text is a quantity.', [
      global('is_quantity_string', [stringType], boolType, isQuantity),
    ]),
    declare('quantity', 'Reads a quantity; an error if it is none.', [
      global('string_to_quantity', [stringType], quantityType, quantity),
    ]),
    declare('sign', '1, -1 or 0.', [
      global(
        'quantity_sign',
        [quantityType],
        intType,
        getter((value) => BigInt(signOf(value))),
      ),
    ]),
    declare('sub', 'Subtracts a quantity or an int.', [...arithmetic('quantity_sub', -1n)]),
  ],
};
