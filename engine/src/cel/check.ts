/**
 * The type checker: one walk over a tree gives every node a type and every call its overloads. It
 * never stops at an error and never throws; what is missing or wrong has the type `error`, which fits
 * everywhere, so that one mistake is told once. Rules, order and texts are the reference
 * implementation's.
 *
 * The checked tree differs from the parsed one where a name was resolved: `net.IP` becomes one
 * identifier, `sets.contains(a, b)` a call without receiver.
 */
import type {
  CallNode,
  CelNode,
  ComprehensionNode,
  IdentNode,
  ListNode,
  MapNode,
  ParsedExpression,
  SelectNode,
} from './ast.ts';
import { type CheckContext, type CheckError, createContext } from './check-context.ts';
import { checkStruct } from './check-struct.ts';
import type { CheckedExpression } from './checked-expression.ts';
import type { CallableFunction, CelEnvironment } from './environment.ts';
import { enumConstants } from './message-types.ts';
import { candidateNames, resolveName, type Scope } from './resolve-name.ts';
import { resolveCall } from './resolve-overload.ts';
import { typeText } from './type-text.ts';
import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  dynType,
  errorType,
  intType,
  isDynamic,
  listOf,
  mapOf,
  nullType,
  optionalOf,
  stringType,
  uintType,
} from './types.ts';
import { moreGeneral } from './unify.ts';

export interface CheckResult {
  readonly checked: CheckedExpression;
  /** In the order in which they were found. */
  readonly errors: readonly CheckError[];
}

/**
 * Nesting that is walked into. Good text is bounded by the parser, macros and all; broken text may
 * leave a tree of any depth, of which an editor needs the top.
 */
const maxDepth = { good: 4_000, broken: 400 };

export const checkExpression = (
  parsed: ParsedExpression,
  environment: CelEnvironment,
): CheckResult => {
  const errors: CheckError[] = [];
  const context = createContext(environment, errors);
  const walk: Walk = {
    context,
    maxDepth: parsed.errors.length === 0 ? maxDepth.good : maxDepth.broken,
    depth: 0,
  };
  const tree = check(walk, parsed.tree, undefined);
  const types = new Map<number, CelType>();
  for (const [id, type] of context.types) types.set(id, context.substitution.resolveToDyn(type));
  return {
    checked: {
      parsed,
      tree,
      type: types.get(tree.id) ?? errorType,
      types,
      references: context.references,
    },
    errors,
  };
};

interface Walk {
  readonly context: CheckContext;
  readonly maxDepth: number;
  depth: number;
}

const check = (walk: Walk, node: CelNode, scope: Scope | undefined): CelNode => {
  const { context } = walk;
  if (walk.depth >= walk.maxDepth) {
    context.types.set(node.id, errorType);
    return node;
  }
  walk.depth += 1;
  const checked = checkKind(walk, node, scope);
  walk.depth -= 1;
  return checked;
};

const checkKind = (walk: Walk, node: CelNode, scope: Scope | undefined): CelNode => {
  const { context } = walk;
  switch (node.kind) {
    case 'literal':
      context.types.set(node.id, constantTypes[node.constant.kind]);
      return node;
    case 'hole':
      context.types.set(node.id, errorType);
      return node;
    case 'ident':
      return checkIdent(context, node, scope);
    case 'select':
      return checkSelect(walk, node, scope);
    case 'call':
      return checkCall(walk, node, scope);
    case 'list':
      return checkList(walk, node, scope);
    case 'map':
      return checkMap(walk, node, scope);
    case 'struct':
      return checkStruct(context, node, (child) => check(walk, child, scope));
    case 'comprehension':
      return checkComprehension(walk, node, scope);
  }
};

const constantTypes = {
  null: nullType,
  bool: boolType,
  int: intType,
  uint: uintType,
  double: doubleType,
  string: stringType,
  bytes: bytesType,
} as const;

const checkIdent = (context: CheckContext, node: IdentNode, scope: Scope | undefined): CelNode => {
  const resolved = resolveName([node.name], scope, context.environment);
  if (resolved !== undefined) {
    context.types.set(node.id, resolved.type);
    context.references.set(node.id, { name: withoutDot(resolved.name) });
    return resolved.name === node.name ? node : { ...node, name: resolved.name };
  }
  context.types.set(node.id, errorType);
  context.report({
    message: undeclared(context, node.name),
    at: node.at,
    span: node.span,
    unknown: { kind: 'name', name: node.name, scope },
  });
  return node;
};

const checkSelect = (walk: Walk, node: SelectNode, scope: Scope | undefined): CelNode => {
  const { context } = walk;
  const qualifiers = node.testOnly ? undefined : qualifiersOf(node);
  const resolved =
    qualifiers === undefined ? undefined : resolveName(qualifiers, scope, context.environment);
  if (resolved !== undefined) {
    context.types.set(node.id, resolved.type);
    context.references.set(node.id, { name: withoutDot(resolved.name) });
    return identOrConstant(node, resolved.name);
  }
  const operand = check(walk, node.operand, scope);
  const field = selectField(context, operand, node);
  context.types.set(node.id, context.substitution.resolve(node.testOnly ? boolType : field));
  return operand === node.operand ? node : { ...node, operand };
};

/** The tree keeps the dot that passes inner variables by; the reference is the name itself. */
const withoutDot = (name: string): string => (name.startsWith('.') ? name.slice(1) : name);

const identOrConstant = ({ id, span, at }: SelectNode, name: string): CelNode => {
  const constant = enumConstants.get(withoutDot(name));
  return constant === undefined
    ? { kind: 'ident', id, span, at, name }
    : { kind: 'literal', id, span, at, constant: { kind: 'int', value: constant } };
};

/** No declared name has more parts; longer ones are not compared with any. */
const maxNameParts = 16;

/** The parts of `a.b.c`; `undefined` for any other expression. */
const qualifiersOf = (node: SelectNode): readonly string[] | undefined => {
  const names = [node.field];
  let operand = node.operand;
  while (operand.kind === 'select' && !operand.testOnly) {
    if (names.length >= maxNameParts) return undefined;
    names.push(operand.field);
    operand = operand.operand;
  }
  if (operand.kind !== 'ident') return undefined;
  return [...names, operand.name].reverse();
};

/** The type of a field of an operand that is typed already. */
const selectField = (
  context: CheckContext,
  operand: CelNode,
  selection: Pick<SelectNode, 'field' | 'fieldSpan' | 'at'>,
  isOptional = false,
): CelType => {
  const operandType = context.substitution.resolve(context.typeOf(operand));
  const target = operandType.kind === 'optional' ? operandType.value : operandType;
  const field = fieldOfType(context, target, selection);
  return operandType.kind === 'optional' || isOptional ? optionalOf(field) : field;
};

const fieldOfType = (
  context: CheckContext,
  target: CelType,
  { field, fieldSpan, at }: Pick<SelectNode, 'field' | 'fieldSpan' | 'at'>,
): CelType => {
  switch (target.kind) {
    case 'map':
      return target.value;
    case 'object': {
      const fields = context.environment.fieldsOf(target.name);
      const type = fields?.get(field);
      if (type !== undefined) return type;
      if (fields === undefined) {
        // The server's own types (`kubernetes.URL`) are objects that nobody has declared fields for.
        const message = `unexpected failed resolution of '${target.name}'`;
        context.report({ message, at, span: fieldSpan });
        return errorType;
      }
      context.report({
        message: `undefined field '${field}'`,
        at,
        span: fieldSpan,
        unknown: { kind: 'field', name: field, of: target.name },
      });
      return errorType;
    }
    case 'param':
      // Bound to `dyn` now, so that nothing later can give it a type that has no such field.
      context.substitution.assign(dynType, target);
      return dynType;
    case 'dyn':
    case 'any':
    case 'error':
      return dynType;
    default:
      context.report({
        message: `type '${typeText(target)}' does not support field selection`,
        at,
        span: fieldSpan,
      });
      return dynType;
  }
};

const checkCall = (walk: Walk, node: CallNode, scope: Scope | undefined): CelNode => {
  const { context } = walk;
  if (node.function === '_?._') return checkOptionalSelect(walk, node, scope);
  const args = checkAll(walk, node.args, scope);
  const call: CallNode = args === node.args ? node : { ...node, args };
  if (node.target === undefined) return checkNamedCall(context, call);
  const qualified = qualifiedName(node.target);
  const namespaced =
    qualified === undefined
      ? undefined
      : functionNamed(context.environment, `${qualified}.${node.function}`);
  if (namespaced !== undefined) {
    context.types.set(node.id, resolveCall(context, call, namespaced, undefined));
    return { ...call, function: namespaced.name, target: undefined };
  }
  const target = check(walk, node.target, scope);
  const callee = functionNamed(context.environment, node.function);
  if (callee === undefined) {
    reportUnknownFunction(context, call, context.typeOf(target), qualified);
  } else context.types.set(node.id, resolveCall(context, call, callee, target));
  return target === node.target ? call : { ...call, target };
};

const checkNamedCall = (context: CheckContext, call: CallNode): CelNode => {
  const callee = functionNamed(context.environment, call.function);
  if (callee === undefined) {
    reportUnknownFunction(context, call, undefined, undefined);
    return call;
  }
  context.types.set(call.id, resolveCall(context, call, callee, undefined));
  return callee.name === call.function ? call : { ...call, function: callee.name };
};

const reportUnknownFunction = (
  context: CheckContext,
  call: CallNode,
  receiver: CelType | undefined,
  namespace: string | undefined,
): void => {
  context.types.set(call.id, errorType);
  if (call.function === '') return;
  context.report({
    message: undeclared(context, call.function),
    at: call.at,
    span: call.functionSpan,
    unknown: { kind: 'function', name: call.function, receiver, namespace },
  });
};

const undeclared = ({ environment }: CheckContext, name: string): string =>
  `undeclared reference to '${name}' (in container '${environment.container}')`;

const functionNamed = (environment: CelEnvironment, name: string): CallableFunction | undefined => {
  for (const candidate of candidateNames(environment.container, name)) {
    const found = environment.functions.get(candidate);
    if (found !== undefined) return found;
  }
  return undefined;
};

/** `a.b` where an expression is nothing but a name with dots. */
const qualifiedName = (node: CelNode): string | undefined => {
  if (node.kind === 'ident') return node.name;
  if (node.kind !== 'select' || node.testOnly) return undefined;
  return qualifiersOf(node)?.join('.');
};

/** `operand.?field`, which the parser writes as a call with the field's name as a constant. */
const checkOptionalSelect = (walk: Walk, node: CallNode, scope: Scope | undefined): CelNode => {
  const { context } = walk;
  const [operandNode, fieldNode] = node.args;
  if (operandNode === undefined || fieldNode === undefined) {
    context.types.set(node.id, errorType);
    return node;
  }
  const operand = check(walk, operandNode, scope);
  const isNamed = fieldNode.kind === 'literal' && fieldNode.constant.kind === 'string';
  if (!isNamed) {
    context.types.set(node.id, optionalOf(dynType));
    return { ...node, args: [operand, fieldNode] };
  }
  const selection = {
    field: fieldNode.constant.kind === 'string' ? fieldNode.constant.value : '',
    fieldSpan: fieldNode.span,
    at: node.at,
  };
  const type = selectField(context, operand, selection, true);
  context.types.set(node.id, context.substitution.resolve(type));
  context.references.set(node.id, { overloads: ['select_optional_field'] });
  return { ...node, args: [operand, fieldNode] };
};

/** A loop, not `map`: a callback would be one more frame for each level of nesting. */
const checkAll = (
  walk: Walk,
  nodes: readonly CelNode[],
  scope: Scope | undefined,
): readonly CelNode[] => {
  const checked: CelNode[] = [];
  let changed = false;
  for (const node of nodes) {
    const result = check(walk, node, scope);
    if (result !== node) changed = true;
    checked.push(result);
  }
  return changed ? checked : nodes;
};

const checkList = (walk: Walk, node: ListNode, scope: Scope | undefined): CelNode => {
  const { context } = walk;
  const optional = new Set(node.optionalIndices);
  let elementType: CelType | undefined;
  const elements = node.elements.map((element, index) => {
    const checked = check(walk, element, scope);
    const type = optional.has(index) ? unwrapOptional(context, checked) : context.typeOf(checked);
    elementType = joinTypes(context, elementType, type);
    return checked;
  });
  context.types.set(node.id, listOf(elementType ?? context.fresh()));
  return elements.every((element, index) => element === node.elements[index])
    ? node
    : { ...node, elements };
};

const checkMap = (walk: Walk, node: MapNode, scope: Scope | undefined): CelNode => {
  const { context } = walk;
  let keyType: CelType | undefined;
  let valueType: CelType | undefined;
  const entries = node.entries.map((entry) => {
    const key = check(walk, entry.key, scope);
    keyType = joinTypes(context, keyType, context.typeOf(key));
    const value = check(walk, entry.value, scope);
    const type = entry.optional ? unwrapOptional(context, value) : context.typeOf(value);
    valueType = joinTypes(context, valueType, type);
    return key === entry.key && value === entry.value ? entry : { ...entry, key, value };
  });
  const key = keyType ?? context.fresh();
  context.types.set(node.id, mapOf(key, valueType ?? context.fresh()));
  return entries.every((entry, index) => entry === node.entries[index])
    ? node
    : { ...node, entries };
};

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
  if (previous === undefined) return current;
  if (context.substitution.assign(previous, current)) return moreGeneral(previous, current);
  return dynType;
};

const reportMismatch = (
  context: CheckContext,
  node: CelNode,
  expected: CelType,
  found: CelType,
): void => {
  context.report({
    message: `expected type '${typeText(expected)}' but found '${typeText(found)}'`,
    at: node.at,
    span: node.span,
  });
};

const checkComprehension = (
  walk: Walk,
  node: ComprehensionNode,
  scope: Scope | undefined,
): CelNode => {
  const { context } = walk;
  const iterRange = check(walk, node.iterRange, scope);
  const accuInit = check(walk, node.accuInit, scope);
  const accuType = context.typeOf(accuInit);
  const accuScope: Scope = { outer: scope, variables: new Map([[node.accuVar, accuType]]) };
  const loopScope: Scope = {
    outer: accuScope,
    variables: iterationVariables(context, node, iterRange),
  };
  const loopCondition = check(walk, node.loopCondition, loopScope);
  assertType(context, loopCondition, boolType);
  const loopStep = check(walk, node.loopStep, loopScope);
  assertType(context, loopStep, accuType);
  const result = check(walk, node.result, accuScope);
  context.types.set(node.id, context.substitution.resolve(context.typeOf(result)));
  return { ...node, iterRange, accuInit, loopCondition, loopStep, result };
};

const iterationVariables = (
  context: CheckContext,
  { iterVar, iterVar2 }: ComprehensionNode,
  range: CelNode,
): ReadonlyMap<string, CelType> => {
  const rangeType = context.substitution.resolve(context.typeOf(range));
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
      return both(dynType, dynType);
    default:
      context.report({
        message: `expression of type '${typeText(rangeType)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
        at: range.at,
        span: range.span,
      });
      return both(errorType, errorType);
  }
};

const assertType = (context: CheckContext, node: CelNode, wanted: CelType): void => {
  const found = context.typeOf(node);
  if (!context.substitution.assign(wanted, found)) reportMismatch(context, node, wanted, found);
};
