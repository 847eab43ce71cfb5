/** Shows how many files are done, on one line, if there are many files and a terminal. */
import type { Stream } from './io.ts';

/** `doing` is the beginning of the line, such as `checking`. The line is removed when all files are done. */
export const showFileProgress = (
  doing: string,
  done: number,
  all: number,
  stderr: Stream,
): void => {
  if (!stderr.isTerminal || all < manyFiles) return;
  stderr.replaceLine(done === all ? '' : `${doing} ${done + 1} of ${all}`);
};

const manyFiles = 5;
