/** The text of a literal without what encloses it. */
import { type Span, span } from '../../source/span.ts';

/** Without prefix and quotes; one that is still being written may lack its end. `start`: of the literal. */
export const insideQuotes = (literal: string, start: number): Span => {
  const opening = /^[bBrR]*("""|'''|"|')/.exec(literal);
  const quote = opening?.[1] ?? '';
  const head = opening?.[0].length ?? 0;
  const closed = literal.length >= head + quote.length && literal.endsWith(quote);
  return span(start + head, start + literal.length - (closed ? quote.length : 0));
};
