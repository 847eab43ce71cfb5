/** Arithmetic of 64-bit integers that refuses to wrap around. */
import { CelError, type CelResult, CelUint } from './value.ts';

/** The smallest int. */
export const minInt64 = -(2n ** 63n);
/** The largest int. */
export const maxInt64 = 2n ** 63n - 1n;
/** The largest uint. */
export const maxUint64 = 2n ** 64n - 1n;

/** The error of an int that does not fit. */
export const integerOverflow = new CelError('integer overflow');
/** The error of a uint that does not fit. */
const unsignedOverflow = new CelError('unsigned integer overflow');
/** The error of `x / 0`. */
export const divisionByZero = new CelError('division by zero');
/** The error of `x % 0`. */
export const modulusByZero = new CelError('modulus by zero');

/** The number, if it fits into int64. */
export const int64 = (value: bigint): bigint | CelError =>
  value === BigInt.asIntN(64, value) ? value : integerOverflow;

/** The number as uint, if it fits into uint64. */
export const uint64 = (value: bigint): CelResult =>
  value === BigInt.asUintN(64, value) ? new CelUint(value) : unsignedOverflow;

/** `int(double)`: cut towards zero. The limits themselves are out of range, as in the real one. */
export const intFromDouble = (value: number): bigint | CelError =>
  Number.isFinite(value) && value > -(2 ** 63) && value < 2 ** 63
    ? BigInt(Math.trunc(value))
    : integerOverflow;

/** `uint(double)`: cut towards zero. */
export const uintFromDouble = (value: number): CelResult =>
  Number.isFinite(value) && value >= 0 && value < 2 ** 64
    ? new CelUint(BigInt(Math.trunc(value)))
    : unsignedOverflow;
