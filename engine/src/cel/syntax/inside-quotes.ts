/** The text of a literal without what encloses it. */
import { type Span, span } from '../../source/span.ts';

/** Without prefix and quotes; one that is still being written may lack its end. `start`: of the literal. */
export const spanInsideQuotes = (literal: string, start: number): Span => {
  const opening = /^[bBrR]*("""|'''|"|')/.exec(literal);
  const quote = opening?.[1] ?? '';
  const prefixLength = opening?.[0].length ?? 0;
  const closed = literal.length >= prefixLength + quote.length && literal.endsWith(quote);
  return span(start + prefixLength, start + literal.length - (closed ? quote.length : 0));
};
