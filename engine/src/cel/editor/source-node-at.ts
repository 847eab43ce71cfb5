/** What a place in a written expression is about: for a hover, which shows its type and its value. */
import { type Span, touches } from '../../source/span.ts';
import { selectionOperators } from '../tree/selection-operators.ts';
import type { SourceNode } from '../tree/source-tree.ts';
import { type DraftBinding, draftPlace } from './draft-place.ts';

/** The smallest written node that touches the offset; of two of one size the inner one. */
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

/** The key of `claims["x-y"]` stands for what is read with it; every other node for itself. */
export const hoverTarget = (sourceNode: SourceNode): SourceNode => {
  const { node, parent } = sourceNode;
  const isKey =
    node.kind === 'literal' &&
    parent?.node.kind === 'call' &&
    selectionOperators.has(parent.node.function) &&
    parent.node.args[1] === node;
  return isKey ? parent : sourceNode;
};

/** A node, and the variables of macros that it sees; a new variable is seen from inside its macro. */
export const partOfNode = (
  text: string,
  { node, declaredVariable }: SourceNode,
): { readonly span: Span; readonly bindings: readonly DraftBinding[] } => {
  const from =
    declaredVariable === undefined ? node.span.start : declaredVariable.macro.span.end - 1;
  return { span: node.span, bindings: draftPlace(text, from).bindings };
};
