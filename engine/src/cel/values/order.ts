/** Implements `<`, `<=`, `>` and `>=`: within a type, and across the number types. */
import { compareBytes } from '../../formats/bytes.ts';
import { byCodePoint } from '../../formats/string-order.ts';
import { CelDuration, CelTimestamp } from './time.ts';
import { CelBytes, CelError, CelUint, type CelValue, noSuchOverload } from './value.ts';

/** The error for a comparison with NaN. */
const nanNotOrdered = new CelError('NaN values cannot be ordered');

/**
 * Returns a negative number, zero or a positive number, or an error for values that cannot be
 * compared.
 */
export const compareValues = (a: CelValue, b: CelValue): number | CelError => {
  if (typeof a === 'string') return typeof b === 'string' ? byCodePoint(a, b) : noSuchOverload;
  if (typeof a === 'boolean')
    return typeof b === 'boolean' ? Number(a) - Number(b) : noSuchOverload;
  const left = numberOf(a);
  if (left !== undefined) return compareNumbers(left, numberOf(b));
  if (a instanceof CelTimestamp) {
    return b instanceof CelTimestamp ? sign(a.nanos, b.nanos) : noSuchOverload;
  }
  if (a instanceof CelDuration) {
    return b instanceof CelDuration ? sign(a.nanos, b.nanos) : noSuchOverload;
  }
  if (a instanceof CelBytes && b instanceof CelBytes) return compareBytes(a.bytes, b.bytes);
  return noSuchOverload;
};

/** Checks whether cel-go's type of this value supports comparisons. */
export const isOrdered = (value: CelValue): boolean =>
  typeof value === 'string' ||
  typeof value === 'boolean' ||
  numberOf(value) !== undefined ||
  value instanceof CelTimestamp ||
  value instanceof CelDuration ||
  value instanceof CelBytes;

const numberOf = (value: CelValue): number | bigint | undefined => {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  return value instanceof CelUint ? value.value : undefined;
};

const compareNumbers = (a: number | bigint, b: number | bigint | undefined): number | CelError => {
  if (Number.isNaN(a)) return nanNotOrdered;
  if (b === undefined) return noSuchOverload;
  if (Number.isNaN(b)) return nanNotOrdered;
  // Compares an integer with a double as doubles, like cel-go.
  return typeof a === typeof b ? sign(a, b) : sign(Number(a), Number(b));
};

const sign = (a: number | bigint, b: number | bigint): number => (a < b ? -1 : a > b ? 1 : 0);
