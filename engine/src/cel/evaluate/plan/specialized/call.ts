/**
 * Specialized steps of common calls with one or two arguments or with a constant argument, which
 * create no arrays.
 */

import {
  actualSize,
  type CallCost,
  equalityCost,
  equalsCost,
  stringTraversalCost,
} from '../../../cost/cost.ts';
import type { OverloadDeclaration } from '../../../functions/library.ts';
import { codePointCount } from '../../../tree/code-points.ts';
import { add, maxValueLength, sizeLimitExceeded } from '../../../values/arithmetic.ts';
import { equals } from '../../../values/equality.ts';
import { isMap, mapSize } from '../../../values/map-value.ts';
import { compareValues, isOrdered } from '../../../values/order.ts';
import { fitsType } from '../../../values/runtime-type.ts';
import type { CelType } from '../../../values/types.ts';
import {
  CelBytes,
  CelError,
  type CelResult,
  type CelValue,
  isList,
} from '../../../values/value.ts';
import { type Step, stringSize } from '../run.ts';

/** An implementation for one argument that has been checked. */
type Unary = (a: CelValue) => CelResult;
type Binary = (a: CelValue, b: CelValue) => CelResult;

/** Creates the step of a call with one argument. */
export const unaryStep = (arg: Step, cost: CallCost, body: Unary): Step => {
  if (typeof cost === 'number') {
    return (run) => {
      const a = arg(run);
      run.cost += cost;
      return a instanceof CelError ? a : body(a);
    };
  }
  return (run) => {
    const a = arg(run);
    const result = a instanceof CelError ? a : body(a);
    run.cost += cost(a, null, result);
    return result;
  };
};

/**
 * Creates the step of a call with two arguments, which evaluates both before it looks for errors.
 */
export const binaryStep = (left: Step, right: Step, cost: CallCost, body: Binary): Step => {
  const charge = typeof cost === 'number' ? undefined : cost;
  const fixed = typeof cost === 'number' ? cost : 0;
  return (run) => {
    const a = left(run);
    const b = right(run);
    const result = a instanceof CelError ? a : b instanceof CelError ? b : body(a, b);
    run.cost += charge === undefined ? fixed : charge(a, b, result);
    return result;
  };
};

/** Returns the implementation of a unary overload with a check of its parameter. */
export const guardedUnary = (
  overload: OverloadDeclaration,
  mismatch: (args: readonly CelValue[]) => CelError,
): Unary | undefined => {
  const [param] = overload.params;
  const body = overload.evaluate1;
  if (param === undefined || body === undefined) return undefined;
  const fits = guardOf(param);
  return (a) => (fits(a) ? body(a) : mismatch([a]));
};

/** Returns the implementation of a binary overload with a check of its parameters. */
export const guardedBinary = (
  overload: OverloadDeclaration,
  mismatch: (args: readonly CelValue[]) => CelError,
): Binary | undefined => {
  const [first, second] = overload.params;
  const body = overload.evaluate2;
  if (first === undefined || second === undefined || body === undefined) return undefined;
  const fitsFirst = guardOf(first);
  const fitsSecond = guardOf(second);
  return (a, b) => (fitsFirst(a) && fitsSecond(b) ? body(a, b) : mismatch([a, b]));
};

const guardOf = (type: CelType): ((value: CelValue) => boolean) => {
  switch (type.kind) {
    case 'string':
      return (value) => typeof value === 'string';
    case 'int':
      return (value) => typeof value === 'bigint';
    case 'dyn':
    case 'any':
    case 'param':
      return () => true;
    default:
      return (value) => fitsType(value, type);
  }
};

/** Specializes `a + b` for strings. */
export const concatStringsStep =
  (left: Step, right: Step): Step =>
  (run) => {
    const a = left(run);
    const b = right(run);
    if (typeof a === 'string' && typeof b === 'string') {
      run.cost += stringTraversalCost(stringSize(run, a) + stringSize(run, b));
      return a.length + b.length > maxValueLength ? sizeLimitExceeded : a + b;
    }
    run.cost += stringTraversalCost(actualSize(a) + actualSize(b));
    if (a instanceof CelError) return a;
    return b instanceof CelError ? b : add(a, b);
  };

/** Specializes `'prefix' + b`. */
export const prefixStep = (prefix: string, right: Step): Step => {
  const size = codePointCount(prefix);
  return (run) => {
    const b = right(run);
    if (typeof b === 'string') {
      run.cost += stringTraversalCost(size + stringSize(run, b));
      return b.length > maxValueLength ? sizeLimitExceeded : prefix + b;
    }
    run.cost += stringTraversalCost(size + actualSize(b));
    return b instanceof CelError ? b : add(prefix, b);
  };
};

/** Specializes `a + 'suffix'`. */
export const suffixStep = (left: Step, suffix: string): Step => {
  const size = codePointCount(suffix);
  return (run) => {
    const a = left(run);
    if (typeof a === 'string') {
      run.cost += stringTraversalCost(stringSize(run, a) + size);
      return a.length > maxValueLength ? sizeLimitExceeded : a + suffix;
    }
    run.cost += stringTraversalCost(actualSize(a) + size);
    return a instanceof CelError ? a : add(a, suffix);
  };
};

/** Specializes `a == 'constant'` and `a != 'constant'`. */
export const equalsStringStep = (left: Step, text: string, isEquality: boolean): Step => {
  const size = codePointCount(text);
  const full = stringTraversalCost(size);
  return (run) => {
    const a = left(run);
    if (typeof a === 'string') {
      // A string has at least half as many code points as code units.
      run.cost +=
        a.length >= size * 2 ? full : stringTraversalCost(Math.min(size, stringSize(run, a)));
      return (a === text) === isEquality;
    }
    run.cost += isEquality ? equalsCost(a, text) : equalityCost(a, text);
    if (a instanceof CelError) return a;
    const equal = equals(a, text);
    return isEquality ? equal : equal !== true;
  };
};

/** Specializes `a == true` and other scalars, whose size is 1. */
export const equalsScalarStep =
  (left: Step, scalar: CelValue, isEquality: boolean): Step =>
  (run) => {
    const a = left(run);
    if (a === scalar) {
      run.cost += 1;
      return isEquality;
    }
    run.cost += isEquality ? equalsCost(a, scalar) : equalityCost(a, scalar);
    if (a instanceof CelError) return a;
    const equal = equals(a, scalar);
    return isEquality ? equal : equal !== true;
  };

/**
 * Specializes `startsWith('constant')` and `endsWith('constant')`; `units` is the cost of the
 * constant.
 */
export const stringTestStep =
  (left: Step, units: number, test: (text: string) => boolean, otherwise: CelError): Step =>
  (run) => {
    const a = left(run);
    run.cost += units;
    if (typeof a === 'string') return test(a);
    return a instanceof CelError ? a : otherwise;
  };

/** Specializes `replace('old', 'new')`. An error ends such a call without cost. */
export const replaceStep = (
  text: Step,
  old: string,
  by: string,
  otherwise: (value: CelValue) => CelError,
): Step => {
  // A function as replacement avoids that `$` patterns are interpreted.
  const replacement = (): string => by;
  return (run) => {
    const a = text(run);
    if (a instanceof CelError) return a;
    if (typeof a !== 'string') {
      run.cost += stringTraversalCost(actualSize(a) * 2);
      return otherwise(a);
    }
    run.cost += stringTraversalCost(stringSize(run, a) * 2);
    if (!a.includes(old)) return a;
    return a.length * (by.length + 1) > maxValueLength
      ? sizeLimitExceeded
      : a.replaceAll(old, replacement);
  };
};

/** Specializes `a < constant` and the other comparisons. */
export const compareNumberStep = (
  left: Step,
  limit: number | bigint,
  accepts: (sign: number) => boolean,
  general: Binary,
): Step => {
  const limitNumber = Number(limit);
  return (run) => {
    const a = left(run);
    run.cost += 1;
    if (typeof a === 'number' && !Number.isNaN(a)) return accepts(a - limitNumber);
    return a instanceof CelError ? a : general(a, limit);
  };
};

/**
 * Specializes `size(a) < constant` and the other comparisons without creating an int for the size.
 */
export const compareSizeStep = (
  operand: Step,
  limit: bigint,
  accepts: (sign: number) => boolean,
  otherwise: Unary,
): Step => {
  const limitNumber = Number(limit);
  return (run) => {
    const value = operand(run);
    run.cost += 2;
    if (value instanceof CelError) return value;
    const size = sizeFunctionOf(value);
    return size === undefined ? otherwise(value) : accepts(size - limitNumber);
  };
};

/** Returns the result of `size()`, or `undefined` for values without it. */
const sizeFunctionOf = (value: CelValue): number | undefined => {
  if (typeof value === 'string') return codePointCount(value);
  if (isList(value)) return value.length;
  if (isMap(value)) return mapSize(value);
  return value instanceof CelBytes ? value.size : undefined;
};

/** Specializes `'constant' in list`: a string equals only the same string. */
export const stringInListStep =
  (text: string, list: Step, general: Binary): Step =>
  (run) => {
    const values = list(run);
    run.cost += actualSize(values);
    if (values instanceof CelError) return values;
    return isList(values) ? values.includes(text) : general(text, values);
  };

/** Creates the implementation of `<` and the other comparisons. */
export const orderBody =
  (accepts: (sign: number) => boolean, otherwise: Unary): Binary =>
  (a, b) => {
    if (!isOrdered(a)) return otherwise(a);
    const sign = compareValues(a, b);
    return sign instanceof CelError ? sign : accepts(sign);
  };
