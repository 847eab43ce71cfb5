/** What an expression reads of its variables, as longest selections: `claims.a.b`, `user.groups`. */
import type { CelNode } from '../tree/ast.ts';
import { childNodes } from '../tree/child-nodes.ts';
import { selectors } from '../tree/selectors.ts';

/** Of these variables, in the order of the text: `claims["a"]` and `claims.?a.orValue("")` too. */
export const variableReads = (
  root: CelNode,
  variables: ReadonlySet<string>,
): readonly CelNode[] => {
  const found: CelNode[] = [];
  const waiting: CelNode[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (isRead(node, variables)) found.push(node);
    else waiting.push(...childNodes(node).toReversed());
  }
  return found;
};

const isRead = (node: CelNode, variables: ReadonlySet<string>): boolean => {
  let at: CelNode | undefined = node;
  let steps = 0;
  while (at !== undefined && at.kind !== 'ident') {
    if (at.kind === 'select') at = at.operand;
    else if (at.kind === 'call' && selectors.has(at.function)) at = at.args[0];
    else if (at.kind === 'call' && at.function === 'orValue') at = at.target;
    else return false;
    steps += 1;
  }
  return steps > 0 && at !== undefined && variables.has(at.name);
};
