/** Markdown in which nothing untrusted is interpreted: code spans, code blocks and escaped text. */
import { toPrintable } from '../../diagnostics/printable.ts';
import { escapeUnprintable } from '../../source/unprintable.ts';

/** Returns a code span that the text cannot end. */
export const code = (text: string): string => {
  const shown = toPrintable(text).replaceAll(/\s+/g, ' ');
  const fence = '`'.repeat(longestBackticks(shown) + 1);
  const space = /^`|`$/.test(shown) ? ' ' : '';
  return `${fence}${space}${shown}${space}${fence}`;
};

export const codeBlock = (lines: readonly string[]): string => {
  const text = lines.map((line) => toPrintable(line).trimEnd()).join('\n');
  const fence = '`'.repeat(Math.max(3, longestBackticks(text) + 1));
  return `${fence}text\n${text}\n${fence}`;
};

const longestBackticks = (text: string): number =>
  (text.match(/`+/g) ?? []).reduce((longest, { length }) => Math.max(longest, length), 0);

/** Escapes what Markdown and HTML interpret; a summary contains names of files and groups that are untrusted. */
export const plain = (text: string): string =>
  escapeUnprintable(text).replaceAll(/[\\`*_[\]<>&|@#~!]/g, '\\$&');
