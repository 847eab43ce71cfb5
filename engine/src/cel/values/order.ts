/** `<` and its kin: within a type, and across the number types by exact value. */
import { compareBytes } from '../../formats/bytes.ts';
import { compareStrings } from '../tree/code-points.ts';
import { CelDuration, CelTimestamp } from './time.ts';
import { CelBytes, CelError, CelUint, type CelValue, noSuchOverload } from './value.ts';

/** The error of comparing with NaN. */
const nanNotOrdered = new CelError('NaN values cannot be ordered');

/** Negative, zero or positive; an error for values that have no order. */
export const compareValues = (a: CelValue, b: CelValue): number | CelError => {
  if (typeof a === 'string') return typeof b === 'string' ? compareStrings(a, b) : noSuchOverload;
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

/** Whether the real server's type of this value knows an order at all. */
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
  // The real one compares an integer with a double as doubles.
  return typeof a === typeof b ? sign(a, b) : sign(Number(a), Number(b));
};

const sign = (a: number | bigint, b: number | bigint): number => (a < b ? -1 : a > b ? 1 : 0);
