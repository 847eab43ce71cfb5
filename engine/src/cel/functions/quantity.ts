/** Resource quantities: numbers with a suffix, and their arithmetic. */

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
import { type Body, CelError, noSuchOverload } from '../values/value.ts';
import {
  canParse,
  comparisonsOf,
  declare,
  gettersOf,
  global,
  member,
  onStrings,
} from './declare.ts';
import type { CelLibrary, OverloadDeclaration } from './library.ts';

const quantityType = objectType('kubernetes.Quantity');
const getter = gettersOf(quantityType, CelQuantity);

const sign: Body = (value = null) =>
  value instanceof CelQuantity ? BigInt(signOf(value)) : noSuchOverload;

const comparison = comparisonsOf(quantityType, CelQuantity, compareQuantities);

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

/** Declares the overloads for a quantity and for an int. Up to 1.36 they modify a big receiver. */
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

/** The `quantity` library. */
export const quantityLibrary: CelLibrary = {
  name: 'quantity',
  since: 30,
  doc: 'Resource quantities and their arithmetic.',
  functions: [
    declare('add', 'Adds a quantity or an int.', arithmetic('quantity_add', 1n)),
    declare('asApproximateFloat', 'Converts the quantity to a double, which may lose precision.', [
      getter('quantity_get_float', doubleType, asApproximateFloat),
    ]),
    declare('asInteger', 'Converts the quantity to an int; any other number is an error.', [
      getter(
        'quantity_get_int',
        intType,
        (value) => integerOf(value) ?? new CelError('cannot convert value to integer'),
      ),
    ]),
    declare('compareTo', 'Compares two quantities; returns -1, 0 or 1.', [
      comparison('quantity_compare_to', intType, (sign) => BigInt(sign)),
    ]),
    declare('isGreaterThan', 'Returns whether it is greater than another quantity.', [
      comparison('quantity_is_greater_than', boolType, (sign) => sign > 0),
    ]),
    declare('isInteger', 'Returns whether asInteger() succeeds.', [
      getter('quantity_is_integer', boolType, (value) => integerOf(value) !== undefined),
    ]),
    declare('isLessThan', 'Returns whether it is less than another quantity.', [
      comparison('quantity_is_less_than', boolType, (sign) => sign < 0),
    ]),
    declare('isQuantity', 'Returns whether a string is a quantity.', [
      global('is_quantity_string', [stringType], boolType, canParse(parseQuantity)),
    ]),
    declare('quantity', 'Parses a quantity; an invalid quantity is an error.', [
      global(
        'string_to_quantity',
        [stringType],
        quantityType,
        onStrings((text = '') => parseQuantity(text)),
      ),
    ]),
    declare('sign', 'Returns the sign: 1, -1 or 0.', [
      global('quantity_sign', [quantityType], intType, sign),
    ]),
    declare('sub', 'Subtracts a quantity or an int.', arithmetic('quantity_sub', -1n)),
  ],
};
