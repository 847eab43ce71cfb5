/**
 * Work that holds the thread for long is done one piece a turn of the loop, so that everybody else gets
 * a word in between, however many ask for it at once.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';

let last: Promise<void> = Promise.resolve();

/** Settles in a turn that nobody else with long work was given. */
export const longTurn = (): Promise<void> => {
  last = last.then(() => nextTurn());
  return last;
};
