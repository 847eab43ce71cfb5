/** Selects specialized steps for calls by name, overload and constant arguments. */

import type { SizeCost } from '../../../cost/cost.ts';
import type { OverloadDeclaration } from '../../../functions/library.ts';
import { compileRegex } from '../../../regex/regex.ts';
import { codePointCount } from '../../../tree/code-points.ts';
import { unsupportedOperation } from '../../../values/arithmetic.ts';
import { nativeString } from '../../../values/native-value.ts';
import { CelError, noSuchOverload } from '../../../values/value.ts';
import { type CallTarget, costOf, mismatch } from '../calls.ts';
import {
  type PlanContext,
  type Planned,
  type SpecializedForms,
  toListStep,
  toStep,
} from '../planned.ts';
import { type Step, sizeIn } from '../run.ts';
import {
  type Binary,
  binaryStep,
  compareNumberStep,
  compareSizeStep,
  concatStringsStep,
  guardedBinary,
  guardedUnary,
  prefixStep,
  replaceStep,
  stringInListStep,
  stringTestStep,
  suffixStep,
  unaryStep,
} from './call.ts';
import { plainSplitStep } from './split.ts';

type Pair = readonly [Planned, Planned];

/** Returns the specialized step of a call with certain arguments, if there is one. */
type Specialize<Args> = (context: PlanContext, target: CallTarget, args: Args) => Step | undefined;

/** Returns the specialized step of a call, if there is one. */
export const specializeCall: Specialize<readonly Planned[]> = (context, target, args) => {
  const [first, second] = args;
  if (first === undefined) return undefined;
  if (args.length === 1) return specializeUnary(context, target, first);
  if (target.overload === 'string_replace_string_string')
    return specializeReplace(context, target, args);
  if (second === undefined || args.length > 2) return undefined;
  if (target.name === 'matches') return specializeMatches(context, target, [first, second]);
  return compiledFunctions.has(target.name)
    ? undefined
    : (specializeOrder(context, target, [first, second]) ??
        specializeBinary(context, target, [first, second]));
};

/** Returns the specialized steps that a parent may use instead of the result of the call. */
export const specializedForms = (
  context: PlanContext,
  target: CallTarget,
  [first, second]: readonly Planned[],
): SpecializedForms | undefined => {
  if (first === undefined) return undefined;
  const cost = costOf(context.table, target);
  if (target.name === 'size') {
    return typeof cost === 'number'
      ? { sized: { operand: toListStep(context, first), cost } }
      : undefined;
  }
  if (target.overload !== 'string_split_string' || second?.kind !== 'constant') return undefined;
  if (typeof second.value !== 'string' || second.value === '') return undefined;
  const split = {
    text: toStep(context, first),
    separator: second.value,
    cost: sizeCostOf(context, target),
  };
  return { split, list: plainSplitStep(split) };
};

/** Returns the cost of a call that depends on the sizes of strings. */
const sizeCostOf = (context: PlanContext, target: CallTarget): SizeCost => {
  const cost = costOf(context.table, target);
  if (typeof cost !== 'object') throw new Error(`unreachable: ${target.name} costs by size`);
  return cost;
};

const orders: ReadonlyMap<string, (sign: number) => boolean> = new Map([
  ['_<_', (sign) => sign < 0],
  ['_<=_', (sign) => sign <= 0],
  ['_>_', (sign) => sign > 0],
  ['_>=_', (sign) => sign >= 0],
]);

const specializeReplace: Specialize<readonly Planned[]> = (context, target, [text, old, by]) => {
  if (text === undefined || old?.kind !== 'constant' || by?.kind !== 'constant') return undefined;
  if (typeof old.value !== 'string' || typeof by.value !== 'string' || old.value === '') {
    return undefined;
  }
  const strings = { old: old.value, by: by.value };
  return replaceStep(toStep(context, text), sizeCostOf(context, target), strings, (value) =>
    mismatch(target.name, [value, strings.old, strings.by]),
  );
};

const specializeMatches: Specialize<Pair> = (context, target, [first, second]) => {
  if (second.kind !== 'constant' || typeof second.value !== 'string') return undefined;
  const regex = compileRegex(second.value);
  if (regex instanceof CelError) return undefined;
  const { units } = sizeCostOf(context, target);
  const size = codePointCount(second.value);
  const left = toStep(context, first);
  return (run) => {
    const text = left(run);
    // An error ends such a call without cost.
    if (text instanceof CelError) return text;
    run.cost += units(sizeIn(run, text), size);
    const searched = nativeString(text);
    return searched === undefined ? noSuchOverload : regex.test(searched);
  };
};

/**
 * Functions whose constant expressions are compiled while planning; their errors reject the
 * expression.
 */
const compiledFunctions: ReadonlySet<string> = new Set(['find', 'findAll']);

/** Specializes comparisons with a constant number. */
const specializeOrder: Specialize<Pair> = (context, target, [first, second]) => {
  const accepts = orders.get(target.name);
  const general = binaryBody(context, target);
  const cost = costOf(context.table, target);
  if (accepts === undefined || general === undefined || typeof cost !== 'number') return undefined;
  const constant = second.kind === 'constant' ? second.value : undefined;
  const sized = first.kind === 'step' ? first.forms?.sized : undefined;
  if (sized !== undefined && typeof constant === 'bigint') {
    const comparison = { cost: sized.cost + cost, accepts };
    return compareSizeStep(sized.operand, constant, comparison, (value) =>
      unsupportedOperation(value, 'size'),
    );
  }
  if (typeof constant !== 'bigint' && typeof constant !== 'number') return undefined;
  return Number.isSafeInteger(Number(constant))
    ? compareNumberStep(toStep(context, first), constant, { cost, accepts, general })
    : undefined;
};

const specializeBinary: Specialize<Pair> = (context, target, [first, second]) => {
  const body = binaryBody(context, target);
  if (body === undefined) return undefined;
  const cost = costOf(context.table, target);
  const step =
    typeof cost === 'object'
      ? specializeStrings(context, target, [first, second], { cost, body })
      : undefined;
  return step ?? binaryStep(toStep(context, first), toStep(context, second), cost, body);
};

/** Specializes calls on strings with a constant argument. */
const specializeStrings = (
  context: PlanContext,
  { overload }: CallTarget,
  [first, second]: Pair,
  { cost, body }: { readonly cost: SizeCost; readonly body: Binary },
): Step | undefined => {
  const left = stringConstant(first);
  const right = stringConstant(second);
  if (overload === 'add_string') {
    if (right !== undefined) return suffixStep(toStep(context, first), right, cost);
    return left === undefined
      ? concatStringsStep(toStep(context, first), toStep(context, second), cost)
      : prefixStep(left, toStep(context, second), cost);
  }
  if (overload === 'in_list') {
    return left === undefined
      ? undefined
      : stringInListStep(left, toListStep(context, second), cost, body);
  }
  const test = stringTests.get(overload);
  if (right === undefined || test === undefined || cost.of !== 'second') return undefined;
  const units = cost.units(0, codePointCount(right));
  return stringTestStep(toStep(context, first), units, (text) => test(text, right));
};

const stringTests: ReadonlyMap<string | undefined, (text: string, part: string) => boolean> =
  new Map([
    ['starts_with_string', (text, part) => text.startsWith(part)],
    ['ends_with_string', (text, part) => text.endsWith(part)],
  ]);

const stringConstant = (planned: Planned): string | undefined =>
  planned.kind === 'constant' && typeof planned.value === 'string' ? planned.value : undefined;

const specializeUnary: Specialize<Planned> = (context, target, first) => {
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

const binaryBody = (context: PlanContext, target: CallTarget): Binary | undefined => {
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
