/** Lists the nodes below a node of an expression. */
import type { CelNode } from './ast.ts';

/** Returns the direct children of a node in source order, a receiver before its arguments. */
export const childNodes = (node: CelNode): readonly CelNode[] => {
  switch (node.kind) {
    case 'select':
      return [node.operand];
    case 'call':
      return node.target === undefined ? node.args : [node.target, ...node.args];
    case 'list':
      return node.elements;
    case 'map':
      return node.entries.flatMap((entry) => [entry.key, entry.value]);
    case 'struct':
      return node.fields.map((field) => field.value);
    case 'comprehension':
      return [node.iterRange, node.accuInit, node.loopCondition, node.loopStep, node.result];
    default:
      return [];
  }
};

/** Returns all nodes of a tree, parents first. It does not recurse, so any parsed tree is allowed. */
export const nodesOf = (root: CelNode): readonly CelNode[] => {
  const nodes: CelNode[] = [];
  const waiting: CelNode[] = [root];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    nodes.push(node);
    waiting.push(...childNodes(node).toReversed());
  }
  return nodes;
};
