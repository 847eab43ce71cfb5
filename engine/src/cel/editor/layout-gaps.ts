/**
 * The layout of an expression as the whitespace between its tokens, so that an editor changes
 * nothing else.
 */
import { type Span, span } from '../../source/span.ts';
import { tokenize } from '../syntax/grammar.ts';
import { type FormatOptions, formatExpression } from './format-expression.ts';

/** The gap between two tokens, and its canonical content. */
export interface LayoutGap {
  /** Span in the expression; it covers whitespace and commas to remove. */
  readonly span: Span;
  readonly newText: string;
}

/**
 * Returns all gaps, from the one before the first token to the one after the last; `undefined` if
 * the expression cannot be formatted.
 */
export const layoutGaps = (
  text: string,
  options: FormatOptions,
): readonly LayoutGap[] | undefined => {
  const formatted = formatExpression(text, options);
  if (formatted === undefined) return undefined;
  const originals = layoutTokens(text);
  const gaps: LayoutGap[] = [];
  let end = 0;
  let formattedEnd = 0;
  let next = 0;
  for (const token of layoutTokens(formatted)) {
    // A comma that the formatter removes is part of the gap.
    while (originals[next] !== undefined && originals[next]?.image !== token.image) next += 1;
    const original = originals[next];
    if (original === undefined) return undefined;
    gaps.push({
      span: span(end, original.start),
      newText: formatted.slice(formattedEnd, token.start),
    });
    end = original.start + original.image.length;
    formattedEnd = token.start + token.image.length;
    next += 1;
  }
  return [...gaps, { span: span(end, text.length), newText: '' }];
};

interface LayoutToken {
  readonly image: string;
  readonly start: number;
}

const layoutTokens = (text: string): readonly LayoutToken[] => {
  const { tokens, comments } = tokenize(text);
  return [...tokens, ...comments]
    .map(({ image, startOffset }) => ({ image: image.trimEnd(), start: startOffset }))
    .sort((a, b) => a.start - b.start);
};
