/** Splits a text into its YAML documents. */
import { type Span, span } from '../../source/span.ts';

/**
 * Returns the position of each document. A marker in the first column ends a document, even inside
 * a block scalar. A document starts with its own `---`; a slice that contains only comments is not
 * a document.
 */
export const documentSlices = (text: string): readonly Span[] => {
  const slices: Span[] = [];
  let start = 0;
  const add = (end: number): void => {
    if (hasContent(text.slice(start, end))) slices.push(span(start, end));
  };
  for (const { index, 0: marker } of text.matchAll(markers)) {
    if (slices.length >= maxDocuments) break;
    add(index);
    start = marker === '...' ? index + marker.length : index;
  }
  if (slices.length < maxDocuments) add(text.length);
  return slices;
};

/** The rest of the text is ignored. */
const maxDocuments = 10_000;

const markers = /^(?:---|\.\.\.)(?=[ \t\r\n]|$)/gm;

/**
 * Returns true if the slice has content other than markers, directives, comments and white space.
 */
const hasContent = (slice: string): boolean =>
  /^(?!---[ \t]*(?:#.*)?\r?$|[ \t]*(?:#.*)?\r?$|%)[^\r\n]/m.test(slice);
