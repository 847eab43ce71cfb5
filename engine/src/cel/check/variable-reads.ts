/**
 * Finds the selections that an expression reads from its variables: `claims.a.b`, `user.groups`.
 */
import type { CelNode } from '../tree/ast.ts';
import { childNodes } from '../tree/child-nodes.ts';
import { selectionOperators } from '../tree/selection-operators.ts';

/**
 * Returns the longest selections from the given variables in source order, including `claims["a"]`
 * and `claims.?a.orValue("")`.
 */
export const variableReads = (
  root: CelNode,
  variables: ReadonlySet<string>,
): readonly CelNode[] => {
  const reads: CelNode[] = [];
  const pending: CelNode[] = [root];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (isRead(node, variables)) reads.push(node);
    else pending.push(...childNodes(node).toReversed());
  }
  return reads;
};

const isRead = (node: CelNode, variables: ReadonlySet<string>): boolean => {
  let current: CelNode | undefined = node;
  let steps = 0;
  while (current !== undefined && current.kind !== 'ident') {
    if (current.kind === 'select') current = current.operand;
    else if (current.kind === 'call' && selectionOperators.has(current.function))
      current = current.args[0];
    else if (current.kind === 'call' && current.function === 'orValue') current = current.target;
    else return false;
    steps += 1;
  }
  return steps > 0 && current !== undefined && variables.has(current.name);
};
