/**
 * The type checker: one walk over a tree gives every node a type and every call its overloads. It
 * never stops at an error and never throws; what is missing or wrong has the type `error`, which fits
 * everywhere, so that one mistake is told once. Rules, order and texts are the reference
 * implementation's.
 *
 * The checked tree differs from the parsed one where a name was resolved: `net.IP` becomes one
 * identifier, `sets.contains(a, b)` a call without receiver.
 */
import type { CelNode, IdentNode, ParsedExpression } from '../tree/ast.ts';
import { typeText } from '../values/type-text.ts';
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
  createContext,
  undeclared,
  type Walk,
} from './check-context.ts';
import { checkSelect } from './check-select.ts';
import { checkStruct } from './check-struct.ts';
import type { CheckedExpression } from './checked-expression.ts';
import type { CelEnvironment } from './environment.ts';
import { resolveName, type Scope, withoutDot } from './resolve-name.ts';

/** The checked expression, whole or with `error` types, and what is wrong in it. */
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

/** Checks a parsed expression, whole or broken. */
export const checkExpression = (
  parsed: ParsedExpression,
  environment: CelEnvironment,
): CheckResult => {
  const errors: CheckError[] = [];
  const context = createContext(environment, errors);
  const walk = createWalk(context, parsed.errors.length === 0 ? maxDepth.good : maxDepth.broken);
  const tree = walk.check(parsed.tree, undefined);
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

const createWalk = (context: CheckContext, deepest: number): Walk => {
  let depth = 0;
  const walk: Walk = {
    context,
    check(node, scope) {
      if (depth >= deepest) {
        context.types.set(node.id, errorType);
        return node;
      }
      depth += 1;
      const before = context.types.get(node.id);
      const checked = checkKind(walk, node, scope);
      if (before !== undefined) refuseOtherType(context, node, before);
      depth -= 1;
      return checked;
    },
  };
  return walk;
};

/** Up to 1.31 a macro checks its receiver twice, which must give the very same type. */
const refuseOtherType = (context: CheckContext, node: CelNode, before: CelType): void => {
  const [known, found] = [typeText(before), typeText(context.typeOf(node))];
  if (known === found) return;
  context.report({
    message: `incompatible type already exists for expression: (${node.id}) old:${known}, new:${found}`,
    at: node.at,
    span: node.span,
  });
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
      return checkStruct(walk, node, scope);
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
