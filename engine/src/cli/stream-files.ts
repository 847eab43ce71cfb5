/** What commands that read files as streams have in common: sizes, errors and the progress on a terminal. */
import { statSync } from 'node:fs';
import { escapeUnprintable } from '../source/unprintable.ts';
import type { Io } from './io.ts';
import { LongLineError } from './line-blocks.ts';

/** Returns the size of a file; `undefined` for a pipe. Throws errors of the file system. */
export const sizeOfFile = (path: string): number | undefined => {
  if (path === '-') return undefined;
  const status = statSync(path);
  return status.isFile() ? status.size : undefined;
};

/** Returns why a file could not be read to its end; rethrows errors that are not about files. */
export const streamFailure = async (path: string, cause: unknown, io: Io): Promise<string> => {
  if (cause instanceof LongLineError) return cause.message;
  if (!(cause instanceof Error && 'code' in cause)) throw cause;
  // `Io` has the wording of kube-apiserver for errors of files.
  const read = await io.readText(path, 0);
  return read.kind === 'failure' && read.isTooLarge !== true ? read.reason : cause.message;
};

/** How much of a file has been read. */
export interface StreamProgress {
  readonly bytes: number;
  /** The size of the file; `undefined` for a pipe. */
  readonly total: number | undefined;
  /** The number of items that were found. */
  readonly count: number;
}

/** Redraws the bar at most ten times per second. */
const redrawMs = 100;
const barWidth = 30;

/** Returns a function that shows the progress; `undefined` if standard error is not a terminal. */
export const progressBar = (
  file: string,
  io: Io,
  counted: (count: number) => string,
): ((progress: StreamProgress) => void) | undefined => {
  if (!io.stderr.isTerminal) return undefined;
  let drawn = 0;
  return ({ bytes, total, count }) => {
    const now = performance.now();
    if (now - drawn < redrawMs) return;
    drawn = now;
    const name = escapeUnprintable(file).slice(-barWidth);
    if (total === undefined || total === 0) io.stderr.replaceLine(`${name}  ${counted(count)}`);
    else {
      const share = Math.min(1, bytes / total);
      const filled = Math.round(share * barWidth);
      const bar = '#'.repeat(filled).padEnd(barWidth, '.');
      io.stderr.replaceLine(`${name}  [${bar}] ${Math.floor(share * 100)} %  ${counted(count)}`);
    }
  };
};
