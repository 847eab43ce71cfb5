/**
 * Bounds the processor time of one evaluation where costs do not. Most functions cost as many units as they take time,
 * but kube-apiserver charges one unit for `duration(text)` or `isURL(text)`, whatever the length of the string, and a
 * loop can call them hundreds of thousands of times. Such calls count steps; an evaluation that takes too many ends as
 * if its cost limit was exceeded.
 */
import { CelObject, type CelResult } from './value.ts';

/** The maximum number of steps of one evaluation. A step takes about 10 nanoseconds. */
const maxEvaluationSteps = 100_000_000;

/** Thrown when an evaluation takes more steps than the limit. */
export class StepsExceededError extends Error {}

/**
 * The state outside of an evaluation, where constants are folded and nothing loops: steps are not
 * limited.
 */
const unlimited = -1;

/**
 * The steps that remain. It is a small integer in all states, because each evaluation sets it
 * twice.
 */
let remaining = unlimited;

/**
 * Starts to limit the steps. Evaluations do not nest, and each one must end, whether or not it
 * throws.
 */
export const beginEvaluation = (): void => {
  remaining = maxEvaluationSteps;
};

export const endEvaluation = (): void => {
  remaining = unlimited;
};

/**
 * Counts steps of the current evaluation and returns how many are left. Throws `StepsExceededError`
 * if there are too many.
 */
export const countSteps = (steps: number): number => {
  if (remaining < 0) return Number.POSITIVE_INFINITY;
  if (steps > remaining) {
    remaining = 0;
    throw new StepsExceededError('too many steps');
  }
  remaining -= steps;
  return remaining;
};

/**
 * Steps for each character or item of the arguments, for functions that take longer than one step
 * per item.
 */
const stepsByFunction: ReadonlyMap<string, number> = new Map([
  ['duration', 25],
  ['timestamp', 5],
  ['isURL', 25],
  ['optional.unwrap', 3],
  ['unwrapOpt', 3],
  ['int', 10],
  ['uint', 10],
  ['compareTo', 40],
  ['isGreaterThan', 40],
  ['isLessThan', 40],
]);

/** Functions whose cost is the size of what they traverse: zero for a list of empty strings. */
const traversals: ReadonlySet<string> = new Set([
  'includes',
  'indexOf',
  'isSorted',
  'lastIndexOf',
  'max',
  'min',
  'sum',
]);

/** How many steps a call takes for each character or item; zero if its cost in units is enough. */
export const stepsPerItem = (name: string, cost: unknown): number => {
  if (traversals.has(name)) return 5;
  return typeof cost === 'number' ? (stepsByFunction.get(name) ?? 1) : 0;
};

/** Returns the number of characters or items of an argument. */
export const itemsOf = (value: CelResult): number => {
  if (typeof value === 'string') return value.length;
  if (Array.isArray(value)) return value.length;
  return value instanceof CelObject ? value.itemCount : 0;
};
