/** Calls: which body runs for which arguments, and what it costs. */
import { type CallCost, costOfCall } from '../cost.ts';
import type { CelLibrary, OverloadDeclaration } from '../functions/library.ts';
import { fitsType, typeNameOf } from '../runtime-type.ts';
import { CelError, type CelResult, type CelValue, type JsonRecord } from '../value.ts';
import { PlanError } from './plan-error.ts';
import type { Step } from './run.ts';

/** All functions of some libraries, by name. */
export interface FunctionTable {
  readonly functions: ReadonlyMap<string, FunctionEntry>;
}

interface FunctionEntry {
  readonly overloads: readonly OverloadDeclaration[];
  readonly generic: ((args: readonly CelValue[]) => CelResult) | undefined;
}

/** The call that a node asks for: the name, and the overload when the checker found exactly one. */
export interface CallTarget {
  readonly name: string;
  readonly overload: string | undefined;
}

/** Runs a function with values; `data` is the content of the variable. */
export type Invoke = (args: readonly CelValue[], data?: JsonRecord) => CelResult;

/** Gathers libraries into one table; a later library replaces an overload of the same id. */
export const functionTable = (libraries: readonly CelLibrary[]): FunctionTable => {
  const functions = new Map<string, FunctionEntry>();
  for (const declaration of libraries.flatMap((library) => library.functions)) {
    const known = functions.get(declaration.name);
    const ids = new Set(declaration.overloads.map((overload) => overload.id));
    const kept = (known?.overloads ?? []).filter((overload) => !ids.has(overload.id));
    functions.set(declaration.name, {
      overloads: [...kept, ...declaration.overloads],
      generic: declaration.generic ?? known?.generic,
    });
  }
  return { functions };
};

/** The call's body. One overload is guarded by its parameters; several are tried in order. */
export const invokeOf = (table: FunctionTable, target: CallTarget): Invoke => {
  const entry = table.functions.get(target.name);
  if (entry === undefined) throw new PlanError(`no such overload: ${target.name}`);
  if (entry.generic !== undefined) return entry.generic;
  const exact = entry.overloads.filter((overload) => overload.id === target.overload);
  const candidates = exact.length === 0 ? entry.overloads : exact;
  return (args) => {
    const fitting = candidates.find((overload) => fits(overload, args));
    return fitting === undefined ? mismatch(target.name, args) : fitting.evaluate(args);
  };
};

/**
 * A call with its arguments. Calls of one or two evaluate all of them before they look for errors and
 * cost even then; those of more, and those that choose among overloads, stop at the first error free of charge.
 */
export const callStep = (
  invoke: Invoke,
  cost: CallCost,
  args: readonly Step[],
  stopsEarly: boolean,
): Step => {
  const charge = typeof cost === 'number' ? () => cost : cost;
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

/** What a call costs. */
export const costOf = (target: CallTarget): CallCost => costOfCall(target.name, target.overload);

const fits = (overload: OverloadDeclaration, args: readonly CelValue[]): boolean =>
  overload.params.length === args.length &&
  overload.params.every((param, index) => fitsType(args[index] ?? null, param));

/** The error for arguments that fit no overload. */
export const mismatch = (name: string, args: readonly CelValue[]): CelError =>
  new CelError(`no such overload: ${name}(${args.map(typeNameOf).join(', ')})`);
