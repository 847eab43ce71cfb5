/** The nodes directly below a node, in the order of the text. */
import type { CelNode } from './ast.ts';

/** Children of every kind of node, receivers before arguments. */
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
