/** Copies trees with new ids, for macros that use an argument twice. */
import type { CelNode } from './ast.ts';

/**
 * Maximum depth of a tree that is copied. Trees of valid expressions are far less deep, but the
 * limits on the depth of an expression are only checked after its macros are expanded.
 */
const maxCopyDepth = 1_000;

/** Thrown by `copyNode` for a tree deeper than `maxCopyDepth`; it never leaves the parser. */
export class TreeTooDeepError extends Error {}

/**
 * Copies a tree with new ids. The entries of maps and structs get the offset `entryOffset`, as in
 * cel-go.
 */
export const copyNode = (
  node: CelNode,
  nextId: () => number,
  entryOffset: number,
  depth = 0,
): CelNode => {
  if (depth > maxCopyDepth) throw new TreeTooDeepError();
  const copy = (child: CelNode): CelNode => copyNode(child, nextId, entryOffset, depth + 1);
  const id = nextId();
  switch (node.kind) {
    case 'literal':
    case 'ident':
    case 'hole':
      return { ...node, id };
    case 'select':
      return { ...node, id, operand: copy(node.operand) };
    case 'call':
      return {
        ...node,
        id,
        target: node.target === undefined ? undefined : copy(node.target),
        args: node.args.map(copy),
      };
    case 'list':
      return { ...node, id, elements: node.elements.map(copy) };
    case 'map':
      return {
        ...node,
        id,
        entries: node.entries.map((entry) => ({
          ...entry,
          id: nextId(),
          at: entryOffset,
          key: copy(entry.key),
          value: copy(entry.value),
        })),
      };
    case 'struct':
      return {
        ...node,
        id,
        fields: node.fields.map((field) => ({
          ...field,
          id: nextId(),
          at: entryOffset,
          value: copy(field.value),
        })),
      };
    case 'comprehension':
      return {
        ...node,
        id,
        iterRange: copy(node.iterRange),
        accuInit: copy(node.accuInit),
        loopCondition: copy(node.loopCondition),
        loopStep: copy(node.loopStep),
        result: copy(node.result),
      };
  }
};
