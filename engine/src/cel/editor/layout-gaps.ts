/** The layout of an expression as what stands between its words: what an editor changes, and no more. */
import { type Span, span } from '../../source/span.ts';
import { readTokens } from '../syntax/grammar.ts';
import { type FormatOptions, formatExpression } from './format-expression.ts';

/** A place between two words of an expression, and what should stand there. */
export interface LayoutGap {
  /** In the expression's text: blanks, and commas that go. */
  readonly span: Span;
  readonly wanted: string;
}

/** From the one before the first word to the one behind the last; `undefined` for text without a layout. */
export const layoutGaps = (
  text: string,
  options: FormatOptions,
): readonly LayoutGap[] | undefined => {
  const formatted = formatExpression(text, options);
  if (formatted === undefined) return undefined;
  const written = wordsOf(text);
  const gaps: LayoutGap[] = [];
  let end = 0;
  let formattedEnd = 0;
  let next = 0;
  for (const word of wordsOf(formatted)) {
    // A comma that the layout leaves out is a part of the gap.
    while (written[next] !== undefined && written[next]?.image !== word.image) next += 1;
    const found = written[next];
    if (found === undefined) return undefined;
    gaps.push({
      span: span(end, found.start),
      wanted: formatted.slice(formattedEnd, word.start),
    });
    end = found.start + found.image.length;
    formattedEnd = word.start + word.image.length;
    next += 1;
  }
  return [...gaps, { span: span(end, text.length), wanted: '' }];
};

interface WordAt {
  readonly image: string;
  readonly start: number;
}

const wordsOf = (text: string): readonly WordAt[] => {
  const { tokens, comments } = readTokens(text);
  return [...tokens, ...comments]
    .map(({ image, startOffset }) => ({ image: image.trimEnd(), start: startOffset }))
    .sort((a, b) => a.start - b.start);
};
