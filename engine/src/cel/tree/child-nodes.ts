/** Lists the direct children of expression nodes. */
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
