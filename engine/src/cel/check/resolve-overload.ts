/** Resolves the overloads and the result type of calls. */
import { type Span, span } from '../../source/span.ts';
import type { CallNode, CelNode } from '../tree/ast.ts';
import { formatSignature } from '../values/type-format.ts';
import {
  boolType,
  type CelType,
  dynType,
  errorType,
  isDynamic,
  isSameType,
  mapTypeParameters,
} from '../values/types.ts';
import { type CheckContext, typeMismatch } from './check-context.ts';
import type { CallableFunction, CallableOverload } from './environment.ts';

/**
 * Returns the type of a call whose arguments are already checked, and records its matching
 * overloads.
 * A call without a matching overload is reported and has the type `error`.
 */
export const resolveCall = (
  context: CheckContext,
  call: CallNode,
  callee: CallableFunction,
  target: CelNode | undefined,
): CelType => {
  if (callee.name === '_&&_' || callee.name === '_||_') return resolveLogic(context, call, callee);
  const { substitution } = context;
  const operands = target === undefined ? call.args : [target, ...call.args];
  const argTypes = operands.map(context.typeOf);
  const matching: string[] = [];
  let result: CelType | undefined;
  for (const overload of callee.overloads) {
    if (overload.declaration.member !== (target !== undefined)) continue;
    const { params, result: overloadResult } = instantiate(context, overload);
    if (!substitution.assignAll(argTypes, params)) continue;
    matching.push(overload.declaration.id);
    const resolved = substitution.resolve(overloadResult);
    if (result === undefined) result = resolved;
    else if (!isDynamic(result) && !isSameType(resolved, result)) result = dynType;
  }
  if (result === undefined || result.kind === 'unset') {
    const shown = argTypes.map((type) => substitution.resolveToDyn(type));
    context.report({
      message: `found no matching overload for '${callee.name}' applied to '${formatSignature(shown, target !== undefined)}'`,
      at: call.at,
      span: mismatchSpan(context, call),
    });
    return errorType;
  }
  context.references.set(call.id, { overloads: matching });
  return result;
};

/**
 * Returns the span of the condition if its type does not match, otherwise that of the call. The
 * filter of a macro is a condition too.
 */
const mismatchSpan = (context: CheckContext, call: CallNode): Span => {
  const condition = call.function === '_?_:_' ? call.args[0] : undefined;
  if (condition === undefined) return callSpan(call);
  const { kind } = context.substitution.resolve(context.typeOf(condition));
  return kind === 'bool' || kind === 'dyn' || kind === 'any' || kind === 'error'
    ? callSpan(call)
    : condition.span;
};

/** Returns the span of a call without its receiver, or of an operator with its operands. */
const callSpan = (call: CallNode): Span =>
  isOperator(call.function) ? call.span : span(call.functionSpan.start, call.span.end);

const isOperator = (name: string): boolean => !/^\.?[A-Za-z_][\w.]*$/.test(name) || name === '_';

/**
 * Resolves `&&` and `||`, which report each operand that is not bool; other functions report the
 * call.
 */
const resolveLogic = (context: CheckContext, call: CallNode, callee: CallableFunction): CelType => {
  let failed = false;
  for (const arg of call.args) {
    const type = context.typeOf(arg);
    if (context.substitution.assign(type, boolType)) continue;
    failed = true;
    context.report(typeMismatch(arg, boolType, type));
  }
  if (failed) return errorType;
  context.references.set(call.id, {
    overloads: callee.overloads.slice(0, 1).map(({ declaration }) => declaration.id),
  });
  return boolType;
};

const instantiate = (
  context: CheckContext,
  { declaration, typeParameters }: CallableOverload,
): { readonly params: readonly CelType[]; readonly result: CelType } => {
  if (typeParameters.length === 0) return declaration;
  const freshByName = new Map(typeParameters.map((name) => [name, context.fresh()]));
  const replace = (type: CelType): CelType =>
    type.kind === 'param' ? (freshByName.get(type.name) ?? type) : mapTypeParameters(type, replace);
  return { params: declaration.params.map(replace), result: replace(declaration.result) };
};
