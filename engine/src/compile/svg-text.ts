/** Untrusted text in an SVG: escaped, visible and never wider than its box. */
import { cellsOf, toPrintable } from '../diagnostics/printable.ts';

/** Escapes text for element content and for quoted attributes. */
export const xmlText = (text: string): string =>
  toPrintable(text).replaceAll(
    /[&<>"'\ufffe\uffff]/g,
    (character) => entities.get(character) ?? '\ufffd',
  );

const entities: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
]);

/**
 * Returns one line of at most `letters` letters; wide characters count twice. A truncated line ends
 * with `…`.
 */
export const truncateText = (text: string, letters: number): string => {
  const line = text.replaceAll(/\s+/g, ' ').slice(0, maxInputLength);
  const cells = cellsOf(line);
  let width = 0;
  for (const cell of cells) width += cell.width;
  if (width <= letters) return cells.map((cell) => cell.text).join('');
  let truncated = '';
  let used = 1;
  for (const cell of cells) {
    used += cell.width;
    if (used > letters) break;
    truncated += cell.text;
  }
  return `${truncated.trimEnd()}…`;
};

/** Longer than any line of the picture. */
const maxInputLength = 400;

/** Formats a coordinate with at most one decimal. */
export const formatNumber = (value: number): string => String(Math.round(value * 10) / 10);
