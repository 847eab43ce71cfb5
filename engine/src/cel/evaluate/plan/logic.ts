/** Operators that may do without one of their sides: `&&`, `||`, and the two forms of "else" for optionals. */
import { type Release, strictOptionalsSince } from '../../../model/release.ts';
import {
  CelError,
  CelOptional,
  type CelResult,
  type CelValue,
  noSuchOverload,
} from '../../values/value.ts';
import type { Step } from './run.ts';

/** `&&`: false wins over errors; the first error wins over true. */
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

/** `||`: true wins over errors; the first error wins over false. */
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

/** `a.or(b)`: the optional itself if it has a value. Costs nothing, as in cel-go. */
export const optionalOrStep = (release: Release): PairOfSteps => {
  const otherwise = handlePlainValue(release);
  return (left, right) => (run) => {
    const first = left(run);
    if (first instanceof CelError) return first;
    if (!(first instanceof CelOptional)) return otherwise(first);
    return first.value === undefined ? right(run) : first;
  };
};

/** `a.orValue(b)`. */
export const optionalOrValueStep = (release: Release): PairOfSteps => {
  const otherwise = handlePlainValue(release);
  return (left, right) => (run) => {
    const first = left(run);
    if (first instanceof CelError) return first;
    if (!(first instanceof CelOptional)) return otherwise(first);
    return first.value === undefined ? right(run) : first.value;
  };
};

/** What a value that is not optional gives: itself, or an error. */
const handlePlainValue = (release: Release): ((value: CelValue) => CelResult) =>
  release < strictOptionalsSince ? (value) => value : () => noSuchOverload;

/** `@not_strictly_false`: errors count as true. */
export const notStrictlyFalseStep =
  (operand: Step): Step =>
  (run) => {
    const value = operand(run);
    run.cost += 1;
    return value !== false;
  };

const errorOf = (value: CelResult): CelError =>
  value instanceof CelError ? value : noSuchOverload;
