/** Markdown with untrusted text in it: names and values of samples are hostile input. */
import { oneLine } from '@authgraph/engine/language';

/** Escapes untrusted text for use in running Markdown. */
export const escaped = (text: string, most = 200): string =>
  oneLine(text, most).replace(/[\\`*_{}[\]<>()#+\-.!|~&$:@=]/g, '\\$&');

/** Returns untrusted text as inline code, with a fence longer than any run of backticks in it. */
export const code = (text: string, most = 200): string => {
  const shown = oneLine(text, most);
  const fence = '`'.repeat(longestRun(shown) + 1);
  const pad = shown === '' || shown.startsWith('`') || shown.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${shown}${pad}${fence}`;
};

/** Returns untrusted text as inline code for a table cell, where a bar would end the cell. */
export const cell = (text: string, most = 60): string => code(text, most).replaceAll('|', '\\|');

/** Returns a code block with trusted text or an expression of the document. */
export const block = (language: string, text: string): string => {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}${language}\n${text}\n${fence}`;
};

/** Returns an empty string if there are no rows. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string => {
  if (rows.length === 0) return '';
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
};

/** Joins paragraphs, leaving out empty ones. */
export const paragraphs = (...parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== '').join('\n\n');

const longestRun = (text: string): number =>
  Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
