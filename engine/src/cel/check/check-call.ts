/** Checks calls: of functions by name, by qualified name, or with a receiver. */
import type { CallNode, CelNode } from '../tree/ast.ts';
import { type CelType, errorType } from '../values/types.ts';
import { type CheckContext, type Checker, undeclaredMessage } from './check-context.ts';
import { checkOptionalSelect, qualifiersOf } from './check-select.ts';
import type { CallableFunction, CelEnvironment } from './environment.ts';
import { candidateNames, type Scope } from './resolve-name.ts';
import { resolveCall } from './resolve-overload.ts';

/**
 * Checks a call: first its arguments, then its receiver, which is the order of cel-go's messages.
 */
export const checkCall = (checker: Checker, node: CallNode, scope: Scope | undefined): CelNode => {
  const { context } = checker;
  if (node.function === '_?._') return checkOptionalSelect(checker, node, scope);
  const args = checkAll(checker, node.args, scope);
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
  const target = checker.check(node.target, scope);
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
    message: undeclaredMessage(context, call.function),
    at: call.at,
    span: call.functionSpan,
    unresolved: { kind: 'function', name: call.function, receiver, namespace },
  });
};

const functionNamed = (environment: CelEnvironment, name: string): CallableFunction | undefined => {
  for (const candidate of candidateNames(environment.container, name)) {
    const callable = environment.functions.get(candidate);
    if (callable !== undefined) return callable;
  }
  return undefined;
};

/** Returns the qualified name `a.b` if an expression is nothing else. */
const qualifiedName = (node: CelNode): string | undefined => {
  if (node.kind === 'ident') return node.name;
  if (node.kind !== 'select' || node.testOnly) return undefined;
  return qualifiersOf(node)?.join('.');
};

/**
 * Checks nodes in a loop instead of `map`, whose callback would use another stack frame per level.
 */
const checkAll = (
  checker: Checker,
  nodes: readonly CelNode[],
  scope: Scope | undefined,
): readonly CelNode[] => {
  const checked: CelNode[] = [];
  let changed = false;
  for (const node of nodes) {
    const result = checker.check(node, scope);
    if (result !== node) changed = true;
    checked.push(result);
  }
  return changed ? checked : nodes;
};
