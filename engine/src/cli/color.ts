/** Color output. */
import type { Io, Stream } from './io.ts';

/**
 * Reports whether to use color: `always` and `never` come from the flag; `auto` depends on the
 * terminal and the environment (no-color.org).
 */
export const wantsColor = (choice: string, stream: Stream, io: Io): boolean => {
  if (choice === 'always') return true;
  if (choice === 'never') return false;
  const noColor = io.variable('NO_COLOR');
  if (noColor !== undefined && noColor !== '') return false;
  return stream.isTerminal && io.variable('TERM') !== 'dumb';
};

export type Paint = (
  style: 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'blue',
  text: string,
) => string;

const codes = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, blue: 34 } as const;

export const painter = (color: boolean): Paint =>
  color
    ? (style, text) => (text === '' ? '' : `\u001b[${codes[style]}m${text}\u001b[0m`)
    : (_, text) => text;
