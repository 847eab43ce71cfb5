/** Lists, maps and comprehensions: nodes whose type is made of the types of their parts. */
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
import type { CheckContext, Checker } from './check-context.ts';
import type { Scope } from './resolve-name.ts';

/** A list; elements of different types make it a list of `dyn`. */
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

/** A map, in the same way by key and by value. */
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
  // A map whose keys have no type has values of a free type too.
  const value = key === keyType ? valueType : undefined;
  context.types.set(node.id, mapOf(key, value ?? context.fresh()));
  return entries.every((entry, index) => entry === node.entries[index])
    ? node
    : { ...node, entries };
};

/** The type that all elements have, or a free one. */
const setOrFresh = (context: CheckContext, type: CelType | undefined): CelType =>
  type === undefined || type.kind === 'unset' ? context.fresh() : type;

/** What `?value` puts into a list, map or object. */
const unwrapOptional = (context: CheckContext, node: CelNode): CelType => {
  const type = context.typeOf(node);
  if (type.kind === 'optional') return type.value;
  if (!isDynamic(type)) reportMismatch(context, node, optionalOf(type), type);
  return type;
};

/** Parts of different types make a list or map of `dyn`; whether that may be is another check's. */
const joinTypes = (
  context: CheckContext,
  previous: CelType | undefined,
  current: CelType,
): CelType => {
  if (previous === undefined || previous.kind === 'unset') return current;
  if (context.substitution.assign(previous, current)) return mostGeneral(previous, current);
  return dynType;
};

const reportMismatch = (
  context: CheckContext,
  node: CelNode,
  expected: CelType,
  found: CelType,
): void => {
  context.report({
    message: `expected type '${formatCelType(expected)}' but found '${formatCelType(found)}'`,
    at: node.at,
    span: node.span,
  });
};

/** What a macro expands to: its variables get their types from the range. */
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

/** First release in which the second variable of a macro over a range of unknown type has a type. */
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
  const found = context.typeOf(node);
  if (!context.substitution.assign(expected, found)) reportMismatch(context, node, expected, found);
};
