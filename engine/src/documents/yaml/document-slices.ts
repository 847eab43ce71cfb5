/** The documents of a text that holds several: where each begins and ends. */
import { type Span, span } from '../../source/span.ts';

/**
 * A marker in the first column ends a document wherever it stands, in a block scalar too. A document
 * begins with its own `---`; what holds no more than comments is no document.
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

/** What follows is not looked at. */
const maxDocuments = 500;

const markers = /^(?:---|\.\.\.)(?=[ \t\r\n]|$)/gm;

/** Something beside markers, directives, comments and white space. */
const hasContent = (slice: string): boolean =>
  /^(?!---[ \t]*(?:#.*)?\r?$|[ \t]*(?:#.*)?\r?$|%)[^\r\n]/m.test(slice);
