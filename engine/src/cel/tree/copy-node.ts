/** A tree again with fresh ids, for macros that use one argument twice. */
import type { CelNode } from './ast.ts';

/**
 * Deepest tree that is copied. Trees of good text are far less deep; the reader of text whose depth
 * has not been judged yet may meet a deeper one.
 */
const maxCopyDepth = 1_000;

/** Thrown inside this room by a copy deeper than that. */
export class TreeTooDeepError extends Error {}

/** Entries of maps and structs move to the place `entryAt`, as in the reference implementation. */
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
