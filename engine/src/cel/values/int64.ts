/** 64-bit integer arithmetic in which an overflow is an error. */
import { CelError, type CelResult, CelUint } from './value.ts';

/** The smallest value of `int`. */
export const minInt64 = -(2n ** 63n);
/** The largest value of `int`. */
export const maxInt64 = 2n ** 63n - 1n;

/** The error for an `int` that is out of range. */
export const integerOverflow = new CelError('integer overflow');
/** The error for a `uint` that is out of range. */
const unsignedOverflow = new CelError('unsigned integer overflow');
/** The error for `x / 0`. */
export const divisionByZero = new CelError('division by zero');
/** The error for `x % 0`. */
export const modulusByZero = new CelError('modulus by zero');

/** Returns the number if it fits into `int`, otherwise an error. */
export const int64 = (value: bigint): bigint | CelError =>
  value === BigInt.asIntN(64, value) ? value : integerOverflow;

/** Returns the number as `uint` if it fits, otherwise an error. */
export const uint64 = (value: bigint): CelResult =>
  value === BigInt.asUintN(64, value) ? new CelUint(value) : unsignedOverflow;

/**
 * Evaluates `int(double)`, which truncates. The limits of the type themselves are out of range, as
 * in cel-go.
 */
export const intFromDouble = (value: number): bigint | CelError =>
  Number.isFinite(value) && value > -(2 ** 63) && value < 2 ** 63
    ? BigInt(Math.trunc(value))
    : integerOverflow;

/** Evaluates `uint(double)`, which truncates. */
export const uintFromDouble = (value: number): CelResult =>
  Number.isFinite(value) && value >= 0 && value < 2 ** 64
    ? new CelUint(BigInt(Math.trunc(value)))
    : unsignedOverflow;
