/**
 * Splits work that would block the event loop for long: at most one such piece runs per turn of the
 * loop, however many requests need one.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';

let last: Promise<void> = Promise.resolve();

/** Resolves in a turn of the event loop that no other long piece of work uses. */
export const longTurn = (): Promise<void> => {
  last = last.then(() => nextTurn());
  return last;
};
