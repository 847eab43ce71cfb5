/** Struct literals, `google.protobuf.Int64Value{value: 1}`: which type, which fields. */
import type { CelNode, StructNode } from './ast.ts';
import { type CheckContext, undeclared } from './check-context.ts';
import { messageOfType } from './message-types.ts';
import { candidateNames } from './resolve-name.ts';
import { typeText } from './type-text.ts';
import {
  anyType,
  type CelType,
  errorType,
  isDynamic,
  optionalOf,
  runtimeTypeName,
} from './types.ts';

/** Types `Name{field: value}`; `check` types the values. */
export const checkStruct = (
  context: CheckContext,
  node: StructNode,
  check: (child: CelNode) => CelNode,
): CelNode => {
  const { environment } = context;
  const named = candidateNames(environment.container, node.typeName).find(
    (name) => environment.typeNamed(name) !== undefined,
  );
  const of = named === undefined ? undefined : environment.typeNamed(named);
  if (named === undefined || of === undefined) {
    context.types.set(node.id, errorType);
    context.report({
      message: undeclared(context, node.typeName),
      at: node.at,
      span: node.span,
      unknown: { kind: 'name', name: node.typeName, scope: undefined },
    });
    return node;
  }
  context.references.set(node.id, { name: named });
  const made = of.kind === 'type' && of.of !== undefined ? of.of : errorType;
  const message = made.kind === 'object' ? made.name : messageOfType(made);
  if (message === undefined) {
    const text = `'${runtimeTypeName(made)}' is not a message type`;
    context.report({ message: text, at: node.at, span: node.span });
  }
  context.types.set(node.id, message === undefined ? errorType : made);
  const fields = node.fields.map((field) => {
    const value = check(field.value);
    const wanted = fieldType(context, message ?? named, field, value);
    checkField(context, field, wanted, value);
    return value === field.value ? field : { ...field, value };
  });
  return { ...node, typeName: named, fields };
};

/** Types that the real server finds fields of, though they have none. */
const fieldless: ReadonlySet<string> = new Set([
  'bool',
  'bytes',
  'double',
  'int',
  'list',
  'null_type',
  'string',
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
  const isKnown = fields !== undefined || fieldless.has(message);
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
  wanted: CelType,
  value: CelNode,
): void => {
  let found = context.typeOf(value);
  if (field.optional) {
    if (found.kind === 'optional') found = found.value;
    else if (!isDynamic(found)) {
      context.report({
        message: `expected type '${typeText(optionalOf(found))}' but found '${typeText(found)}'`,
        at: value.at,
        span: value.span,
      });
    }
  }
  if (context.substitution.assign(wanted, found)) return;
  context.report({
    message: `expected type of field '${field.name}' is '${typeText(wanted)}' but provided type is '${typeText(found)}'`,
    at: field.at,
    span: value.span,
  });
};
