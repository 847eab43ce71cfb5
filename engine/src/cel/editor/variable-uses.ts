/** The variables that macros bind: where each is declared, where it is read. Scoping as in the checker. */
import type { Span } from '../../source/span.ts';
import type { CheckedExpression } from '../check/checked-expression.ts';
import type { CelNode } from '../tree/ast.ts';
import { childNodes } from '../tree/child-nodes.ts';
import {
  type MacroVariable,
  variableOf,
  type WrittenStep,
  writtenSteps,
} from '../tree/written-tree.ts';

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
  for (const step of writtenSteps(checked.parsed)) {
    if (step.declares !== undefined) readsByVariable.set(step.declares, []);
    else {
      const variable = readVariable(step, checked);
      if (variable !== undefined) readsByVariable.get(variable)?.push(step.node.span);
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
export const variablePlaces = ({ declaration, reads }: VariableUses): readonly Span[] => [
  declaration,
  ...reads,
];

/**
 * What each name of an expression means, in the order of the text: the number of a variable, or the
 * name itself. Two expressions that differ in the names of variables only have equal lists.
 */
export const meaningsOf = (checked: CheckedExpression): readonly (number | string)[] => {
  const numbers = new Map<MacroVariable, number>();
  return writtenSteps(checked.parsed).flatMap((step) => {
    if (step.declares !== undefined) numbers.set(step.declares, numbers.size);
    if (step.node.kind !== 'ident') return [];
    const variable = step.declares ?? readVariable(step, checked);
    return [(variable && numbers.get(variable)) ?? step.node.name];
  });
};

const readVariable = (step: WrittenStep, checked: CheckedExpression): MacroVariable | undefined => {
  const variable = variableOf(step);
  return variable !== undefined && isNamespace(step, checked) ? undefined : variable;
};

/** `optional` of `optional.of(x)` is a part of the function's name, whatever variables there are. */
const isNamespace = (step: WrittenStep, checked: CheckedExpression): boolean => {
  let below = step;
  let above = step.parent;
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
  const known = namespacedByExpression.get(checked);
  if (known !== undefined) return known;
  const found = new Set<number>();
  const waiting: CelNode[] = [checked.tree];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.kind === 'call' && node.target === undefined && node.function.includes('.')) {
      found.add(node.id);
    }
    waiting.push(...childNodes(node));
  }
  namespacedByExpression.set(checked, found);
  return found;
};
