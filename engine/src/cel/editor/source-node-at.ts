/** Finds the node at an offset of an expression, for hovers that display its type and value. */
import { type Span, touches } from '../../source/span.ts';
import { selectionOperators } from '../tree/selection-operators.ts';
import type { SourceNode } from '../tree/source-tree.ts';
import { type DraftBinding, draftPlace } from './draft-place.ts';

/**
 * Returns the smallest node of the source tree that touches an offset; the inner one of two with
 * the same size.
 */
export const sourceNodeAt = (
  nodes: readonly SourceNode[],
  offset: number,
): SourceNode | undefined => {
  let smallest: SourceNode | undefined;
  for (const sourceNode of nodes) {
    const { node } = sourceNode;
    if (node.kind === 'hole' || !touches(node.span, offset)) continue;
    if (smallest === undefined || sizeOf(node.span) <= sizeOf(smallest.node.span))
      smallest = sourceNode;
  }
  return smallest;
};

const sizeOf = ({ start, end }: Span): number => end - start;

/**
 * Returns the node that a hover describes: the selection for the key in `claims["x-y"]`, otherwise
 * the node itself.
 */
export const hoverTarget = (sourceNode: SourceNode): SourceNode => {
  const { node, parent } = sourceNode;
  const isKey =
    node.kind === 'literal' &&
    parent?.node.kind === 'call' &&
    selectionOperators.has(parent.node.function) &&
    parent.node.args[1] === node;
  return isKey ? parent : sourceNode;
};

/**
 * Returns the span of a node and the macro variables in scope; the scope of a new variable is the
 * body of its macro.
 */
export const partOfNode = (
  text: string,
  { node, declaredVariable }: SourceNode,
): { readonly span: Span; readonly bindings: readonly DraftBinding[] } => {
  const from =
    declaredVariable === undefined ? node.span.start : declaredVariable.macro.span.end - 1;
  return { span: node.span, bindings: draftPlace(text, from).bindings };
};
