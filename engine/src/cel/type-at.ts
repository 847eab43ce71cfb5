/** What stands at a place of an expression: the node and its type, for hover and completion. */
import { touches } from '../source/span.ts';
import type { CelNode } from './ast.ts';
import type { CheckedExpression } from './checked-expression.ts';
import { childNodes } from './child-nodes.ts';
import type { CelType } from './types.ts';

/** A node of the checked tree with its type. */
export interface TypedNode {
  readonly node: CelNode;
  readonly type: CelType;
}

/**
 * The innermost written node at an offset (UTF-16) of the expression. Nodes that a macro made stand
 * for the whole macro and are passed over where a written one lies inside.
 */
export const typeAt = (checked: CheckedExpression, offset: number): TypedNode | undefined => {
  let found: TypedNode | undefined;
  const walk = (node: CelNode): void => {
    const type = checked.types.get(node.id);
    if (touches(node.span, offset) && type !== undefined) {
      const size = node.span.end - node.span.start;
      const foundSize =
        found === undefined ? undefined : found.node.span.end - found.node.span.start;
      if (foundSize === undefined || size < foundSize) found = { node, type };
    }
    for (const child of childNodes(node)) walk(child);
  };
  walk(checked.tree);
  return found;
};
