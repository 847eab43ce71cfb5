/** Comprehensions, which `all`, `exists`, `map`, `filter` and other macros expand to. */
import { costLimit } from '../../cost/cost.ts';
import { costLimitExceeded } from '../../values/evaluation-errors.ts';
import { goTypeName } from '../../values/go-type-name.ts';
import { CelMap, isMap, mapEntries, mapKeys, VariableMap } from '../../values/map-value.ts';
import {
  CelError,
  type CelResult,
  type CelValue,
  GrowingList,
  isList,
} from '../../values/value.ts';
import { lookUp, missingKeyError } from './qualify.ts';
import type { Run, Step } from './run.ts';

/** The steps of a comprehension and the slots of its variables. */
export interface ComprehensionSteps {
  readonly iterSlot: number;
  /** The second variable of two-variable comprehensions; the first is then the key or index. */
  readonly iterSlot2: number | undefined;
  readonly accuSlot: number;
  readonly init: AccumulatorInit;
  readonly condition: Step;
  readonly step: Step;
  readonly result: Step;
}

/**
 * The initial value of the accumulator. An empty list or map grows in place; since 1.32 other
 * values are computed when they are first read.
 */
export type AccumulatorInit =
  | { readonly kind: 'list' }
  | { readonly kind: 'map' }
  | { readonly kind: 'constant'; readonly value: CelValue }
  | { readonly kind: 'lazy' }
  | { readonly kind: 'eager'; readonly step: Step };

/** Creates the step of a comprehension. */
export const comprehensionStep = (range: Step, steps: ComprehensionSteps): Step => {
  const loop = comprehensionOver(steps);
  return (run) => {
    const values = range(run);
    return values instanceof CelError ? values : loop(run, values);
  };
};

/** Creates a function that iterates over a given range. */
export const comprehensionOver = (
  steps: ComprehensionSteps,
): ((run: Run, range: CelValue) => CelResult) => {
  const fold = steps.iterSlot2 === undefined ? foldValues : foldEntries;
  return (run, range) => {
    run.locals[steps.accuSlot] = initialValue(run, steps.init);
    const failure = fold(run, steps, range);
    if (failure !== undefined) return failure;
    return finishGrowing(steps.result(run));
  };
};

/** Reads a variable of a comprehension. The accumulator may have to be computed first. */
export const localStep = (slot: number, init: Step | undefined): Step => {
  if (init === undefined) return (run) => run.locals[slot] ?? null;
  return (run) => {
    const current = run.locals[slot];
    if (current !== undefined) return current;
    const value = toGrowable(init(run));
    run.locals[slot] = value;
    return value;
  };
};

const initialValue = (run: Run, init: AccumulatorInit): CelResult | undefined => {
  switch (init.kind) {
    case 'list':
      return new GrowingList();
    case 'map':
      return CelMap.growingFrom([]);
    case 'constant':
      return init.value;
    case 'lazy':
      return undefined;
    case 'eager':
      return toGrowable(init.step(run));
  }
};

const foldValues = (run: Run, steps: ComprehensionSteps, range: CelValue): CelError | undefined => {
  const values = rangeValues(range);
  if (values === undefined) {
    return new CelError(`got '${goTypeName(range)}', expected iterable type`);
  }
  for (const value of values) {
    run.locals[steps.iterSlot] = value;
    if (!shouldContinue(steps.condition(run))) return undefined;
    run.locals[steps.accuSlot] = steps.step(run);
    if (run.cost > costLimit) return costLimitExceeded;
  }
  return undefined;
};

const foldEntries = (
  run: Run,
  steps: ComprehensionSteps,
  range: CelValue,
): CelError | undefined => {
  const entries = rangeEntries(range);
  if (entries === undefined) {
    return new CelError(`unsupported comprehension range type: ${goTypeName(range)}`);
  }
  for (const [key, value] of entries) {
    run.locals[steps.iterSlot] = key;
    if (steps.iterSlot2 !== undefined) run.locals[steps.iterSlot2] = value;
    if (!shouldContinue(steps.condition(run))) return undefined;
    run.locals[steps.accuSlot] = steps.step(run);
    if (run.cost > costLimit) return costLimitExceeded;
  }
  return undefined;
};

/** Checks the loop condition: only false ends a comprehension, an error does not. */
const shouldContinue = (condition: CelResult): boolean => condition !== false;

/** Returns the elements of a list, the keys of a map, or the values of a whole variable. */
const rangeValues = (range: CelValue): readonly CelResult[] | undefined => {
  if (isList(range)) return range;
  if (isMap(range)) return mapKeys(range);
  return range instanceof VariableMap ? variableValues(range) : undefined;
};

/** kube-apiserver looks up each value by its name and unescapes the name for that. */
const variableValues = (variable: VariableMap): readonly CelResult[] =>
  Object.keys(variable.record).map((name) => selectMember(variable, name));

const selectMember = (variable: VariableMap, key: CelValue): CelResult => {
  const member = lookUp(variable, key, false);
  return member === undefined ? missingKeyError(variable, key) : member;
};

const rangeEntries = (range: CelValue): Iterable<readonly [CelResult, CelResult]> | undefined => {
  if (isList(range)) return indexedEntries(range);
  if (isMap(range)) return mapEntries(range);
  return range instanceof VariableMap ? variableEntries(range) : undefined;
};

const indexedEntries = (list: readonly CelValue[]): Iterable<readonly [CelResult, CelResult]> =>
  list.map((value, index): readonly [CelResult, CelResult] => [BigInt(index), value]);

/** kube-apiserver iterates over the values of a variable and uses each of them as a key. */
const variableEntries = (variable: VariableMap): Iterable<readonly [CelResult, CelResult]> =>
  variableValues(variable).map((value): readonly [CelResult, CelResult] => [
    value,
    value instanceof CelError ? value : selectMember(variable, value),
  ]);

const toGrowable = (value: CelResult): CelResult => {
  if (value instanceof CelError) return value;
  if (isList(value)) return value.length === 0 ? new GrowingList() : value;
  return isMap(value) && mapKeys(value).length === 0 ? CelMap.growingFrom([]) : value;
};

/** Ends the growth of a list or map; it does not change afterwards. */
const finishGrowing = (value: CelResult): CelResult => {
  if (value instanceof GrowingList) return Array.from(value);
  if (value instanceof CelMap) value.isGrowing = false;
  return value;
};
