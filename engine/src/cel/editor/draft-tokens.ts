/** Words of an expression that may be half written, and the operands that they make. */
import { type Span, span } from '../../source/span.ts';
import { insideQuotes } from '../syntax/inside-quotes.ts';
import { maxCodePoints } from '../syntax/syntax-errors.ts';
import { celLexer } from '../tree/lexer.ts';

/** A word of an expression; commas, brackets and operators are marks. */
export interface Word {
  readonly kind: 'name' | 'number' | 'text' | 'mark';
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Of a text: without its quotes. */
  readonly inner: Span;
}

let lastRead: { readonly text: string; readonly read: ReturnType<typeof tokenize> } | undefined;

/** The same text is asked about several times for one answer. The real server reads no longer one. */
export const readWords = (text: string): ReturnType<typeof tokenize> => {
  if (lastRead?.text === text) return lastRead.read;
  const read = tokenize(text.length > maxCodePoints ? '' : text);
  lastRead = { text, read };
  return read;
};

const tokenize = (
  text: string,
): { readonly words: readonly Word[]; readonly comments: readonly Span[] } => {
  const { tokens, groups } = celLexer().tokenize(text);
  return {
    words: tokens.map(wordOf),
    comments: (groups.comments ?? []).map(({ startOffset, image }) =>
      span(startOffset, startOffset + image.length),
    ),
  };
};

type Token = ReturnType<ReturnType<typeof celLexer>['tokenize']>['tokens'][number];

const wordOf = ({ image, startOffset, tokenType }: Token): Word => {
  const end = startOffset + image.length;
  const base = { text: image, start: startOffset, end, inner: span(startOffset, end) };
  switch (tokenType.name) {
    case 'Identifier':
    case 'True':
    case 'False':
    case 'Null':
      return { ...base, kind: 'name' };
    case 'In':
      return { ...base, kind: 'mark' };
    case 'Int':
    case 'Uint':
    case 'Double':
      return { ...base, kind: 'number' };
    case 'StringLiteral':
    case 'BytesLiteral':
    case 'UnfinishedString':
      return { ...base, kind: 'text', inner: insideQuotes(image, startOffset) };
    case 'EscapedIdentifier':
      return { ...base, kind: 'text', inner: span(startOffset + 1, end - 1) };
    default:
      return { ...base, kind: 'mark' };
  }
};

/** The operand whose last word stands before an index. */
export const operandBefore = (words: readonly Word[], index: number): Span | undefined => {
  const last = words[index - 1];
  if (last === undefined || !endsOperand(last)) return undefined;
  const start = startOfOperand(words, index - 1);
  return start === undefined ? undefined : span(start, last.end);
};

const startOfOperand = (words: readonly Word[], last: number): number | undefined => {
  let at = last;
  for (;;) {
    const word = words[at];
    if (word === undefined) return undefined;
    if (isCloser(word)) {
      const open = openerOf(words, at);
      if (open === undefined) return undefined;
      const before = words[open - 1];
      const joins = word.text !== '}' && before !== undefined;
      if (joins && word.text === ')' && before.kind === 'name') at = open - 1;
      else if (joins && word.text === ']' && endsOperand(before)) {
        at = open - 1;
        continue;
      } else return words[open]?.start;
    }
    const dot = words[at - 1]?.text === '?' ? at - 2 : at - 1;
    if (words[dot]?.text !== '.') return words[at]?.start;
    const before = words[dot - 1];
    if (before === undefined || !endsOperand(before)) return words[dot]?.start;
    at = dot - 1;
  }
};

/** A bracket that ends something. */
export const isCloser = ({ kind, text }: Word): boolean =>
  kind === 'mark' && (text === ')' || text === ']' || text === '}');

/** Whether an operand may end with the word. */
export const endsOperand = (word: Word): boolean => word.kind !== 'mark' || isCloser(word);

/** Matches brackets backwards, whatever their kinds. */
const openerOf = (words: readonly Word[], closer: number): number | undefined => {
  let depth = 0;
  for (let at = closer; at >= 0; at -= 1) {
    const word = words[at];
    if (word === undefined || word.kind !== 'mark') continue;
    if (isCloser(word)) depth += 1;
    else if (isOpener(word)) {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return undefined;
};

/** A bracket that begins something. */
export const isOpener = ({ kind, text }: Word): boolean =>
  kind === 'mark' && (text === '(' || text === '[' || text === '{');
