/**
 * Struct literals. The authentication environments declare no type that can be made this way with
 * success at run time; the checks are the real ones.
 */
import type { CelNode, StructNode } from './ast.ts';
import type { CheckContext } from './check-context.ts';
import { candidateNames } from './resolve-name.ts';
import { typeText } from './type-text.ts';
import { type CelType, errorType, isDynamic, optionalOf, runtimeTypeName } from './types.ts';

/** Types `Name{field: value}`; `check` types the values. */
export const checkStruct = (
  context: CheckContext,
  node: StructNode,
  check: (child: CelNode) => CelNode,
): CelNode => {
  const named = candidateNames(context.environment.container, node.typeName).find(
    (name) =>
      !context.environment.variables.has(name) &&
      context.environment.identifier(name) !== undefined,
  );
  const of = named === undefined ? undefined : context.environment.identifier(named);
  if (named === undefined || of === undefined) {
    context.types.set(node.id, errorType);
    context.report({
      message: `undeclared reference to '${node.typeName}' (in container '${context.environment.container}')`,
      at: node.at,
      span: node.span,
      unknown: { kind: 'name', name: node.typeName, scope: undefined },
    });
    return node;
  }
  context.references.set(node.id, { name: named });
  const made = of.kind === 'type' && of.of !== undefined ? of.of : errorType;
  const isObject = made.kind === 'object';
  if (!isObject) {
    context.report({
      message: `'${runtimeTypeName(made)}' is not a message type`,
      at: node.at,
      span: node.span,
    });
  }
  context.types.set(node.id, isObject ? made : errorType);
  const declared = isObject ? context.environment.fieldsOf(made.name) : undefined;
  const fields = node.fields.map((field) => {
    const value = check(field.value);
    const type = declared?.get(field.name);
    if (type === undefined) {
      context.report({
        message: isObject
          ? `undefined field '${field.name}'`
          : `unexpected failed resolution of '${named}'`,
        at: field.at,
        span: value.span,
        ...(isObject
          ? { unknown: { kind: 'field' as const, name: field.name, of: made.name } }
          : {}),
      });
    }
    checkField(context, field, type ?? errorType, value);
    return value === field.value ? field : { ...field, value };
  });
  return { ...node, typeName: named, fields };
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
