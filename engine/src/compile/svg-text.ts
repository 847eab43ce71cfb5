/** Foreign text in an SVG: escaped, visible, and never wider than its place. */
import { cellsOf, toPrintable } from '../diagnostics/printable.ts';

/** For content and for attributes in quotes. */
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

/** One line of at most so many letters; wide characters count twice. What is cut ends in `…`. */
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

/** No place is so wide. */
const maxInputLength = 400;

/** Without digits that nobody sees. */
export const formatNumber = (value: number): string => String(Math.round(value * 10) / 10);
