/**
 * Specialized steps of the macros `all`, `exists`, `map` and `filter` over lists: one loop without
 * an accumulator in a slot. Errors are collected as in the general loop.
 */

import { costLimit, listCreateBaseCost, readCost } from '../../../cost/cost.ts';
import type { CelNode, ComprehensionNode } from '../../../tree/ast.ts';
import { costLimitExceeded } from '../../../values/evaluation-errors.ts';
import {
  CelError,
  type CelResult,
  type CelValue,
  isList,
  noSuchOverload,
} from '../../../values/value.ts';
import type { Run, Step } from '../run.ts';

/** The macro that a comprehension was expanded from, and its arguments. */
export type MacroShape =
  | { readonly kind: 'all' | 'exists'; readonly predicate: CelNode }
  | {
      readonly kind: 'map';
      readonly filter: CelNode | undefined;
      readonly element: CelNode;
    };

/** The general loop, for ranges that are not lists. */
export type GeneralLoop = (run: Run, range: CelValue) => CelResult;

/** The range of a loop and the slot of its variable. */
export interface LoopRange {
  readonly range: Step;
  readonly slot: number;
}

/** The result that ends `all` or `exists`. */
export interface QuantifierParts {
  readonly stop: boolean;
  /** The cost of the calls in the condition of the loop. */
  readonly conditionCost: number;
  readonly general: GeneralLoop;
}

/** The steps of `map` and `filter`. */
export interface CollectParts {
  readonly filter: Step | undefined;
  readonly element: Step;
  /** Whether the element is a constant: a list of one constant costs nothing. */
  readonly isConstant: boolean;
  /** The cost of adding the list of one element to the accumulator. */
  readonly addCost: number;
  readonly general: GeneralLoop;
}

/** Recognizes the expansions of the one-variable macros. */
export const recognizeMacro = (node: ComprehensionNode): MacroShape | undefined => {
  if (node.iterVar2 !== undefined || !isIdent(node.result, node.accuVar)) return undefined;
  return recognizeQuantifier(node) ?? recognizeMap(node);
};

/** Specializes `all` and `exists`; `stop` is the value that ends the loop. */
export const quantifierStep = (
  { range, slot }: LoopRange,
  predicate: Step,
  { stop, general, conditionCost }: QuantifierParts,
): Step => {
  // The condition and the step both read the accumulator.
  const atStop = conditionCost + readCost;
  const perElement = atStop + readCost;
  return (run) => {
    const values = range(run);
    if (values instanceof CelError) return values;
    if (!isList(values)) return general(run, values);
    let result: CelResult = !stop;
    const { length } = values;
    for (let index = 0; index < length; index++) {
      run.locals[slot] = values[index];
      run.cost += perElement;
      const outcome = predicate(run);
      if (outcome === stop) {
        run.cost += index + 1 < length ? atStop + readCost : readCost;
        return stop;
      }
      if (outcome !== !stop && result === !stop) {
        result = outcome instanceof CelError ? outcome : noSuchOverload;
      }
      if (run.cost > costLimit) return costLimitExceeded;
    }
    run.cost += readCost;
    return result;
  };
};

/** Specializes `map` and `filter`. */
export const collectStep = ({ range, slot }: LoopRange, parts: CollectParts): Step => {
  const { filter, element, general } = parts;
  const addedCost = parts.addCost + (parts.isConstant ? 0 : listCreateBaseCost);
  return (run) => {
    const values = range(run);
    if (values instanceof CelError) return values;
    if (!isList(values)) return general(run, values);
    const elements: CelValue[] = [];
    let failure: CelError | undefined;
    for (const value of values) {
      run.locals[slot] = value;
      const passes = filter === undefined ? true : filter(run);
      if (passes === true) {
        // The accumulator is read first: its unit counts even if the element ends the evaluation.
        run.cost += readCost;
        const mapped = element(run);
        run.cost += addedCost;
        if (!(mapped instanceof CelError)) elements.push(mapped);
        else failure ??= mapped;
      } else if (passes !== false) {
        failure = passes instanceof CelError ? passes : noSuchOverload;
      }
      if (run.cost > costLimit) return costLimitExceeded;
    }
    run.cost += readCost;
    return failure ?? elements;
  };
};

const isIdent = (node: CelNode, name: string): boolean =>
  node.kind === 'ident' && node.name === name;

const isBool = (node: CelNode, value: boolean): boolean =>
  node.kind === 'literal' && node.constant.kind === 'bool' && node.constant.value === value;

const argsOf = (node: CelNode, name: string): readonly CelNode[] | undefined =>
  node.kind === 'call' && node.function === name && node.target === undefined
    ? node.args
    : undefined;

const recognizeQuantifier = (node: ComprehensionNode): MacroShape | undefined => {
  const [condition] = argsOf(node.loopCondition, '@not_strictly_false') ?? [];
  if (condition === undefined) return undefined;
  const all = argsOf(node.loopStep, '_&&_');
  if (all !== undefined) {
    const [accumulator, predicate] = all;
    if (accumulator === undefined || predicate === undefined) return undefined;
    const fits =
      isIdent(accumulator, node.accuVar) &&
      isIdent(condition, node.accuVar) &&
      isBool(node.accuInit, true);
    return fits ? { kind: 'all', predicate } : undefined;
  }
  const [accumulator, predicate] = argsOf(node.loopStep, '_||_') ?? [];
  const [negated] = argsOf(condition, '!_') ?? [];
  if (accumulator === undefined || predicate === undefined || negated === undefined) {
    return undefined;
  }
  const fits =
    isIdent(accumulator, node.accuVar) &&
    isIdent(negated, node.accuVar) &&
    isBool(node.accuInit, false);
  return fits ? { kind: 'exists', predicate } : undefined;
};

const recognizeMap = (node: ComprehensionNode): MacroShape | undefined => {
  const { accuInit, accuVar, loopStep } = node;
  if (!isBool(node.loopCondition, true)) return undefined;
  if (accuInit.kind !== 'list' || accuInit.elements.length > 0) return undefined;
  const added = addedElement(loopStep, accuVar);
  if (added !== undefined) return { kind: 'map', filter: undefined, element: added };
  const [filter, whenTrue, whenFalse] = argsOf(loopStep, '_?_:_') ?? [];
  if (filter === undefined || whenTrue === undefined || whenFalse === undefined) return undefined;
  const element = addedElement(whenTrue, accuVar);
  if (element === undefined || !isIdent(whenFalse, accuVar)) return undefined;
  return { kind: 'map', filter, element };
};

/** Returns `x` of `@result + [x]`. */
const addedElement = (node: CelNode, accuVar: string): CelNode | undefined => {
  const [accumulator, list] = argsOf(node, '_+_') ?? [];
  if (accumulator === undefined || list?.kind !== 'list' || !isIdent(accumulator, accuVar)) {
    return undefined;
  }
  return list.elements.length === 1 && list.optionalIndices.length === 0
    ? list.elements[0]
    : undefined;
};
