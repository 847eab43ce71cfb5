/** Accessors for chevrotain's concrete syntax tree, in which any part may be missing. */
import type { CstElement, CstNode, IToken } from 'chevrotain';
import { type Span, span } from '../../source/span.ts';

/** Reports whether a slot between commas is empty. */
export const isEmptySlot = (slot: CstElement | undefined): boolean =>
  slot === undefined || ('children' in slot && Object.keys(slot.children).length === 0);

/** Returns the node at an index; `undefined` for a token or a missing element. */
export const nodeAt = (
  elements: readonly CstElement[] | undefined,
  index: number,
): CstNode | undefined => {
  const element = elements?.[index];
  return element !== undefined && 'children' in element ? element : undefined;
};

/** Returns the token at an index; `undefined` for a node or a missing element. */
export const tokenAt = (
  elements: readonly CstElement[] | undefined,
  index: number,
): IToken | undefined => {
  const element = elements?.[index];
  return element !== undefined && 'image' in element ? element : undefined;
};

/** Returns the offset after a token. */
export const endOf = (token: IToken): number => token.startOffset + token.image.length;

/** Returns the span of a token. */
export const spanOf = (token: IToken): Span => span(token.startOffset, endOf(token));

/** Reports whether the closing bracket is in the source and was not inserted by error recovery. */
export const isClosed = (cst: CstNode, name: string): boolean => {
  const closing = tokenAt(cst.children[name], 0);
  return closing !== undefined && closing.isInsertedInRecovery !== true;
};
