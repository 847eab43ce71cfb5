/** Operators that may not need their second operand: `&&`, `||`, `or` and `orValue`. */
import { type Release, strictOptionalsSince } from '../../../model/release.ts';
import {
  CelError,
  CelOptional,
  type CelResult,
  type CelValue,
  noSuchOverload,
} from '../../values/value.ts';
import type { Step } from './run.ts';

/** Evaluates `&&`: false takes precedence over errors, the first error over true. */
export const andStep =
  (left: Step, right: Step): Step =>
  (run) => {
    const first = left(run);
    if (first === false) return false;
    const second = right(run);
    if (second === false) return false;
    if (first !== true) return errorOf(first);
    return second === true ? true : errorOf(second);
  };

/** Evaluates `||`: true takes precedence over errors, the first error over false. */
export const orStep =
  (left: Step, right: Step): Step =>
  (run) => {
    const first = left(run);
    if (first === true) return true;
    const second = right(run);
    if (second === true) return true;
    if (first !== false) return errorOf(first);
    return second === false ? false : errorOf(second);
  };

type PairOfSteps = (left: Step, right: Step) => Step;

/**
 * Evaluates `a.or(b)`, which returns the optional `a` if it has a value. It costs nothing, as in
 * cel-go.
 */
export const optionalOrStep = (release: Release): PairOfSteps => {
  const otherwise = handlePlainValue(release);
  return (left, right) => (run) => {
    const first = left(run);
    if (first instanceof CelError) return first;
    if (!(first instanceof CelOptional)) return otherwise(first);
    return first.value === undefined ? right(run) : first;
  };
};

/** Evaluates `a.orValue(b)`. */
export const optionalOrValueStep = (release: Release): PairOfSteps => {
  const otherwise = handlePlainValue(release);
  return (left, right) => (run) => {
    const first = left(run);
    if (first instanceof CelError) return first;
    if (!(first instanceof CelOptional)) return otherwise(first);
    return first.value === undefined ? right(run) : first.value;
  };
};

/**
 * Returns how a receiver that is not optional is handled: older releases return it, newer ones
 * return an error.
 */
const handlePlainValue = (release: Release): ((value: CelValue) => CelResult) =>
  release < strictOptionalsSince ? (value) => value : () => noSuchOverload;

/** Evaluates `@not_strictly_false`, for which errors count as true. */
export const notStrictlyFalseStep =
  (operand: Step): Step =>
  (run) => {
    const value = operand(run);
    run.cost += 1;
    return value !== false;
  };

const errorOf = (value: CelResult): CelError =>
  value instanceof CelError ? value : noSuchOverload;
