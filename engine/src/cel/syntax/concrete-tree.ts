/** Access to chevrotain's concrete tree, in which everything may be missing. */
import type { CstElement, CstNode, IToken } from 'chevrotain';
import { type Span, span } from '../../source/span.ts';

/** True for a place between commas with nothing in it. */
export const isEmptySlot = (slot: CstElement | undefined): boolean =>
  slot === undefined || ('children' in slot && Object.keys(slot.children).length === 0);

/** The node at an index; `undefined` when there is none or it is a token. */
export const nodeAt = (
  elements: readonly CstElement[] | undefined,
  index: number,
): CstNode | undefined => {
  const element = elements?.[index];
  return element !== undefined && 'children' in element ? element : undefined;
};

/** The token at an index; `undefined` when there is none or it is a node. */
export const tokenAt = (
  elements: readonly CstElement[] | undefined,
  index: number,
): IToken | undefined => {
  const element = elements?.[index];
  return element !== undefined && 'image' in element ? element : undefined;
};

/** Offset behind a token. */
export const endOf = (token: IToken): number => token.startOffset + token.image.length;

/** Place of a token. */
export const spanOf = (token: IToken): Span => span(token.startOffset, endOf(token));

/** True when the closing bracket was written, not only thought up. */
export const isClosed = (cst: CstNode, name: string): boolean => {
  const closing = tokenAt(cst.children[name], 0);
  return closing !== undefined && closing.isInsertedInRecovery !== true;
};
