/**
 * The tree as it was written: macros as calls, not as what they expand to. For everything that shows,
 * finds or changes text.
 */
import type { CallNode, CelNode, IdentNode, ParsedExpression } from './ast.ts';
import { childNodes } from './child-nodes.ts';

/** A variable that a macro binds, in the order in which a walk meets them. */
export interface MacroVariable {
  readonly name: string;
  readonly declaration: IdentNode;
  readonly macro: CallNode;
  /** It is the index or the key of a pair, not what stands there. */
  readonly isKey: boolean;
}

/** The variables that can be read at a place, innermost first. */
export interface MacroScope {
  readonly variable: MacroVariable;
  readonly outer: MacroScope | undefined;
}

/** A node as a walk meets it. */
export interface SourceNode {
  readonly node: CelNode;
  readonly scope: MacroScope | undefined;
  readonly parent: SourceNode | undefined;
  /** Set where the node is no expression but the name of a new variable. */
  readonly declaredVariable: MacroVariable | undefined;
  /** The node is a call of a macro. */
  readonly isMacro: boolean;
  /** Id in the expanded tree: of a macro, that of its expansion. */
  readonly expandedId: number;
}

/** Every written node, parents first, in the order of the text. Needs no stack. */
export const sourceNodes = (parsed: ParsedExpression): readonly SourceNode[] => {
  const callById = new Map(parsed.macroCalls.map(({ id, call }) => [id, call]));
  const nodes: SourceNode[] = [];
  const pending: PendingNode[] = [
    { node: parsed.tree, scope: undefined, parent: undefined, declaredVariable: undefined },
  ];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const call = callById.get(next.node.id);
    const step: SourceNode = {
      ...next,
      node: call ?? next.node,
      isMacro: call !== undefined,
      expandedId: next.node.id,
    };
    nodes.push(step);
    for (const child of childrenOf(step).toReversed()) pending.push(child);
  }
  return nodes;
};

/** The variable that a name means here; `undefined` for a name of the environment. */
export const macroVariableOf = (step: SourceNode): MacroVariable | undefined => {
  if (step.declaredVariable !== undefined) return step.declaredVariable;
  if (step.node.kind !== 'ident') return undefined;
  for (let scope = step.scope; scope !== undefined; scope = scope.outer) {
    if (scope.variable.name === step.node.name) return scope.variable;
  }
  return undefined;
};

type PendingNode = Omit<SourceNode, 'isMacro' | 'expandedId'>;

const childrenOf = (step: SourceNode): readonly PendingNode[] => {
  const { node, scope } = step;
  const inSameScope = (child: CelNode) => ({
    node: child,
    scope,
    parent: step,
    declaredVariable: undefined,
  });
  const shape = step.isMacro && node.kind === 'call' ? macroShape(node) : undefined;
  if (node.kind !== 'call' || shape === undefined) return childNodes(node).map(inSameScope);
  const { variableCount, unscopedCount } = shape;
  const variables = node.args
    .slice(0, variableCount)
    .flatMap((arg, position) =>
      arg.kind === 'ident'
        ? [
            {
              name: arg.name,
              declaration: arg,
              macro: node,
              isKey: variableCount === 2 && position === 0,
            },
          ]
        : [],
    );
  const innerScope = variables.reduce<MacroScope | undefined>(
    (outer, variable) => ({ variable, outer }),
    scope,
  );
  const args = node.args.map((arg, index) => {
    const declaredVariable = variables.find(({ declaration }) => declaration === arg);
    return declaredVariable !== undefined || index < variableCount + unscopedCount
      ? { ...inSameScope(arg), declaredVariable }
      : { ...inSameScope(arg), scope: innerScope };
  });
  return node.target === undefined ? args : [inSameScope(node.target), ...args];
};

/** How many of the first arguments name new variables, and how many behind them do not see them. */
interface MacroShape {
  readonly variableCount: number;
  readonly unscopedCount: number;
}

const macroShape = ({ function: name, args }: CallNode): MacroShape | undefined => {
  if (name === 'bind') return { variableCount: 1, unscopedCount: 1 };
  if (oneOrTwoVariableMacros.has(name) && args.length === 3)
    return { variableCount: 2, unscopedCount: 0 };
  if (twoVariableMacros.has(name)) return { variableCount: 2, unscopedCount: 0 };
  return oneVariableMacros.has(name) ? { variableCount: 1, unscopedCount: 0 } : undefined;
};

const oneVariableMacros: ReadonlySet<string> = new Set(
  'all exists exists_one map filter optMap optFlatMap sortBy'.split(' '),
);
/** One variable with two arguments, two with three. */
const oneOrTwoVariableMacros: ReadonlySet<string> = new Set([
  'all',
  'exists',
  'exists_one',
  'existsOne',
]);
const twoVariableMacros: ReadonlySet<string> = new Set([
  'transformList',
  'transformMap',
  'transformMapEntry',
]);
