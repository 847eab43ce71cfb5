/**
 * The words of the language, for chevrotain. Patterns are written so that the first that fits is also
 * the longest, which is how the reference implementation chooses.
 */
import { createToken, Lexer, type TokenType } from 'chevrotain';

const escapeSequence = String.raw`\\(?:[abfnrtv"'\\?\x60]|[0-3][0-7][0-7]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})`;
/** A string literal, prefix and quotes included. */
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

/** A bytes literal. */
export const bytesPattern = `[bB](?:${stringPattern})`;

/** A double, which needs a fraction or an exponent. */
export const doublePattern = String.raw`(?:[0-9]+\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+|\.[0-9]+(?:[eE][+-]?[0-9]+)?)`;

const token = (name: string, pattern: string | RegExp, options: { longer_alt?: TokenType } = {}) =>
  createToken({ name, pattern, ...options });

/** Anything that stands between two operands; a category, not a word. */
export const BinaryOperator = createToken({ name: 'BinaryOperator', pattern: Lexer.NA });
const operator = (
  name: string,
  pattern: string | RegExp,
  options: { longer_alt?: TokenType } = {},
) => createToken({ name, pattern, categories: [BinaryOperator], ...options });

export const Identifier = token('Identifier', /[A-Za-z_][A-Za-z0-9_]*/);
export const EscapedIdentifier = token('EscapedIdentifier', /`[A-Za-z0-9_.\-/ ]+`/);
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
});
/** Comments run to the end of the line; the formatter reads them, the parser does not. */
export const Comment = createToken({ name: 'Comment', pattern: /\/\/[^\n]*/, group: 'comments' });

export const Double = token('Double', new RegExp(doublePattern));
export const Uint = token('Uint', /(?:0x[0-9a-fA-F]+|[0-9]+)[uU]/);
export const Int = token('Int', /(?:0x[0-9a-fA-F]+|[0-9]+)/);
export const BytesLiteral = createToken({
  name: 'BytesLiteral',
  pattern: new RegExp(bytesPattern),
  line_breaks: true,
});
export const StringLiteral = createToken({
  name: 'StringLiteral',
  pattern: new RegExp(stringPattern),
  line_breaks: true,
});

/** Text in quotes that is no string: never closed, or with an escape that there is not. */
export const UnfinishedString = createToken({
  name: 'UnfinishedString',
  pattern: /[bB]?[rR]?(?:"(?:[^"\\\n\r]|\\.)*"?|'(?:[^'\\\n\r]|\\.)*'?)/,
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

/** All token types, in the order in which they are tried. */
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

/** The one lexer of the process, built when first asked for. */
export const celLexer = (): Lexer => {
  lexer ??= new Lexer(allTokens, {
    positionTracking: 'onlyOffset',
    skipValidations: true,
    ensureOptimizations: false,
  });
  return lexer;
};
