/**
 * Specialized steps of common calls with one or two arguments or with a constant argument, which
 * create no arrays.
 */

import {
  type CallCost,
  type Charge,
  chargeOf,
  comparisonCost,
  type SizeCost,
} from '../../../cost/cost.ts';
import type { OverloadDeclaration } from '../../../functions/library.ts';
import { codePointCount } from '../../../tree/code-points.ts';
import { add, maxValueLength, sizeLimitExceeded } from '../../../values/arithmetic.ts';
import { equals } from '../../../values/equality.ts';
import { isMap, mapSize } from '../../../values/map-value.ts';
import { fitsType } from '../../../values/runtime-type.ts';
import type { CelType } from '../../../values/types.ts';
import {
  CelBytes,
  CelError,
  type CelResult,
  type CelValue,
  isList,
  noSuchOverload,
} from '../../../values/value.ts';
import { type Step, sizeIn } from '../run.ts';

/** An implementation for one argument that has been checked. */
type Unary = (a: CelValue) => CelResult;
/** An implementation for two arguments that have been checked. */
export type Binary = (a: CelValue, b: CelValue) => CelResult;

/** Creates the step of a call with one argument. */
export const unaryStep = (arg: Step, cost: CallCost, body: Unary): Step => {
  if (typeof cost === 'number') {
    return (run) => {
      const a = arg(run);
      run.cost += cost;
      return a instanceof CelError ? a : body(a);
    };
  }
  const charge = chargeOf(cost);
  return (run) => {
    const a = arg(run);
    const result = a instanceof CelError ? a : body(a);
    run.cost += charge(a, null, result);
    return result;
  };
};

/**
 * Creates the step of a call with two arguments, which evaluates both before it looks for errors.
 */
export const binaryStep = (left: Step, right: Step, cost: CallCost, body: Binary): Step => {
  const charge = typeof cost === 'number' ? undefined : chargeOf(cost);
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
  (left: Step, right: Step, { units }: SizeCost): Step =>
  (run) => {
    const a = left(run);
    const b = right(run);
    run.cost += units(sizeIn(run, a), sizeIn(run, b));
    return concat(a, b);
  };

/** Specializes `'prefix' + b`. */
export const prefixStep = (prefix: string, right: Step, { units }: SizeCost): Step => {
  const size = codePointCount(prefix);
  return (run) => {
    const b = right(run);
    run.cost += units(size, sizeIn(run, b));
    return concat(prefix, b);
  };
};

/** Specializes `a + 'suffix'`. */
export const suffixStep = (left: Step, suffix: string, { units }: SizeCost): Step => {
  const size = codePointCount(suffix);
  return (run) => {
    const a = left(run);
    run.cost += units(sizeIn(run, a), size);
    return concat(a, suffix);
  };
};

const concat = (a: CelResult, b: CelResult): CelResult => {
  if (typeof a === 'string' && typeof b === 'string') {
    return a.length + b.length > maxValueLength ? sizeLimitExceeded : a + b;
  }
  if (a instanceof CelError) return a;
  return b instanceof CelError ? b : add(a, b);
};

/** Specializes `startsWith('constant')` and `endsWith('constant')`, whose cost is fixed. */
export const stringTestStep =
  (left: Step, units: number, test: (text: string) => boolean): Step =>
  (run) => {
    const a = left(run);
    run.cost += units;
    if (typeof a === 'string') return test(a);
    return a instanceof CelError ? a : noSuchOverload;
  };

/** Specializes `'constant' in list`: a string equals only the same string. */
export const stringInListStep =
  (text: string, list: Step, { units }: SizeCost, general: Binary): Step =>
  (run) => {
    const values = list(run);
    run.cost += units(0, sizeIn(run, values));
    if (values instanceof CelError) return values;
    return isList(values) ? values.includes(text) : general(text, values);
  };

/** `==` or `!=`: the result for equal values, and the cost. */
export interface Equality {
  readonly expected: boolean;
  readonly charge: Charge;
}

/** Returns the result of `==` or `!=`. Values whose comparison is an error are different. */
export const resultOfEquality = (equal: CelResult, expected: boolean): CelResult =>
  expected ? equal : equal !== true;

/** Specializes `a == 'constant'` and `a != 'constant'`. */
export const equalsStringStep = (
  left: Step,
  text: string,
  { expected, charge }: Equality,
): Step => {
  const size = codePointCount(text);
  const { units } = comparisonCost;
  const full = units(size, size);
  return (run) => {
    const a = left(run);
    if (typeof a === 'string') {
      // A string has at least half as many code points as code units.
      run.cost += a.length >= size * 2 ? full : units(sizeIn(run, a), size);
      return (a === text) === expected;
    }
    run.cost += charge(a, text, null);
    return a instanceof CelError ? a : resultOfEquality(equals(a, text), expected);
  };
};

/** Specializes `a == true` and other scalars. */
export const equalsScalarStep = (
  left: Step,
  scalar: CelValue,
  { expected, charge }: Equality,
): Step => {
  const same = charge(scalar, scalar, null);
  return (run) => {
    const a = left(run);
    if (a === scalar) {
      run.cost += same;
      return expected;
    }
    run.cost += charge(a, scalar, null);
    return a instanceof CelError ? a : resultOfEquality(equals(a, scalar), expected);
  };
};

/** Specializes `replace('old', 'new')`. An error ends such a call without cost. */
export const replaceStep = (
  text: Step,
  { units }: SizeCost,
  { old, by }: { readonly old: string; readonly by: string },
  otherwise: (value: CelValue) => CelError,
): Step => {
  // A function as replacement avoids that `$` patterns are interpreted.
  const replacement = (): string => by;
  return (run) => {
    const a = text(run);
    if (a instanceof CelError) return a;
    run.cost += units(sizeIn(run, a), 0);
    if (typeof a !== 'string') return otherwise(a);
    if (!a.includes(old)) return a;
    return a.length * (by.length + 1) > maxValueLength
      ? sizeLimitExceeded
      : a.replaceAll(old, replacement);
  };
};

/** Specializes `a < constant` and the other comparisons that cost the same for all numbers. */
export const compareNumberStep = (
  left: Step,
  limit: number | bigint,
  { cost, accepts, general }: Comparison,
): Step => {
  const limitNumber = Number(limit);
  return (run) => {
    const a = left(run);
    run.cost += cost;
    if (typeof a === 'number' && !Number.isNaN(a)) return accepts(a - limitNumber);
    return a instanceof CelError ? a : general(a, limit);
  };
};

/** A comparison: its fixed cost, and its implementation. */
interface Comparison {
  readonly cost: number;
  readonly accepts: (sign: number) => boolean;
  readonly general: Binary;
}

/**
 * Specializes `size(a) < constant` and the other comparisons without creating an int for the size.
 */
export const compareSizeStep = (
  operand: Step,
  limit: bigint,
  { cost, accepts }: Pick<Comparison, 'cost' | 'accepts'>,
  otherwise: Unary,
): Step => {
  const limitNumber = Number(limit);
  return (run) => {
    const value = operand(run);
    run.cost += cost;
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
