/**
 * Text in quotes as the real server prints it (`%q`): double quotes, short escapes where there are
 * some, everything that does not print as `\u…`.
 */

/** `say "é"` -> `"say \"é\""`. A lone surrogate prints as the replacement character. */
export const goQuote = (text: string): string => {
  if (plain.test(text)) return `"${text}"`;
  let quoted = '"';
  for (const character of text.toWellFormed()) quoted += quoteCharacter(character, '"');
  return `${quoted}"`;
};

/** Printable ASCII but quote and backslash. */
const plain = /^[ !#-[\]-~]*$/;

/** One byte in single quotes, read as the code point of that number: `'x'`, `'\n'`, `'ï'`. */
export const goQuoteByte = (byte: number): string =>
  `'${quoteCharacter(String.fromCodePoint(byte), "'")}'`;

/** A list as `%q` prints it: `["a" "b"]`. */
export const goQuoteList = (texts: readonly string[]): string =>
  `[${texts.map(goQuote).join(' ')}]`;

const namedEscapes: ReadonlyMap<string, string> = new Map([
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

/** Whether Go shows the character as it is: of all white space only the plain space. */
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
