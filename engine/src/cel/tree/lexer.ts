/**
 * The tokens of CEL, for chevrotain. cel-go's lexer takes the longest match, chevrotain the first
 * one; the patterns are ordered so that the first match is the longest.
 */
import { createToken, Lexer, type TokenType } from 'chevrotain';

const escapeSequence = String.raw`\\(?:[abfnrtv"'\\?\x60]|[0-3][0-7][0-7]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})`;
/** Matches a string literal with its prefix and quotes. */
export const stringPattern = [
  '[rR]"""[^]*?"""',
  `[rR]'''[^]*?'''`,
  String.raw`[rR]"[^"\n\r]*"`,
  String.raw`[rR]'[^'\n\r]*'`,
  String.raw`"""(?:[^\\]|${escapeSequence})*?"""`,
  String.raw`'''(?:[^\\]|${escapeSequence})*?'''`,
  String.raw`"(?:[^\\"\n\r]|${escapeSequence})*"`,
  String.raw`'(?:[^\\'\n\r]|${escapeSequence})*'`,
].join('|');

/** Matches a bytes literal. */
export const bytesPattern = `[bB](?:${stringPattern})`;

/** Matches a double literal, which has a fraction or an exponent. */
export const doublePattern = String.raw`(?:[0-9]+\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+|\.[0-9]+(?:[eE][+-]?[0-9]+)?)`;

interface TokenOptions {
  readonly longer_alt?: TokenType;
  /**
   * The characters with which the pattern can start. Chevrotain would otherwise parse the pattern to
   * find them, which is a twentieth of the processor time of `authgraph check`.
   */
  readonly start_chars_hint?: string[];
}

const token = (name: string, pattern: string | RegExp, options: TokenOptions = {}) =>
  createToken({ name, pattern, ...options });

const digits = [...'0123456789'];
const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'];

/** The category of all operators between two operands. */
export const BinaryOperator = createToken({ name: 'BinaryOperator', pattern: Lexer.NA });
const operator = (
  name: string,
  pattern: string | RegExp,
  options: { longer_alt?: TokenType } = {},
) => createToken({ name, pattern, categories: [BinaryOperator], ...options });

export const Identifier = token('Identifier', /[A-Za-z_][A-Za-z0-9_]*/, {
  start_chars_hint: [...letters, '_'],
});
export const EscapedIdentifier = token('EscapedIdentifier', /`[A-Za-z0-9_.\-/ ]+`/, {
  start_chars_hint: ['`'],
});
const keyword = { longer_alt: Identifier };
export const In = operator('In', 'in', keyword);
export const True = token('True', 'true', keyword);
export const False = token('False', 'false', keyword);
export const Null = token('Null', 'null', keyword);

const Whitespace = createToken({
  name: 'Whitespace',
  pattern: /[\t\r\n\f ]+/,
  group: Lexer.SKIPPED,
  line_breaks: true,
  start_chars_hint: ['\t', '\r', '\n', '\f', ' '],
});
/** A comment, to the end of the line. The parser ignores comments; the formatter preserves them. */
export const Comment = createToken({
  name: 'Comment',
  pattern: /\/\/[^\n]*/,
  group: 'comments',
  start_chars_hint: ['/'],
});

export const Double = token('Double', new RegExp(doublePattern), {
  start_chars_hint: [...digits, '.'],
});
export const Uint = token('Uint', /(?:0x[0-9a-fA-F]+|[0-9]+)[uU]/, {
  start_chars_hint: digits,
});
export const Int = token('Int', /(?:0x[0-9a-fA-F]+|[0-9]+)/, { start_chars_hint: digits });
export const BytesLiteral = createToken({
  name: 'BytesLiteral',
  pattern: new RegExp(bytesPattern),
  line_breaks: true,
  start_chars_hint: ['b', 'B'],
});
export const StringLiteral = createToken({
  name: 'StringLiteral',
  pattern: new RegExp(stringPattern),
  line_breaks: true,
  start_chars_hint: ['r', 'R', '"', "'"],
});

/** An invalid string literal: the closing quote is missing, or an escape sequence is unknown. */
export const UnfinishedString = createToken({
  name: 'UnfinishedString',
  pattern: /[bB]?[rR]?(?:"(?:[^"\\\n\r]|\\.)*"?|'(?:[^'\\\n\r]|\\.)*'?)/,
  start_chars_hint: ['b', 'B', 'r', 'R', '"', "'"],
});

export const LogicalOr = operator('LogicalOr', '||');
export const LogicalAnd = operator('LogicalAnd', '&&');
export const Equals = operator('Equals', '==');
export const NotEquals = operator('NotEquals', '!=');
export const LessEquals = operator('LessEquals', '<=');
export const GreaterEquals = operator('GreaterEquals', '>=');
export const Less = operator('Less', '<');
export const Greater = operator('Greater', '>');
export const Plus = operator('Plus', '+');
export const Minus = operator('Minus', '-');
export const Star = operator('Star', '*');
export const Slash = operator('Slash', '/');
export const Percent = operator('Percent', '%');

export const Not = token('Not', '!');
export const Dot = token('Dot', '.');
export const Comma = token('Comma', ',');
export const Question = token('Question', '?');
export const Colon = token('Colon', ':');
export const LeftBracket = token('LeftBracket', '[');
export const RightBracket = token('RightBracket', ']');
export const LeftBrace = token('LeftBrace', '{');
export const RightBrace = token('RightBrace', '}');
export const LeftParen = token('LeftParen', '(');
export const RightParen = token('RightParen', ')');

/** All token types, in matching order. */
export const allTokens: TokenType[] = [
  Whitespace,
  Comment,
  BytesLiteral,
  StringLiteral,
  UnfinishedString,
  In,
  True,
  False,
  Null,
  Identifier,
  EscapedIdentifier,
  Double,
  Uint,
  Int,
  LogicalOr,
  LogicalAnd,
  Equals,
  NotEquals,
  LessEquals,
  GreaterEquals,
  Less,
  Greater,
  Plus,
  Minus,
  Star,
  Slash,
  Percent,
  Not,
  Dot,
  Comma,
  Question,
  Colon,
  LeftBracket,
  RightBracket,
  LeftBrace,
  RightBrace,
  LeftParen,
  RightParen,
  BinaryOperator,
];

let lexer: Lexer | undefined;

/** Returns the lexer, which is built on first use and shared. */
export const celLexer = (): Lexer => {
  lexer ??= new Lexer(allTokens, {
    positionTracking: 'onlyOffset',
    skipValidations: true,
    ensureOptimizations: false,
  });
  return lexer;
};
