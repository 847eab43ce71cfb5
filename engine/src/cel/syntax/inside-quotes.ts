/** Locates the content of string literals. */
import { type Span, span } from '../../source/span.ts';

/**
 * Returns the span of a literal's content, without its prefix and quotes; the closing quote may be
 * missing. `start` is the offset of the literal.
 */
export const spanInsideQuotes = (literal: string, start: number): Span => {
  const opening = /^[bBrR]*("""|'''|"|')/.exec(literal);
  const quote = opening?.[1] ?? '';
  const prefixLength = opening?.[0].length ?? 0;
  const closed = literal.length >= prefixLength + quote.length && literal.endsWith(quote);
  return span(start + prefixLength, start + literal.length - (closed ? quote.length : 0));
};
