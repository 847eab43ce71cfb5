/** Checks lists, maps and comprehensions, whose types depend on the types of their parts. */
import type { Release } from '../../model/release.ts';
import type { CelNode, ComprehensionNode, ListNode, MapNode } from '../tree/ast.ts';
import { formatCelType } from '../values/type-format.ts';
import {
  boolType,
  type CelType,
  dynType,
  errorType,
  intType,
  isDynamic,
  listOf,
  mapOf,
  optionalOf,
  unsetType,
} from '../values/types.ts';
import { mostGeneral } from '../values/unify.ts';
import { type CheckContext, type Checker, typeMismatch } from './check-context.ts';
import type { Scope } from './resolve-name.ts';

/** Checks a list. Elements of different types make it a list of `dyn`. */
export const checkList = (checker: Checker, node: ListNode, scope: Scope | undefined): CelNode => {
  const { context } = checker;
  const optional = new Set(node.optionalIndices);
  let elementType: CelType | undefined;
  const elements = node.elements.map((element, index) => {
    const checked = checker.check(element, scope);
    const type = optional.has(index) ? unwrapOptional(context, checked) : context.typeOf(checked);
    elementType = joinTypes(context, elementType, type);
    return checked;
  });
  context.types.set(node.id, listOf(setOrFresh(context, elementType)));
  return elements.every((element, index) => element === node.elements[index])
    ? node
    : { ...node, elements };
};

/** Checks a map. Keys or values of different types become `dyn`. */
export const checkMap = (checker: Checker, node: MapNode, scope: Scope | undefined): CelNode => {
  const { context } = checker;
  let keyType: CelType | undefined;
  let valueType: CelType | undefined;
  const entries = node.entries.map((entry) => {
    const key = checker.check(entry.key, scope);
    keyType = joinTypes(context, keyType, context.typeOf(key));
    const value = checker.check(entry.value, scope);
    const type = entry.optional ? unwrapOptional(context, value) : context.typeOf(value);
    valueType = joinTypes(context, valueType, type);
    return key === entry.key && value === entry.value ? entry : { ...entry, key, value };
  });
  const key = setOrFresh(context, keyType);
  // If the keys have no type, the values get a fresh type parameter too.
  const value = key === keyType ? valueType : undefined;
  context.types.set(node.id, mapOf(key, value ?? context.fresh()));
  return entries.every((entry, index) => entry === node.entries[index])
    ? node
    : { ...node, entries };
};

/** Returns the joined type, or a fresh type parameter if there is none. */
const setOrFresh = (context: CheckContext, type: CelType | undefined): CelType =>
  type === undefined || type.kind === 'unset' ? context.fresh() : type;

/** Returns the type that `?value` adds to a list, map or struct. */
export const unwrapOptional = (context: CheckContext, node: CelNode): CelType => {
  const type = context.typeOf(node);
  if (type.kind === 'optional') return type.value;
  if (!isDynamic(type)) context.report(typeMismatch(node, optionalOf(type), type));
  return type;
};

/**
 * Joins two types; different ones become `dyn`. `validateLiterals` decides whether that is allowed.
 */
const joinTypes = (
  context: CheckContext,
  previous: CelType | undefined,
  current: CelType,
): CelType => {
  if (previous === undefined || previous.kind === 'unset') return current;
  if (context.substitution.assign(previous, current)) return mostGeneral(previous, current);
  return dynType;
};

/** Checks the expansion of a macro, whose variables get their types from the range. */
export const checkComprehension = (
  checker: Checker,
  node: ComprehensionNode,
  scope: Scope | undefined,
): CelNode => {
  const { context } = checker;
  const iterRange = checker.check(node.iterRange, scope);
  const accuInit = checker.check(node.accuInit, scope);
  const accuType = context.typeOf(accuInit);
  const accuScope: Scope = { outer: scope, variables: new Map([[node.accuVar, accuType]]) };
  const loopScope: Scope = {
    outer: accuScope,
    variables: iterationVariables(context, node, iterRange),
  };
  const loopCondition = checker.check(node.loopCondition, loopScope);
  assertType(context, loopCondition, boolType);
  const loopStep = checker.check(node.loopStep, loopScope);
  assertType(context, loopStep, accuType);
  const result = checker.check(node.result, accuScope);
  context.types.set(node.id, context.substitution.resolve(context.typeOf(result)));
  return { ...node, iterRange, accuInit, loopCondition, loopStep, result };
};

/**
 * First release in which the second variable of a macro over a range of unknown type has a type.
 */
const typesSecondVariableSince: Release = 33;

const iterationVariables = (
  context: CheckContext,
  { iterVar, iterVar2 }: ComprehensionNode,
  range: CelNode,
): ReadonlyMap<string, CelType> => {
  const rangeType = context.substitution.resolve(context.typeOf(range));
  const typesSecondVariable = context.environment.release >= typesSecondVariableSince;
  const both = (first: CelType, second: CelType): ReadonlyMap<string, CelType> =>
    new Map(
      iterVar2 === undefined
        ? [[iterVar, first]]
        : [
            [iterVar, first],
            [iterVar2, second],
          ],
    );
  switch (rangeType.kind) {
    case 'list':
      return iterVar2 === undefined
        ? both(rangeType.element, rangeType.element)
        : both(intType, rangeType.element);
    case 'map':
      return both(rangeType.key, rangeType.value);
    case 'dyn':
    case 'error':
    case 'param':
      context.substitution.assign(dynType, rangeType);
      return both(dynType, typesSecondVariable ? dynType : unsetType);
    default:
      context.report({
        message: `expression of type '${formatCelType(rangeType)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
        at: range.at,
        span: range.span,
        ...(rangeType.kind === 'any' ? { needsDyn: true } : {}),
      });
      return both(errorType, typesSecondVariable ? errorType : unsetType);
  }
};

const assertType = (context: CheckContext, node: CelNode, expected: CelType): void => {
  const actual = context.typeOf(node);
  if (!context.substitution.assign(expected, actual)) {
    context.report(typeMismatch(node, expected, actual));
  }
};
