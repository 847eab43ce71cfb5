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
export interface WrittenScope {
  readonly variable: MacroVariable;
  readonly outer: WrittenScope | undefined;
}

/** A node as a walk meets it. */
export interface WrittenStep {
  readonly node: CelNode;
  readonly scope: WrittenScope | undefined;
  readonly parent: WrittenStep | undefined;
  /** Set where the node is no expression but the name of a new variable. */
  readonly declares: MacroVariable | undefined;
  /** The node is a call of a macro. */
  readonly isMacro: boolean;
  /** Id in the expanded tree: of a macro, that of its expansion. */
  readonly treeId: number;
}

/** Every written node, parents first, in the order of the text. Needs no stack. */
export const writtenSteps = (parsed: ParsedExpression): readonly WrittenStep[] => {
  const callById = new Map(parsed.macroCalls.map(({ id, call }) => [id, call]));
  const steps: WrittenStep[] = [];
  const waiting: WaitingStep[] = [
    { node: parsed.tree, scope: undefined, parent: undefined, declares: undefined },
  ];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const call = callById.get(next.node.id);
    const step: WrittenStep = {
      ...next,
      node: call ?? next.node,
      isMacro: call !== undefined,
      treeId: next.node.id,
    };
    steps.push(step);
    for (const child of childrenOf(step).toReversed()) waiting.push(child);
  }
  return steps;
};

/** The variable that a name means here; `undefined` for a name of the environment. */
export const variableOf = (step: WrittenStep): MacroVariable | undefined => {
  if (step.declares !== undefined) return step.declares;
  if (step.node.kind !== 'ident') return undefined;
  for (let scope = step.scope; scope !== undefined; scope = scope.outer) {
    if (scope.variable.name === step.node.name) return scope.variable;
  }
  return undefined;
};

type WaitingStep = Omit<WrittenStep, 'isMacro' | 'treeId'>;

const childrenOf = (step: WrittenStep): readonly WaitingStep[] => {
  const { node, scope } = step;
  const plain = (child: CelNode) => ({ node: child, scope, parent: step, declares: undefined });
  const shape = step.isMacro && node.kind === 'call' ? shapeOf(node) : undefined;
  if (node.kind !== 'call' || shape === undefined) return childNodes(node).map(plain);
  const { count, unscoped } = shape;
  const variables = node.args
    .slice(0, count)
    .flatMap((arg, position) =>
      arg.kind === 'ident'
        ? [{ name: arg.name, declaration: arg, macro: node, isKey: count === 2 && position === 0 }]
        : [],
    );
  const inner = variables.reduce<WrittenScope | undefined>(
    (outer, variable) => ({ variable, outer }),
    scope,
  );
  const args = node.args.map((arg, index) => {
    const declares = variables.find(({ declaration }) => declaration === arg);
    return declares !== undefined || index < count + unscoped
      ? { ...plain(arg), declares }
      : { ...plain(arg), scope: inner };
  });
  return node.target === undefined ? args : [plain(node.target), ...args];
};

/** How many of the first arguments name new variables, and how many behind them do not see them. */
interface MacroShape {
  readonly count: number;
  readonly unscoped: number;
}

const shapeOf = ({ function: name, args }: CallNode): MacroShape | undefined => {
  if (name === 'bind') return { count: 1, unscoped: 1 };
  if (pairs.has(name) && args.length === 3) return { count: 2, unscoped: 0 };
  if (alwaysPairs.has(name)) return { count: 2, unscoped: 0 };
  return singles.has(name) ? { count: 1, unscoped: 0 } : undefined;
};

const singles: ReadonlySet<string> = new Set(
  'all exists exists_one map filter optMap optFlatMap sortBy'.split(' '),
);
/** One variable with two arguments, two with three. */
const pairs: ReadonlySet<string> = new Set(['all', 'exists', 'exists_one', 'existsOne']);
const alwaysPairs: ReadonlySet<string> = new Set([
  'transformList',
  'transformMap',
  'transformMapEntry',
]);
