/**
 * Quotes strings like Go's `%q`: double quotes, named escapes where they exist, and `\u…` for all
 * other characters that are not printable.
 */

/** Quotes a string: `say "é"` becomes `"say \"é\""`. A lone surrogate prints as U+FFFD. */
export const goQuote = (text: string): string => goQuoteSurrogates(text, () => undefined);

/** Quotes a string in which `quoteSurrogate` prints the lone surrogates for which it returns a string. */
export const goQuoteSurrogates = (
  text: string,
  quoteSurrogate: (code: number) => string | undefined,
): string => {
  if (plain.test(text)) return `"${text}"`;
  const quote = (character: string): string => {
    const code = character.charCodeAt(0);
    const isSurrogate = character.length === 1 && code >= 0xd800 && code <= 0xdfff;
    return isSurrogate ? (quoteSurrogate(code) ?? '\ufffd') : quoteCharacter(character, '"');
  };
  let quoted = '';
  for (let at = 0; at < text.length; ) {
    const end = endOfPiece(text, at);
    quoted += text.slice(at, end).replace(special, quote);
    at = end;
  }
  return `"${quoted}"`;
};

/** Characters that are replaced at a time: the replacement needs many times their memory. */
const pieceLength = 16_384;

/** Returns the end of a piece of the text; it does not divide a surrogate pair. */
const endOfPiece = (text: string, start: number): number => {
  const end = start + pieceLength;
  const last = text.charCodeAt(end - 1);
  return last >= 0xd800 && last <= 0xdbff ? end + 1 : end;
};

/** Everything except for printable ASCII other than quotes and backslashes. */
const special = /[^ !#-[\]-~]/gu;

/** Printable ASCII except for quotes and backslashes. */
const plain = /^[ !#-[\]-~]*$/;

/** Quotes one byte, interpreted as a code point, in single quotes: `'x'`, `'\n'`, `'ï'`. */
export const goQuoteByte = (byte: number): string =>
  `'${quoteCharacter(String.fromCodePoint(byte), "'")}'`;

/** Quotes a list like `%q`: `["a" "b"]`. */
export const goQuoteList = (texts: readonly string[]): string =>
  `[${texts.map(goQuote).join(' ')}]`;

/** The escapes with names, except that of the quote. */
export const namedEscapes: ReadonlyMap<string, string> = new Map([
  ['\u0007', '\\a'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\v', '\\v'],
  ['\\', '\\\\'],
]);

const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

/** Checks whether Go prints the character without an escape; of all white space only the space. */
export const isPrint = (character: string): boolean => printable.test(character);

const quoteCharacter = (character: string, quote: string): string => {
  if (character === quote) return `\\${quote}`;
  const namedEscape = namedEscapes.get(character);
  if (namedEscape !== undefined) return namedEscape;
  if (isPrint(character)) return character;
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20 || code === 0x7f) return `\\x${code.toString(16).padStart(2, '0')}`;
  return code < 0x10000
    ? `\\u${code.toString(16).padStart(4, '0')}`
    : `\\U${code.toString(16).padStart(8, '0')}`;
};
