/** The variables that macros bind: where each is declared, where it is read. Scoping as in the checker. */
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

/** A variable of a macro, and where it stands in the expression. */
export interface VariableUses {
  readonly name: string;
  /** `filter`, `transformMap`. */
  readonly macro: string;
  /** The whole call that binds it. */
  readonly scope: Span;
  readonly declaration: Span;
  /** In the order of the text. */
  readonly reads: readonly Span[];
}

/** In the order of their declarations; also those of broken text, as far as it was understood. */
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

/** The declaration and the reads of a variable, all places where its name stands. */
export const variableSpans = ({ declaration, reads }: VariableUses): readonly Span[] => [
  declaration,
  ...reads,
];

/**
 * What each name of an expression means, in the order of the text: the number of a variable, or the
 * name itself. Two expressions that differ in the names of variables only have equal lists.
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

/** `optional` of `optional.of(x)` is a part of the function's name, whatever variables there are. */
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
