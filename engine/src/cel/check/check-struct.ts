/** Checks struct literals, such as `google.protobuf.Int64Value{value: 1}`. */
import type { Release } from '../../model/release.ts';
import type { CelNode, StructNode } from '../tree/ast.ts';
import { messageNameOfType } from '../values/message-types.ts';
import { formatCelType } from '../values/type-format.ts';
import { anyType, type CelType, errorType, runtimeTypeName } from '../values/types.ts';
import { unwrapOptional } from './check-aggregate.ts';
import { type CheckContext, type Checker, undeclaredMessage } from './check-context.ts';
import { candidateNames, type ResolvedName, resolveName, type Scope } from './resolve-name.ts';

/** Checks a struct literal: its type, its fields and their values. */
export const checkStruct = (
  { context, check }: Checker,
  node: StructNode,
  scope: Scope | undefined,
): CelNode => {
  const resolved = resolveStructName(context, node, scope);
  if (resolved === undefined) {
    context.types.set(node.id, errorType);
    context.report({
      message: undeclaredMessage(context, node.typeName),
      at: node.at,
      span: node.span,
      unresolved: { kind: 'name', name: node.typeName, scope: undefined },
    });
    return node;
  }
  const { name, type } = resolved;
  context.references.set(node.id, { name });
  const instanceType = type.kind === 'type' && type.of !== undefined ? type.of : errorType;
  const message =
    instanceType.kind === 'object' ? instanceType.name : messageNameOfType(instanceType);
  if (message === undefined && type.kind !== 'error') {
    const text =
      type.kind === 'type'
        ? `'${runtimeTypeName(instanceType)}' is not a message type`
        : `'${runtimeTypeName(type)}' is not a type`;
    context.report({ message: text, at: node.at, span: node.span });
  }
  context.types.set(node.id, message === undefined ? errorType : instanceType);
  const fields = node.fields.map((field) => {
    const value = check(field.value, scope);
    const expected = fieldType(context, message ?? name, field, value);
    checkField(context, field, expected, value);
    return value === field.value ? field : { ...field, value };
  });
  return { ...node, typeName: name, fields };
};

/**
 * First release that only looks up types for a struct literal; earlier ones also find variables.
 */
const findsOnlyTypesSince: Release = 37;

const resolveStructName = (
  { environment }: CheckContext,
  { typeName }: StructNode,
  scope: Scope | undefined,
): ResolvedName | undefined => {
  if (environment.release < findsOnlyTypesSince) return resolveName([typeName], scope, environment);
  for (const name of candidateNames(environment.container, typeName)) {
    const type = environment.typeNamed(name);
    if (type !== undefined) return { name, type };
  }
  return undefined;
};

/** Types without fields that cel-go looks up fields in, instead of failing to resolve them. */
const typesWithoutFields: ReadonlySet<string> = new Set([
  'bool',
  'bytes',
  'double',
  'duration',
  'int',
  'list',
  'null_type',
  'string',
  'timestamp',
  'uint',
]);

const fieldType = (
  context: CheckContext,
  message: string,
  field: StructNode['fields'][number],
  value: CelNode,
): CelType => {
  if (message === 'map') return anyType;
  const fields = context.environment.fieldsOf(message);
  const type = fields?.get(field.name);
  if (type !== undefined) return type;
  const isKnown = fields !== undefined || typesWithoutFields.has(message);
  context.report({
    message: isKnown
      ? `undefined field '${field.name}'`
      : `unexpected failed resolution of '${message}'`,
    at: field.at,
    span: value.span,
  });
  return errorType;
};

const checkField = (
  context: CheckContext,
  field: StructNode['fields'][number],
  expected: CelType,
  value: CelNode,
): void => {
  const provided = field.optional ? unwrapOptional(context, value) : context.typeOf(value);
  if (context.substitution.assign(expected, provided)) return;
  context.report({
    message: `expected type of field '${field.name}' is '${formatCelType(expected)}' but provided type is '${formatCelType(provided)}'`,
    at: field.at,
    span: value.span,
  });
};
