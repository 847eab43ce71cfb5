/** Finds the declarations and reads of macro variables, with the scoping rules of the checker. */
import type { Span } from '../../source/span.ts';
import type { CheckedExpression } from '../check/checked-expression.ts';
import type { CelNode } from '../tree/ast.ts';
import { childNodes } from '../tree/child-nodes.ts';
import {
  type MacroVariable,
  macroVariableOf,
  type SourceNode,
  sourceNodes,
} from '../tree/source-tree.ts';

/** The declaration and reads of a macro variable. */
export interface VariableUses {
  readonly name: string;
  /** The name of the macro: `filter`, `transformMap`. */
  readonly macro: string;
  /** Span of the macro call. */
  readonly scope: Span;
  readonly declaration: Span;
  /** Spans of all reads, in source order. */
  readonly reads: readonly Span[];
}

/**
 * Returns the macro variables in the order of their declarations. It also finds those of invalid
 * expressions as far as they could be parsed.
 */
export const variableUses = (checked: CheckedExpression): readonly VariableUses[] => {
  const readsByVariable = new Map<MacroVariable, Span[]>();
  for (const sourceNode of sourceNodes(checked.parsed)) {
    if (sourceNode.declaredVariable !== undefined)
      readsByVariable.set(sourceNode.declaredVariable, []);
    else {
      const variable = readVariable(sourceNode, checked);
      if (variable !== undefined) readsByVariable.get(variable)?.push(sourceNode.node.span);
    }
  }
  return [...readsByVariable].map(([{ name, declaration, macro }, reads]) => ({
    name,
    macro: macro.function,
    scope: macro.span,
    declaration: declaration.span,
    reads,
  }));
};

/** Returns the spans of the declaration and all reads of a variable. */
export const variableSpans = ({ declaration, reads }: VariableUses): readonly Span[] => [
  declaration,
  ...reads,
];

/**
 * Returns the meaning of each name in source order: the number of a macro variable, or the name
 * itself.
 * Expressions that only differ in the names of macro variables have equal lists.
 */
export const nameMeanings = (checked: CheckedExpression): readonly (number | string)[] => {
  const numbers = new Map<MacroVariable, number>();
  return sourceNodes(checked.parsed).flatMap((sourceNode) => {
    if (sourceNode.declaredVariable !== undefined)
      numbers.set(sourceNode.declaredVariable, numbers.size);
    if (sourceNode.node.kind !== 'ident') return [];
    const variable = sourceNode.declaredVariable ?? readVariable(sourceNode, checked);
    return [(variable && numbers.get(variable)) ?? sourceNode.node.name];
  });
};

const readVariable = (
  sourceNode: SourceNode,
  checked: CheckedExpression,
): MacroVariable | undefined => {
  const variable = macroVariableOf(sourceNode);
  return variable !== undefined && isNamespace(sourceNode, checked) ? undefined : variable;
};

/** Reports whether a name is part of a function name, such as `optional` in `optional.of(x)`. */
const isNamespace = (sourceNode: SourceNode, checked: CheckedExpression): boolean => {
  let below = sourceNode;
  let above = sourceNode.parent;
  while (above?.node.kind === 'select') {
    below = above;
    above = above.parent;
  }
  return (
    above?.node.kind === 'call' &&
    above.node.target === below.node &&
    namespacedCalls(checked).has(above.node.id)
  );
};

const namespacedByExpression = new WeakMap<CheckedExpression, ReadonlySet<number>>();

const namespacedCalls = (checked: CheckedExpression): ReadonlySet<number> => {
  const cached = namespacedByExpression.get(checked);
  if (cached !== undefined) return cached;
  const ids = new Set<number>();
  const pending: CelNode[] = [checked.tree];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.kind === 'call' && node.target === undefined && node.function.includes('.')) {
      ids.add(node.id);
    }
    pending.push(...childNodes(node));
  }
  namespacedByExpression.set(checked, ids);
  return ids;
};
