/**
 * Implements `+ - * / %` and negation. The error of a type without the operator differs from the
 * error of a second operand that does not fit.
 */

import { markConcatList } from './concat-lists.ts';
import { costLimitExceeded } from './evaluation-errors.ts';
import {
  divisionByZero,
  int64,
  integerOverflow,
  minInt64,
  modulusByZero,
  uint64,
} from './int64.ts';
import {
  addToTimestamp,
  CelDuration,
  CelTimestamp,
  durationInRange,
  subtractFromTimestamp,
  timeBetween,
} from './time.ts';
import {
  CelBytes,
  CelError,
  type CelResult,
  CelUint,
  type CelValue,
  GrowingList,
  isList,
  noSuchOverload,
  StringList,
} from './value.ts';

/**
 * The longest string or list that one operation may produce, close to where kube-apiserver would
 * run out of memory.
 */
export const maxValueLength = 64 * 1024 * 1024;

/**
 * The maximum number of comparisons in a call that compares all elements with each other. Each
 * costs a unit, so a longer call would exceed the cost limit.
 */
export const maxComparisons = 1_000_000;

/**
 * The error for a value that would be too long, or for a call that would compare too many elements.
 */
export const sizeLimitExceeded = costLimitExceeded;

/** Evaluates `a + b`. */
export const add = (a: CelValue, b: CelValue): CelResult => {
  if (typeof a === 'string') return typeof b === 'string' ? concatStrings(a, b) : noSuchOverload;
  if (typeof a === 'number') return typeof b === 'number' ? a + b : noSuchOverload;
  if (typeof a === 'bigint') return typeof b === 'bigint' ? int64(a + b) : noSuchOverload;
  if (a instanceof CelUint)
    return b instanceof CelUint ? uint64(a.value + b.value) : noSuchOverload;
  if (isList(a)) return isList(b) ? concatLists(a, b) : noSuchOverload;
  if (a instanceof CelBytes) return b instanceof CelBytes ? concatBytes(a, b) : noSuchOverload;
  if (a instanceof CelTimestamp) {
    return b instanceof CelDuration ? addToTimestamp(a, b) : noSuchOverload;
  }
  if (!(a instanceof CelDuration)) return unsupportedOperation(a, '_+_');
  if (b instanceof CelTimestamp) return addToTimestamp(b, a);
  return b instanceof CelDuration ? durationInRange(a.nanos + b.nanos) : noSuchOverload;
};

/** Evaluates `a - b`. */
export const subtract = (a: CelValue, b: CelValue): CelResult => {
  if (typeof a === 'number') return typeof b === 'number' ? a - b : noSuchOverload;
  if (typeof a === 'bigint') return typeof b === 'bigint' ? int64(a - b) : noSuchOverload;
  if (a instanceof CelUint)
    return b instanceof CelUint ? uint64(a.value - b.value) : noSuchOverload;
  if (a instanceof CelTimestamp) {
    if (b instanceof CelDuration) return subtractFromTimestamp(a, b);
    return b instanceof CelTimestamp ? timeBetween(a, b) : noSuchOverload;
  }
  if (!(a instanceof CelDuration)) return unsupportedOperation(a, '_-_');
  return b instanceof CelDuration ? durationInRange(a.nanos - b.nanos) : noSuchOverload;
};

/** Evaluates `a * b`. */
export const multiply = (a: CelValue, b: CelValue): CelResult => {
  if (typeof a === 'number') return typeof b === 'number' ? a * b : noSuchOverload;
  if (typeof a === 'bigint') return typeof b === 'bigint' ? int64(a * b) : noSuchOverload;
  if (!(a instanceof CelUint)) return unsupportedOperation(a, '_*_');
  return b instanceof CelUint ? uint64(a.value * b.value) : noSuchOverload;
};

/** Evaluates `a / b`. */
export const divide = (a: CelValue, b: CelValue): CelResult => {
  if (typeof a === 'number') return typeof b === 'number' ? a / b : noSuchOverload;
  if (typeof a === 'bigint') {
    if (typeof b !== 'bigint') return noSuchOverload;
    return b === 0n ? divisionByZero : int64(a / b);
  }
  if (!(a instanceof CelUint)) return unsupportedOperation(a, '_/_');
  if (!(b instanceof CelUint)) return noSuchOverload;
  return b.value === 0n ? divisionByZero : new CelUint(a.value / b.value);
};

/** Evaluates `a % b`. */
export const modulo = (a: CelValue, b: CelValue): CelResult => {
  if (typeof a === 'bigint') {
    if (typeof b !== 'bigint') return noSuchOverload;
    if (b === 0n) return modulusByZero;
    return a === minInt64 && b === -1n ? integerOverflow : a % b;
  }
  if (!(a instanceof CelUint)) return unsupportedOperation(a, '_%_');
  if (!(b instanceof CelUint)) return noSuchOverload;
  return b.value === 0n ? modulusByZero : new CelUint(a.value % b.value);
};

/** Evaluates `-a`. */
export const negate = (value: CelValue): CelResult => {
  if (typeof value === 'number') return -value;
  if (typeof value === 'bigint') return int64(-value);
  if (typeof value === 'boolean') return noSuchOverload;
  if (value instanceof CelDuration) return durationInRange(-value.nanos);
  return unsupportedOperation(value, '-_');
};

/**
 * Returns the error for a type that does not implement an operation. For strings and times it does
 * not name the operation.
 */
export const unsupportedOperation = (value: CelValue, name: string): CelError =>
  typeof value === 'string' || value instanceof CelTimestamp || value instanceof CelDuration
    ? noSuchOverload
    : new CelError(`no such overload: ${name}`);

const concatStrings = (a: string, b: string): CelResult =>
  a.length + b.length > maxValueLength ? sizeLimitExceeded : a + b;

const concatLists = (a: readonly CelValue[], b: readonly CelValue[]): CelResult => {
  if (a instanceof GrowingList) {
    for (const element of b) a.push(element);
    return a;
  }
  if (a.length === 0) return b;
  // A copy replaces a list that is data of a variable, as an empty list does in kube-apiserver.
  if (b.length === 0) return a instanceof StringList ? a : a.slice();
  const areBothPlain = !(a instanceof StringList || b instanceof StringList);
  return markConcatList(areBothPlain ? a.concat(b) : [...a, ...b]);
};

const concatBytes = (a: CelBytes, b: CelBytes): CelResult => {
  if (a.bytes.length + b.bytes.length > maxValueLength) return sizeLimitExceeded;
  const joined = new Uint8Array(a.bytes.length + b.bytes.length);
  joined.set(a.bytes);
  joined.set(b.bytes, a.bytes.length);
  return new CelBytes(joined);
};
