/**
 * The lexer of the reference parser. It creates tokens on demand, so that its errors are reported
 * in
 * the same order as in cel-go.
 */

import { bytesPattern, doublePattern, stringPattern } from '../tree/lexer.ts';
import { endOfInput, tokenNames, tokenType } from './grammar.ts';

export interface Token {
  readonly type: number;
  readonly text: string;
  /** UTF-16 offset; for an inserted token, the offset of the token at which it was inserted. */
  readonly start: number;
  readonly end: number;
  /** Index among all tokens, including whitespace and comments; -1 for an inserted token. */
  readonly index: number;
}

export type LexerReport = (message: string, start: number, end: number) => void;

const identifier = tokenType('IDENTIFIER');
const whitespace = tokenType('WHITESPACE');
const comment = tokenType('COMMENT');

const keywordTypes: ReadonlyMap<string, number> = new Map([
  ['in', tokenType("'in'")],
  ['true', tokenType("'true'")],
  ['false', tokenType("'false'")],
  ['null', tokenType("'null'")],
]);

/** Token patterns in matching order; the first match is the longest. */
const patterns: readonly (readonly [type: number, pattern: RegExp])[] = [
  [whitespace, /[\t\r\n\f ]+/y],
  [comment, /\/\/[^\n]*/y],
  [tokenType('BYTES'), new RegExp(bytesPattern, 'y')],
  [tokenType('STRING'), new RegExp(stringPattern, 'y')],
  [identifier, /[A-Za-z_][A-Za-z0-9_]*/y],
  [tokenType('ESC_IDENTIFIER'), /`[A-Za-z0-9_.\-/ ]+`/y],
  [tokenType('NUM_FLOAT'), new RegExp(doublePattern, 'y')],
  [tokenType('NUM_UINT'), /(?:0x[0-9a-fA-F]+|[0-9]+)[uU]/y],
  [tokenType('NUM_INT'), /(?:0x[0-9a-fA-F]+|[0-9]+)/y],
];

const symbols: readonly (readonly [text: string, type: number])[] = tokenNames
  .flatMap((name, type) =>
    name.startsWith("'") && /\W/.test(name.slice(1, -1))
      ? [[name.slice(1, -1), type] as const]
      : [],
  )
  .sort((a, b) => b[0].length - a[0].length);

/**
 * The tokens of an expression, without whitespace and comments, and the current position among
 * them.
 */
export class TokenStream {
  readonly #text: string;
  readonly #report: LexerReport;
  readonly #all: Token[] = [];
  /** Indexes in `#all` of the tokens that the parser sees. */
  readonly #visible: number[] = [];
  #offset = 0;
  #position = 0;

  constructor(text: string, report: LexerReport) {
    this.#text = text;
    this.#report = report;
  }

  /** Index of the next token among the visible ones. */
  get position(): number {
    return this.#position;
  }

  /** Returns the token `distance` tokens ahead, counted from 1; the end of input repeats. */
  lookahead(distance: number): Token {
    this.#fetch(this.#position + distance);
    const index = Math.min(this.#position + distance, this.#visible.length) - 1;
    const token = this.#all[this.#visible[index] ?? -1];
    if (token === undefined) throw new Error('unreachable: the last token is the end of input');
    return token;
  }

  /** Returns the token before the next one. */
  previous(): Token | undefined {
    return this.#position === 0 ? undefined : this.#all[this.#visible[this.#position - 1] ?? -1];
  }

  advance(): void {
    this.#position++;
    this.#fetch(this.#position + 1);
  }

  /** Returns the source from one token to another, including whitespace. */
  textBetween(first: Token, last: Token): string {
    let text = '';
    for (let index = first.index; index <= last.index; index++) {
      const token = this.#all[index];
      if (token === undefined || token.type === endOfInput) break;
      text += token.text;
    }
    return text;
  }

  #fetch(count: number): void {
    while (this.#visible.length < count && this.#all.at(-1)?.type !== endOfInput) {
      const token = this.#nextToken();
      this.#all.push(token);
      if (token.type !== whitespace && token.type !== comment) {
        this.#visible.push(token.index);
      }
    }
  }

  #nextToken(): Token {
    while (this.#offset < this.#text.length) {
      const start = this.#offset;
      const match = this.#match(start);
      if (match !== undefined) {
        const [type, end] = match;
        this.#offset = end;
        return {
          type,
          text: this.#text.slice(start, end),
          start,
          end,
          index: this.#all.length,
        };
      }
      const failure = failureOffset(this.#text, start);
      const end = failure + ((this.#text.codePointAt(failure) ?? 0) > 0xffff ? 2 : 1);
      this.#offset = Math.min(end, this.#text.length);
      const unknown = this.#text.slice(start, this.#offset);
      this.#report(`token recognition error at: '${unknown}'`, start, this.#offset);
    }
    const end = this.#text.length;
    return { type: endOfInput, text: '<EOF>', start: end, end, index: this.#all.length };
  }

  #match(start: number): readonly [type: number, end: number] | undefined {
    for (const [type, pattern] of patterns) {
      pattern.lastIndex = start;
      if (!pattern.test(this.#text)) continue;
      const end = pattern.lastIndex;
      if (type !== identifier) return [type, end];
      return [keywordTypes.get(this.#text.slice(start, end)) ?? identifier, end];
    }
    const symbol = symbols.find(([text]) => this.#text.startsWith(text, start));
    return symbol === undefined ? undefined : [symbol[1], start + symbol[0].length];
  }
}

/** Returns the offset of the character at which no token can match anymore. */
const failureOffset = (text: string, start: number): number => {
  const first = text.charAt(start);
  if (first === '&' || first === '|' || first === '=') return start + 1;
  if (first === '"' || first === "'") return stringFailureOffset(text, start, first);
  if (first === '`') {
    const name = /`[A-Za-z0-9_.\-/ ]*/y;
    name.lastIndex = start;
    name.test(text);
    return name.lastIndex;
  }
  return start;
};

const stringFailureOffset = (text: string, start: number, quote: string): number => {
  for (let index = start + 1; index < text.length; index++) {
    const character = text.charAt(index);
    if (character === '\n' || character === '\r' || character === quote) return index;
    if (character !== '\\') continue;
    const scanned = scanEscape(text, index + 1);
    if (scanned.failed) return scanned.offset;
    index = scanned.offset - 1;
  }
  return text.length;
};

/** Scans an escape sequence after its backslash, to its end or to the first invalid character. */
const scanEscape = (
  text: string,
  start: number,
): { readonly failed: boolean; readonly offset: number } => {
  const letter = text.charAt(start);
  const { count, digit } = escapeDigits(letter);
  if (count < 0) return { failed: true, offset: start };
  for (let index = start + 1; index <= start + count; index++) {
    if (!digit.test(text.charAt(index)))
      return { failed: true, offset: Math.min(index, text.length) };
  }
  return { failed: false, offset: start + 1 + count };
};

const hexDigit = /^[0-9a-fA-F]$/;
const octalDigit = /^[0-7]$/;

const escapeDigits = (letter: string): { readonly count: number; readonly digit: RegExp } => {
  if (letter === 'x' || letter === 'X') return { count: 2, digit: hexDigit };
  if (letter === 'u') return { count: 4, digit: hexDigit };
  if (letter === 'U') return { count: 8, digit: hexDigit };
  if (/^[0-3]$/.test(letter)) return { count: 2, digit: octalDigit };
  return { count: /^[abfnrtv"'\\?`]$/.test(letter) ? 0 : -1, digit: hexDigit };
};
