/** Checks selections: declared qualified names, and fields of an operand. */
import type { CallNode, CelNode, SelectNode } from '../tree/ast.ts';
import { enumConstants } from '../values/message-types.ts';
import { formatCelType } from '../values/type-format.ts';
import { boolType, type CelType, dynType, errorType, optionalOf } from '../values/types.ts';
import type { CheckContext, Checker } from './check-context.ts';
import { resolveName, type Scope, withoutDot } from './resolve-name.ts';

/** Checks `a.b` and `has(a.b)`. */
export const checkSelect = (
  checker: Checker,
  node: SelectNode,
  scope: Scope | undefined,
): CelNode => {
  const { context } = checker;
  const qualifiers = node.testOnly ? undefined : qualifiersOf(node);
  const resolved =
    qualifiers === undefined ? undefined : resolveName(qualifiers, scope, context.environment);
  if (resolved !== undefined) {
    context.types.set(node.id, resolved.type);
    context.references.set(node.id, { name: withoutDot(resolved.name) });
    return identOrConstant(node, resolved.name);
  }
  const operand = checker.check(node.operand, scope);
  const field = selectField(context, operand, node);
  context.types.set(node.id, context.substitution.resolve(node.testOnly ? boolType : field));
  return operand === node.operand ? node : { ...node, operand };
};

/** Checks `operand.?field`, which is a call with the field name as a string literal. */
export const checkOptionalSelect = (
  checker: Checker,
  node: CallNode,
  scope: Scope | undefined,
): CelNode => {
  const { context } = checker;
  const [operandNode, fieldNode] = node.args;
  if (operandNode === undefined || fieldNode === undefined) {
    context.types.set(node.id, errorType);
    return node;
  }
  const operand = checker.check(operandNode, scope);
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

const identOrConstant = ({ id, span, at }: SelectNode, name: string): CelNode => {
  const constant = enumConstants.get(withoutDot(name));
  return constant === undefined
    ? { kind: 'ident', id, span, at, name }
    : { kind: 'literal', id, span, at, constant: { kind: 'int', value: constant } };
};

/** Maximum number of parts of a qualified name that is looked up; no declared name has more. */
const maxNameParts = 16;

/** Returns the parts of the qualified name `a.b.c`; `undefined` for any other expression. */
export const qualifiersOf = (node: SelectNode): readonly string[] | undefined => {
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

/** Returns the type of a field of an operand that is already checked. */
const selectField = (
  context: CheckContext,
  operand: CelNode,
  selection: Pick<SelectNode, 'field' | 'fieldSpan' | 'at'>,
  isOptional = false,
): CelType => {
  const operandType = context.substitution.resolve(context.typeOf(operand));
  const target = operandType.kind === 'optional' ? operandType.value : operandType;
  const field = fieldTypeOf(context, target, selection);
  return operandType.kind === 'optional' || isOptional ? optionalOf(field) : field;
};

const fieldTypeOf = (
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
        // Kubernetes' own types (`kubernetes.URL`) are object types without declared fields.
        const message = `unexpected failed resolution of '${target.name}'`;
        context.report({ message, at, span: fieldSpan });
        return errorType;
      }
      context.report({
        message: `undefined field '${field}'`,
        at,
        span: fieldSpan,
        unresolved: { kind: 'field', name: field, of: target.name },
      });
      return errorType;
    }
    case 'param':
      // The type parameter is bound to `dyn`, so it cannot get a type without this field later.
      context.substitution.assign(dynType, target);
      return dynType;
    case 'dyn':
    case 'any':
    case 'error':
      return dynType;
    default:
      context.report({
        message: `type '${formatCelType(target)}' does not support field selection`,
        at,
        span: fieldSpan,
      });
      return dynType;
  }
};
