/** Markdown in which nothing untrusted is interpreted: code spans, code blocks and words. */
import { toPrintable } from './printable.ts';

/** Returns a code span that the text cannot end. */
export const code = (text: string): string => {
  const shown = toPrintable(text).replaceAll(/\s+/g, ' ');
  const fence = '`'.repeat(longestBackticks(shown) + 1);
  const space = /^`|`$/.test(shown) ? ' ' : '';
  return `${fence}${space}${shown}${space}${fence}`;
};

/** Returns a code block that the lines cannot end. */
export const codeBlock = (lines: readonly string[]): string => {
  const text = lines.map((line) => toPrintable(line).trimEnd()).join('\n');
  const fence = '`'.repeat(Math.max(3, longestBackticks(text) + 1));
  return `${fence}text\n${text}\n${fence}`;
};

const longestBackticks = (text: string): number =>
  (text.match(/`+/g) ?? []).reduce((longest, { length }) => Math.max(longest, length), 0);

/**
 * Returns a sentence of plain words and groups such as `system:masters` as it is, and every other one as a code span:
 * sites also turn escaped addresses, names and formulas into links, mentions and pictures.
 */
export const sentence = (text: string): string =>
  /^(?:[A-Za-z0-9 ,()-]|\bsystem:(?=[a-z]))*$/.test(text) ? text : code(text);
