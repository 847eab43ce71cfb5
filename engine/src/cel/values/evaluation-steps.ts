/**
 * Bounds the processor time of one evaluation where costs do not. Most functions cost as many units as they take time,
 * but kube-apiserver charges one unit for `duration(text)` or `isURL(text)`, whatever the length of the string, and a
 * loop can call them hundreds of thousands of times. Such calls count steps; an evaluation that takes too many ends as
 * if its cost limit was exceeded.
 */
import { CelObject, type CelResult } from './value.ts';

/** Steps of one evaluation. A step takes about 10 nanoseconds. */
const maxEvaluationSteps = 100_000_000;

/** Ends an evaluation. */
export class StepsExceededError extends Error {}

/** Outside of an evaluation, where constants are folded and nothing loops, steps are not limited. */
const unlimited = -1;

/** A small integer in all states, because each evaluation sets it twice. */
let remaining = unlimited;

/** Limits the steps from here on. Evaluations do not nest, and each ends, whether it throws or not. */
export const beginEvaluation = (): void => {
  remaining = maxEvaluationSteps;
};

export const endEvaluation = (): void => {
  remaining = unlimited;
};

/** Counts steps of the current evaluation; returns how many are left. Throws `StepsExceeded` if there are too many. */
export const countSteps = (steps: number): number => {
  if (remaining < 0) return Number.POSITIVE_INFINITY;
  if (steps > remaining) {
    remaining = 0;
    throw new StepsExceededError('too many steps');
  }
  remaining -= steps;
  return remaining;
};

/** Steps for each character or item of the arguments, by function: those that take longer than one step. */
const stepsByFunction: ReadonlyMap<string, number> = new Map([
  ['duration', 25],
  ['timestamp', 5],
  ['isURL', 25],
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

/** The characters or items of an argument. */
export const itemsOf = (value: CelResult): number => {
  if (typeof value === 'string') return value.length;
  if (Array.isArray(value)) return value.length;
  return value instanceof CelObject ? value.itemCount : 0;
};
