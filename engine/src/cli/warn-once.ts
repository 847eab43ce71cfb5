/** Warnings that are printed once, although a command finds their reason several times. */
import type { Io } from './io.ts';

/** Prints a line with a warning, unless it was printed before. */
export const warnOnce = (line: string, io: Pick<Io, 'stderr'>): void => {
  const printed = printedByIo.get(io) ?? new Set<string>();
  printedByIo.set(io, printed);
  if (!printed.has(line)) io.stderr.write(line);
  printed.add(line);
};

/** Returns whether a line was printed by {@link warnOnce}. */
export const isPrintedOnce = (line: string, io: Pick<Io, 'stderr'>): boolean =>
  printedByIo.get(io)?.has(line) === true;

const printedByIo = new WeakMap<Pick<Io, 'stderr'>, Set<string>>();
