/** What a place in a written expression is about: for a hover, which shows its type and its value. */
import { type Span, touches } from '../../source/span.ts';
import { selectors } from '../tree/selectors.ts';
import type { WrittenStep } from '../tree/written-tree.ts';
import { type WrittenBinding, writtenPlace } from './draft-place.ts';

/** The smallest written node that touches the offset; of two of one size the inner one. */
export const stepAt = (steps: readonly WrittenStep[], offset: number): WrittenStep | undefined => {
  let found: WrittenStep | undefined;
  for (const step of steps) {
    const { node } = step;
    if (node.kind === 'hole' || !touches(node.span, offset)) continue;
    if (found === undefined || sizeOf(node.span) <= sizeOf(found.node.span)) found = step;
  }
  return found;
};

const sizeOf = ({ start, end }: Span): number => end - start;

/** The key of `claims["x-y"]` stands for what is read with it; every other node for itself. */
export const meantBy = (step: WrittenStep): WrittenStep => {
  const { node, parent } = step;
  const isKey =
    node.kind === 'literal' &&
    parent?.node.kind === 'call' &&
    selectors.has(parent.node.function) &&
    parent.node.args[1] === node;
  return isKey ? parent : step;
};

/** A node, and the variables of macros that it sees; a new variable is seen from inside its macro. */
export const partOfStep = (
  text: string,
  { node, declares }: WrittenStep,
): { readonly span: Span; readonly bindings: readonly WrittenBinding[] } => {
  const from = declares === undefined ? node.span.start : declares.macro.span.end - 1;
  return { span: node.span, bindings: writtenPlace(text, from).bindings };
};
