/** Selects specialized steps for calls by name, overload and constant arguments. */

import {
  actualSize,
  prefixTestsCostByArgumentSince,
  regexCost,
  stringTraversalCost,
} from '../../../cost/cost.ts';
import type { OverloadDeclaration } from '../../../functions/library.ts';
import { compileRegex } from '../../../regex/regex.ts';
import { codePointCount } from '../../../tree/code-points.ts';
import { add, unsupportedOperation } from '../../../values/arithmetic.ts';
import { nativeString } from '../../../values/native-value.ts';
import { CelError, type CelValue, noSuchOverload } from '../../../values/value.ts';
import { type CallTarget, costOf, mismatch } from '../calls.ts';
import {
  type PlanContext,
  type Planned,
  type SpecializedForms,
  toListStep,
  toStep,
} from '../planned.ts';
import { type Step, stringSize } from '../run.ts';
import {
  binaryStep,
  compareNumberStep,
  compareSizeStep,
  concatStringsStep,
  guardedBinary,
  guardedUnary,
  orderBody,
  prefixStep,
  replaceStep,
  stringInListStep,
  stringTestStep,
  suffixStep,
  unaryStep,
} from './call.ts';
import { plainSplitStep } from './split.ts';

/** Returns the specialized step of a call, if there is one. */
export const specializeCall = (
  context: PlanContext,
  target: CallTarget,
  args: readonly Planned[],
): Step | undefined => {
  const [first, second] = args;
  if (first === undefined) return undefined;
  if (args.length === 1) return specializeUnary(context, target, first);
  if (target.overload === 'string_replace_string_string')
    return specializeReplace(context, target, args);
  if (second === undefined || args.length > 2) return undefined;
  const step = specializeStringCall(context, target, [first, second]);
  if (step !== undefined || regexFunctions.has(target.name)) return step;
  return specializeBinary(context, target, [first, second]);
};

/** Returns the specialized steps that a parent may use instead of the result of the call. */
export const specializedForms = (
  context: PlanContext,
  target: CallTarget,
  [first, second]: readonly Planned[],
): SpecializedForms | undefined => {
  if (first === undefined) return undefined;
  if (target.name === 'size') return { sized: toListStep(context, first) };
  if (target.overload !== 'string_split_string' || second?.kind !== 'constant') return undefined;
  if (typeof second.value !== 'string' || second.value === '') return undefined;
  const split = { text: toStep(context, first), separator: second.value };
  return { split, list: plainSplitStep(split) };
};

type Pair = readonly [Planned, Planned];

const orders: ReadonlyMap<string, (sign: number) => boolean> = new Map([
  ['_<_', (sign) => sign < 0],
  ['_<=_', (sign) => sign <= 0],
  ['_>_', (sign) => sign > 0],
  ['_>=_', (sign) => sign >= 0],
]);

const stringTests: ReadonlyMap<string, (text: string, part: string) => boolean> = new Map([
  ['startsWith', (text, part) => text.startsWith(part)],
  ['endsWith', (text, part) => text.endsWith(part)],
]);

/** Specializes calls on strings with a constant argument. */
const specializeStringCall = (
  context: PlanContext,
  target: CallTarget,
  [first, second]: Pair,
): Step | undefined => {
  const constant = second.kind === 'constant' ? second.value : undefined;
  const test = stringTests.get(target.name);
  const costsByArgument = context.release >= prefixTestsCostByArgumentSince;
  if (test !== undefined && costsByArgument && typeof constant === 'string') {
    const left = toStep(context, first);
    const units = stringTraversalCost(codePointCount(constant));
    return stringTestStep(left, units, (text) => test(text, constant), noSuchOverload);
  }
  if (target.name === 'matches' && typeof constant === 'string') {
    return specializeMatches(toStep(context, first), constant);
  }
  if (target.overload === 'add_string') {
    if (typeof constant === 'string') return suffixStep(toStep(context, first), constant);
    return first.kind === 'constant' && typeof first.value === 'string'
      ? prefixStep(first.value, toStep(context, second))
      : concatStringsStep(toStep(context, first), toStep(context, second));
  }
  return undefined;
};

const specializeReplace = (
  context: PlanContext,
  target: CallTarget,
  [text, old, by]: readonly Planned[],
): Step | undefined => {
  if (text === undefined || old?.kind !== 'constant' || by?.kind !== 'constant') return undefined;
  if (typeof old.value !== 'string' || typeof by.value !== 'string' || old.value === '') {
    return undefined;
  }
  return replaceStep(toStep(context, text), old.value, by.value, (value) =>
    mismatch(target.name, [value, old.value, by.value]),
  );
};

const specializeMatches = (left: Step, pattern: string): Step | undefined => {
  const regex = compileRegex(pattern);
  if (regex instanceof CelError) return undefined;
  const size = codePointCount(pattern);
  return (run) => {
    const text = left(run);
    // An error ends such a call without cost.
    if (text instanceof CelError) return text;
    run.cost += regexCost(
      typeof text === 'string' ? stringSize(run, text) : actualSize(text),
      size,
    );
    if (typeof text === 'string') return regex.test(text);
    const inside = nativeString(text);
    return inside === undefined ? noSuchOverload : regex.test(inside);
  };
};

/**
 * Functions whose constant expressions are compiled while planning; their errors reject the
 * expression.
 */
const regexFunctions: ReadonlySet<string> = new Set(['matches', 'find', 'findAll']);

const specializeBinary = (
  context: PlanContext,
  target: CallTarget,
  [first, second]: Pair,
): Step | undefined => {
  const accepts = orders.get(target.name);
  const cost = costOf(context.table, target);
  const constant = second.kind === 'constant' ? second.value : undefined;
  if (accepts !== undefined) {
    const body = orderBody(accepts, (value) => unsupportedOperation(value, target.name));
    if (cost !== 1 || (typeof constant !== 'bigint' && typeof constant !== 'number')) {
      return binaryStep(toStep(context, first), toStep(context, second), cost, body);
    }
    const sized = first.kind === 'step' ? first.forms?.sized : undefined;
    if (sized !== undefined && typeof constant === 'bigint') {
      return compareSizeStep(sized, constant, accepts, (value) =>
        unsupportedOperation(value, 'size'),
      );
    }
    if (Number.isSafeInteger(Number(constant))) {
      return compareNumberStep(toStep(context, first), constant, accepts, body);
    }
    return binaryStep(toStep(context, first), toStep(context, second), cost, body);
  }
  if (target.name === '_+_') {
    return binaryStep(toStep(context, first), toStep(context, second), cost, add);
  }
  const body = binaryBody(context, target);
  if (body === undefined) return undefined;
  if (
    target.overload === 'in_list' &&
    first.kind === 'constant' &&
    typeof first.value === 'string'
  ) {
    return stringInListStep(first.value, toListStep(context, second), body);
  }
  return binaryStep(toStep(context, first), toStep(context, second), cost, body);
};

const specializeUnary = (
  context: PlanContext,
  target: CallTarget,
  first: Planned,
): Step | undefined => {
  const entry = context.table.functions.get(target.name);
  if (entry === undefined) return undefined;
  const cost = costOf(context.table, target);
  if (entry.singleton !== undefined) {
    const body = entry.overloads[0]?.evaluate1;
    return body === undefined ? undefined : unaryStep(toStep(context, first), cost, body);
  }
  const overload = exactOverload(context, target);
  const body = overload && guardedUnary(overload, (args) => mismatch(target.name, args));
  return body === undefined ? undefined : unaryStep(toStep(context, first), cost, body);
};

const binaryBody = (
  context: PlanContext,
  target: CallTarget,
): ((a: CelValue, b: CelValue) => ReturnType<typeof add>) | undefined => {
  const entry = context.table.functions.get(target.name);
  if (entry === undefined || target.name === 'format' || target.name === 'flatten')
    return undefined;
  if (entry.singleton !== undefined) return entry.overloads[0]?.evaluate2;
  const overload = exactOverload(context, target);
  return overload && guardedBinary(overload, (args) => mismatch(target.name, args));
};

/** Returns the overload that the checker selected, or the only one. */
const exactOverload = (
  { table }: PlanContext,
  target: CallTarget,
): OverloadDeclaration | undefined => {
  const overloads = table.functions.get(target.name)?.overloads ?? [];
  const exact = overloads.find((overload) => overload.id === target.overload);
  return exact ?? (overloads.length === 1 ? overloads[0] : undefined);
};
