/** Tokens of an incomplete expression, and the operands that they form. */
import { type Span, span } from '../../source/span.ts';
import { spanInsideQuotes } from '../syntax/inside-quotes.ts';
import { maxCodePoints } from '../syntax/parse-as-reference.ts';
import { celLexer } from '../tree/lexer.ts';

/** A token of an expression; commas, brackets and operators are punctuation. */
export interface DraftToken {
  readonly kind: 'name' | 'number' | 'string' | 'punctuation';
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Span of the token; for a string, of its content without quotes. */
  readonly content: Span;
}

let lastResult:
  | { readonly text: string; readonly result: ReturnType<typeof tokenizeDraft> }
  | undefined;

/**
 * Returns the tokens and comments of an expression, none if it is too long for kube-apiserver. The
 * last result is cached, because a request uses it several times.
 */
export const readDraftTokens = (text: string): ReturnType<typeof tokenizeDraft> => {
  if (lastResult?.text === text) return lastResult.result;
  const result = tokenizeDraft(text.length > maxCodePoints ? '' : text);
  lastResult = { text, result };
  return result;
};

const tokenizeDraft = (
  text: string,
): { readonly tokens: readonly DraftToken[]; readonly comments: readonly Span[] } => {
  const { tokens, groups } = celLexer().tokenize(text);
  return {
    tokens: tokens.map(draftTokenOf),
    comments: (groups.comments ?? []).map(({ startOffset, image }) =>
      span(startOffset, startOffset + image.length),
    ),
  };
};

type Token = ReturnType<ReturnType<typeof celLexer>['tokenize']>['tokens'][number];

const draftTokenOf = ({ image, startOffset, tokenType }: Token): DraftToken => {
  const end = startOffset + image.length;
  const base = { text: image, start: startOffset, end, content: span(startOffset, end) };
  switch (tokenType.name) {
    case 'Identifier':
    case 'True':
    case 'False':
    case 'Null':
      return { ...base, kind: 'name' };
    case 'In':
      return { ...base, kind: 'punctuation' };
    case 'Int':
    case 'Uint':
    case 'Double':
      return { ...base, kind: 'number' };
    case 'StringLiteral':
    case 'BytesLiteral':
    case 'UnfinishedString':
      return { ...base, kind: 'string', content: spanInsideQuotes(image, startOffset) };
    case 'EscapedIdentifier':
      return { ...base, kind: 'string', content: span(startOffset + 1, end - 1) };
    default:
      return { ...base, kind: 'punctuation' };
  }
};

/** Returns the span of the operand that ends before a token index. */
export const operandBefore = (tokens: readonly DraftToken[], index: number): Span | undefined => {
  const last = tokens[index - 1];
  if (last === undefined || !endsOperand(last)) return undefined;
  const start = startOfOperand(tokens, index - 1);
  return start === undefined ? undefined : span(start, last.end);
};

const startOfOperand = (tokens: readonly DraftToken[], last: number): number | undefined => {
  let at = last;
  for (;;) {
    const token = tokens[at];
    if (token === undefined) return undefined;
    if (isClosingBracket(token)) {
      const open = matchingOpener(tokens, at);
      if (open === undefined) return undefined;
      const before = tokens[open - 1];
      const joins = token.text !== '}' && before !== undefined;
      if (joins && token.text === ')' && before.kind === 'name') at = open - 1;
      else if (joins && token.text === ']' && endsOperand(before)) {
        at = open - 1;
        continue;
      } else return tokens[open]?.start;
    }
    const dot = tokens[at - 1]?.text === '?' ? at - 2 : at - 1;
    if (tokens[dot]?.text !== '.') return tokens[at]?.start;
    const before = tokens[dot - 1];
    if (before === undefined || !endsOperand(before)) return tokens[dot]?.start;
    at = dot - 1;
  }
};

/** Reports whether a token is a closing bracket. */
export const isClosingBracket = ({ kind, text }: DraftToken): boolean =>
  kind === 'punctuation' && (text === ')' || text === ']' || text === '}');

/** Reports whether a token can end an operand. */
export const endsOperand = (token: DraftToken): boolean =>
  token.kind !== 'punctuation' || isClosingBracket(token);

/** Returns the index of the opening bracket of a closing one, regardless of their kinds. */
const matchingOpener = (tokens: readonly DraftToken[], closer: number): number | undefined => {
  let depth = 0;
  for (let at = closer; at >= 0; at -= 1) {
    const token = tokens[at];
    if (token === undefined || token.kind !== 'punctuation') continue;
    if (isClosingBracket(token)) depth += 1;
    else if (isOpeningBracket(token)) {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return undefined;
};

/** Reports whether a token is an opening bracket. */
export const isOpeningBracket = ({ kind, text }: DraftToken): boolean =>
  kind === 'punctuation' && (text === '(' || text === '[' || text === '{');
