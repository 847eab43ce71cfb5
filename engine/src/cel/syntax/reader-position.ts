/**
 * The state of a pass over a concrete syntax tree: the extent of the part read last, and whether
 * anything is missing.
 */
import type { CstElement, CstNode, IToken } from 'chevrotain';
import { endOf, isEmptySlot, tokenAt } from './concrete-tree.ts';

/** The position of one pass. */
export class ReaderPosition {
  /** True if a part is missing or not allowed. */
  faulty = false;
  /** Start and end of the part read last, including brackets. */
  start = 0;
  end = 0;
  /** Upper bound of the height of the part read last: nodes and brackets on the longest path. */
  height = 0;

  /** Moves past the comma before a slot, where a missing part is located. */
  moveToSlot(cst: CstNode, index: number): void {
    const comma = index === 0 ? undefined : tokenAt(cst.children.Comma, index - 1);
    if (comma !== undefined) this.moveTo(comma);
  }

  /**
   * Reports whether a slot is empty. Empty slots are errors, except the last one (`[]`, `[a,]`) and
   * both of a pair (`[,]`).
   */
  skipEmptySlot(slots: readonly CstElement[], index: number): boolean {
    if (!isEmptySlot(slots[index])) return false;
    const isLast = index === slots.length - 1;
    const isLonePair = slots.length === 2 && isEmptySlot(slots[1]);
    const isAllowed = isLast ? slots.length < 3 || !isEmptySlot(slots[index - 1]) : isLonePair;
    if (!isAllowed) this.faulty = true;
    return true;
  }

  /** Moves past the closing bracket, if there is one. */
  moveToClosing(cst: CstNode, name: string): void {
    const closing = tokenAt(cst.children[name], 0);
    if (closing !== undefined) this.moveTo(closing);
  }

  /** Moves past a token, unless error recovery inserted it. */
  moveTo(token: IToken): void {
    if (token.isInsertedInRecovery === true || Number.isNaN(token.startOffset)) return;
    this.end = endOf(token);
  }
}
