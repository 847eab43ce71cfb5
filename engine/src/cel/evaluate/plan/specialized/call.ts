/** Quick forms of common calls: of one and two arguments, with a constant on one side, without arrays. */

import {
  type CallCost,
  equalityCost,
  equalsCost,
  actualSize,
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

/** A body for one argument, guarded by the parameter. */
type Unary = (a: CelValue) => CelResult;
type Binary = (a: CelValue, b: CelValue) => CelResult;

/** A call of one argument. */
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

/** A call of two arguments, which evaluates both before it looks for errors. */
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

/** The body of an overload, guarded by its parameters. */
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

/** The same for two arguments. */
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

/** `text + …` where one side or both are texts. */
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

/** `'prefix' + …`. */
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

/** `… + 'suffix'`. */
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

/** `… == 'constant'`, or `!=`. */
export const equalsStringStep = (left: Step, text: string, isEquality: boolean): Step => {
  const size = codePointCount(text);
  const full = stringTraversalCost(size);
  return (run) => {
    const a = left(run);
    if (typeof a === 'string') {
      // A text has at least half as many code points as it has units.
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

/** `… == true` and the like: scalars have the size 1. */
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

/** `startsWith('constant')` and its kin; `units` is what the constant costs. */
export const stringTestStep =
  (left: Step, units: number, test: (text: string) => boolean, otherwise: CelError): Step =>
  (run) => {
    const a = left(run);
    run.cost += units;
    if (typeof a === 'string') return test(a);
    return a instanceof CelError ? a : otherwise;
  };

/** `replace('old', 'new')`. An error ends such a call before it costs anything. */
export const replaceStep = (
  text: Step,
  old: string,
  by: string,
  otherwise: (value: CelValue) => CelError,
): Step => {
  // A pattern in the replacement must not be read as one.
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

/** `… < constant` and its kin. */
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

/** `size(…) < constant` without making an int of the size. */
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

/** Size of a value that has one for `size()`. */
const sizeFunctionOf = (value: CelValue): number | undefined => {
  if (typeof value === 'string') return codePointCount(value);
  if (isList(value)) return value.length;
  if (isMap(value)) return mapSize(value);
  return value instanceof CelBytes ? value.size : undefined;
};

/** `'constant' in list`: texts are compared by themselves. */
export const stringInListStep =
  (text: string, list: Step, general: Binary): Step =>
  (run) => {
    const values = list(run);
    run.cost += actualSize(values);
    if (values instanceof CelError) return values;
    return isList(values) ? values.includes(text) : general(text, values);
  };

/** `a < b` for any ordered values. */
export const orderBody =
  (accepts: (sign: number) => boolean, otherwise: Unary): Binary =>
  (a, b) => {
    if (!isOrdered(a)) return otherwise(a);
    const sign = compareValues(a, b);
    return sign instanceof CelError ? sign : accepts(sign);
  };
