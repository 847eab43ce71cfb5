/**
 * The type checker, which assigns a type to every node and overloads to every call. It never stops
 * at
 * an error and never throws: missing and invalid parts have the type `error`, which is assignable
 * to
 * every type, so a mistake is reported only once. The rules, messages and their order are those of
 * cel-go.
 *
 * The checked tree differs from the parsed one in resolved names: `net.IP` becomes an identifier,
 * `sets.contains(a, b)` a call without a receiver.
 */
import type { CelNode, IdentNode, ParsedExpression } from '../tree/ast.ts';
import { formatCelType } from '../values/type-format.ts';
import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  errorType,
  intType,
  nullType,
  stringType,
  uintType,
} from '../values/types.ts';
import { checkComprehension, checkList, checkMap } from './check-aggregate.ts';
import { checkCall } from './check-call.ts';
import {
  type CheckContext,
  type CheckError,
  type Checker,
  createContext,
  undeclaredMessage,
} from './check-context.ts';
import { checkSelect } from './check-select.ts';
import { checkStruct } from './check-struct.ts';
import type { CheckedExpression } from './checked-expression.ts';
import type { CelEnvironment } from './environment.ts';
import { resolveName, type Scope, withoutDot } from './resolve-name.ts';

/** The checked expression, with `error` types for invalid parts, and its type errors. */
export interface CheckResult {
  readonly checked: CheckedExpression;
  /** Type errors in cel-go's order. */
  readonly errors: readonly CheckError[];
}

/**
 * Maximum depth that is checked. The parser limits valid expressions, including their macros; the
 * tree of an invalid expression may be deeper, and editors only need its upper levels.
 */
const maxDepth = { good: 4_000, broken: 400 };

/** Checks a parsed expression, which may have syntax errors. */
export const checkExpression = (
  parsed: ParsedExpression,
  environment: CelEnvironment,
): CheckResult => {
  const errors: CheckError[] = [];
  const context = createContext(environment, errors);
  const checker = createChecker(
    context,
    parsed.errors.length === 0 ? maxDepth.good : maxDepth.broken,
  );
  const tree = checker.check(parsed.tree, undefined);
  const types = new Map<number, CelType>();
  for (const [id, type] of context.types) types.set(id, context.substitution.resolveToDyn(type));
  return {
    checked: {
      parsed,
      tree,
      type: types.get(tree.id) ?? errorType,
      types,
      references: context.references,
      release: environment.release,
    },
    errors,
  };
};

const createChecker = (context: CheckContext, depthLimit: number): Checker => {
  let depth = 0;
  const checker: Checker = {
    context,
    check(node, scope) {
      if (depth >= depthLimit) {
        context.types.set(node.id, errorType);
        return node;
      }
      depth += 1;
      const previousType = context.types.get(node.id);
      const checked = checkNode(checker, node, scope);
      if (previousType !== undefined) reportTypeConflict(context, node, previousType);
      depth -= 1;
      return checked;
    },
  };
  return checker;
};

/**
 * Reports a node that is checked twice with different types. Up to 1.31 macros share their
 * receiver.
 */
const reportTypeConflict = (context: CheckContext, node: CelNode, previousType: CelType): void => {
  const [oldType, newType] = [formatCelType(previousType), formatCelType(context.typeOf(node))];
  if (oldType === newType) return;
  context.report({
    message: `incompatible type already exists for expression: (${node.id}) old:${oldType}, new:${newType}`,
    at: node.at,
    span: node.span,
  });
};

const checkNode = (checker: Checker, node: CelNode, scope: Scope | undefined): CelNode => {
  const { context } = checker;
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
      return checkSelect(checker, node, scope);
    case 'call':
      return checkCall(checker, node, scope);
    case 'list':
      return checkList(checker, node, scope);
    case 'map':
      return checkMap(checker, node, scope);
    case 'struct':
      return checkStruct(checker, node, scope);
    case 'comprehension':
      return checkComprehension(checker, node, scope);
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
    message: undeclaredMessage(context, node.name),
    at: node.at,
    span: node.span,
    unresolved: { kind: 'name', name: node.name, scope },
  });
  return node;
};
