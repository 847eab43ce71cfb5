/** Where a pass over a concrete tree is: what it read last, and whether everything was there. */
import type { CstElement, CstNode, IToken } from 'chevrotain';
import { endOf, isEmptySlot, tokenAt } from './concrete-tree.ts';

/** One pass has one of these. */
export class ReaderPosition {
  /** Something is missing, or is there although it must not be. */
  faulty = false;
  /** Extents of what was read last, brackets included. */
  start = 0;
  end = 0;
  /** Upper bound of how deep what was read last is: nodes and brackets on the longest way down. */
  height = 0;

  /** Behind the comma before a slot, so that a missing part gets its place there. */
  moveToSlot(cst: CstNode, index: number): void {
    const comma = index === 0 ? undefined : tokenAt(cst.children.Comma, index - 1);
    if (comma !== undefined) this.moveTo(comma);
  }

  /**
   * True for a slot without content. That is an error, but for the last one: `[]`, `[a,]`, and `[,]`.
   */
  skipEmptySlot(slots: readonly CstElement[], index: number): boolean {
    if (!isEmptySlot(slots[index])) return false;
    const isLast = index === slots.length - 1;
    const isLonePair = slots.length === 2 && isEmptySlot(slots[1]);
    const isAllowed = isLast ? slots.length < 3 || !isEmptySlot(slots[index - 1]) : isLonePair;
    if (!isAllowed) this.faulty = true;
    return true;
  }

  /** Behind the closing bracket, if it is there. */
  moveToClosing(cst: CstNode, name: string): void {
    const closing = tokenAt(cst.children[name], 0);
    if (closing !== undefined) this.moveTo(closing);
  }

  /** On behind a token that was really written. */
  moveTo(token: IToken): void {
    if (token.isInsertedInRecovery === true || Number.isNaN(token.startOffset)) return;
    this.end = endOf(token);
  }
}
