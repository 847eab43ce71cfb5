/** Function calls: selects the implementation for the arguments, and the cost. */

import type { Release } from '../../../model/release.ts';
import { type CallCost, chargeOf, costOfCall } from '../../cost/cost.ts';
import {
  type CelLibrary,
  existsIn,
  type FunctionDeclaration,
  type OverloadDeclaration,
} from '../../functions/library.ts';
import { countSteps, itemsOf, stepsPerItem } from '../../values/evaluation-steps.ts';
import { fitsType, typeNameOf } from '../../values/runtime-type.ts';
import type { CelType } from '../../values/types.ts';
import { CelError, type CelResult, type CelValue, type JsonRecord } from '../../values/value.ts';
import { PlanError } from './plan-error.ts';
import type { Step } from './run.ts';

/** All functions of a set of libraries in one release, by name. */
export interface FunctionTable {
  readonly release: Release;
  readonly functions: ReadonlyMap<string, FunctionEntry>;
}

interface FunctionEntry {
  readonly overloads: readonly OverloadDeclaration[];
  readonly singleton: ((args: readonly CelValue[]) => CelResult) | undefined;
}

/** The function that a node calls: its name, and its overload if the checker found exactly one. */
export interface CallTarget {
  readonly name: string;
  readonly overload: string | undefined;
}

/** Calls a function with values; `data` is the content of the variable. */
export type Invoke = (args: readonly CelValue[], data?: JsonRecord) => CelResult;

/** Combines libraries into one table; a later library replaces an overload with the same ID. */
export const functionTable = (
  libraries: readonly CelLibrary[],
  release: Release,
): FunctionTable => {
  const functions = new Map<string, FunctionEntry>();
  for (const declaration of libraries.flatMap((library) => library.functions)) {
    const existing = functions.get(declaration.name);
    const declared = declaration.overloads
      .filter((overload) => existsIn(overload, release))
      .map((overload) => withStepCount(declaration.name, overload, release));
    if (declared.length === 0) continue;
    const ids = new Set(declared.map((overload) => overload.id));
    const remaining = (existing?.overloads ?? []).filter((overload) => !ids.has(overload.id));
    functions.set(declaration.name, {
      overloads: [...remaining, ...declared],
      singleton: singletonOf(declaration, declared) ?? existing?.singleton,
    });
  }
  return { release, functions };
};

/** Returns the implementation for all overloads, which is that of the first one. */
const singletonOf = (
  { singleton, overloads }: FunctionDeclaration,
  [first]: readonly OverloadDeclaration[],
): FunctionEntry['singleton'] =>
  singleton !== undefined && first?.id === overloads[0]?.id ? first?.evaluate : singleton;

/** Wraps an overload to count the steps that its cost does not cover. */
const withStepCount = (
  name: string,
  overload: OverloadDeclaration,
  release: Release,
): OverloadDeclaration => {
  const steps = stepsPerItem(name, costOfCall(name, overload.id, release));
  if (steps === 0 || overload.params.every(({ kind }) => boundedKinds.has(kind))) return overload;
  const { evaluate, evaluate1, evaluate2 } = overload;
  return {
    ...overload,
    evaluate: (args) => {
      for (const arg of args) countSteps(steps * itemsOf(arg));
      return evaluate(args);
    },
    ...(evaluate1 && {
      evaluate1: (a) => {
        countSteps(steps * itemsOf(a));
        return evaluate1(a);
      },
    }),
    ...(evaluate2 && {
      evaluate2: (a, b) => {
        countSteps(steps * (itemsOf(a) + itemsOf(b)));
        return evaluate2(a, b);
      },
    }),
  };
};

/** Kinds of types whose values have no length. */
const boundedKinds: ReadonlySet<CelType['kind']> = new Set([
  'bool',
  'int',
  'uint',
  'double',
  'duration',
  'timestamp',
  'null',
]);

/**
 * Returns the implementation of a call. A single overload checks its parameters; several are tried
 * in order.
 */
export const invokeOf = (table: FunctionTable, target: CallTarget): Invoke => {
  const entry = table.functions.get(target.name);
  if (entry === undefined) throw new PlanError(`no such overload: ${target.name}`);
  if (entry.singleton !== undefined) return entry.singleton;
  const exact = entry.overloads.filter((overload) => overload.id === target.overload);
  const candidates = exact.length === 0 ? entry.overloads : exact;
  return (args) => {
    const fitting = candidates.find((overload) => fits(overload, args));
    return fitting === undefined ? mismatch(target.name, args) : fitting.evaluate(args);
  };
};

/**
 * Creates the step of a call. With one or two arguments, it evaluates both before it looks for
 * errors, and then costs its units anyway. With more arguments, or if it selects an overload at run
 * time, it stops at the first error and costs nothing.
 */
export const callStep = (
  invoke: Invoke,
  cost: CallCost,
  args: readonly Step[],
  stopsEarly: boolean,
): Step => {
  const charge = chargeOf(cost);
  return (run) => {
    const values: CelValue[] = [];
    const results: CelResult[] = [];
    let failure: CelError | undefined;
    for (const [index, arg] of args.entries()) {
      const value = arg(run);
      results.push(value);
      if (!(value instanceof CelError)) {
        values.push(value);
        continue;
      }
      failure ??= value;
      if (stopsEarly && index < args.length - 1) return failure;
      if (stopsEarly) break;
    }
    const result = failure ?? invoke(values, run.record);
    run.cost += charge(results[0] ?? null, results[1] ?? null, result);
    return result;
  };
};

/** Returns the cost of a call. */
export const costOf = ({ release }: FunctionTable, target: CallTarget): CallCost =>
  costOfCall(target.name, target.overload, release);

const fits = (overload: OverloadDeclaration, args: readonly CelValue[]): boolean =>
  overload.params.length === args.length &&
  overload.params.every((param, index) => fitsType(args[index] ?? null, param));

/** Returns the error for arguments that fit no overload. */
export const mismatch = (name: string, args: readonly CelValue[]): CelError =>
  new CelError(`no such overload: ${name}(${args.map(typeNameOf).join(', ')})`);
