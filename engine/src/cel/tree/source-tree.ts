/**
 * The tree of an expression as written in the source, with macro calls instead of their expansions.
 * Everything that displays, finds or edits source text uses it.
 */
import type { CallNode, CelNode, IdentNode, ParsedExpression } from './ast.ts';
import { bindingMacros } from './binding-macros.ts';
import { childNodes } from './child-nodes.ts';

/** A variable that a macro declares. */
export interface MacroVariable {
  readonly name: string;
  readonly declaration: IdentNode;
  readonly macro: CallNode;
  /** True for the first of two variables, which holds the index or key and not the value. */
  readonly isKey: boolean;
}

/** The macro variables in scope, innermost first. */
export interface MacroScope {
  readonly variable: MacroVariable;
  readonly outer: MacroScope | undefined;
}

/** A node of the source tree with its parent and scope. */
export interface SourceNode {
  readonly node: CelNode;
  readonly scope: MacroScope | undefined;
  readonly parent: SourceNode | undefined;
  /** The variable that the node declares, if the node is the name of a new macro variable. */
  readonly declaredVariable: MacroVariable | undefined;
  /** True for a macro call. */
  readonly isMacro: boolean;
  /** Id in the expanded tree; for a macro call, the id of its expansion. */
  readonly expandedId: number;
}

/**
 * Lists all nodes of the source tree in source order, parents first. It is iterative, so deep trees
 * are safe.
 */
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

/** Returns the macro variable that a name refers to; `undefined` for names of the environment. */
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
  const variableCount = step.isMacro && node.kind === 'call' ? variableCountOf(node) : 0;
  if (node.kind !== 'call' || variableCount === 0) return childNodes(node).map(inSameScope);
  const variables = node.args.slice(0, variableCount).flatMap((arg, position) =>
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
    return declaredVariable !== undefined || index < variableCount
      ? { ...inSameScope(arg), declaredVariable }
      : { ...inSameScope(arg), scope: innerScope };
  });
  return node.target === undefined ? args : [inSameScope(node.target), ...args];
};

/** Returns how many leading arguments of a macro call declare variables. */
const variableCountOf = ({ function: name, args }: CallNode): number => {
  const count = bindingMacros.get(name);
  if (count === undefined) return 0;
  return count === 'two' || (count === 'either' && args.length === 3) ? 2 : 1;
};
