/**
 * Implements `format` of the strings library. This file parses the clauses; a style formats the
 * values. The API server's version of the library localizes numbers for `en_US`, the latest version
 * does not.
 */

import { hexOf } from '../../formats/bytes.ts';
import { goQuote } from '../../formats/go-quote.ts';
import { isZero, trimEnd } from '../../formats/trim.ts';
import { encodeUtf8 } from '../../formats/utf8.ts';
import { toStringValue } from './conversions.ts';
import { fixedDigits, scientificDigits, shortestDigits } from './exact-decimal.ts';
import { maxInt64 } from './int64.ts';
import { isMap, type MapValue, mapEntries } from './map-value.ts';
import { typeNameOf } from './runtime-type.ts';
import { formatClauseErrors } from './string-format-errors.ts';
import { CelDuration, CelTimestamp } from './time.ts';
import {
  type Body,
  CelBytes,
  CelError,
  type CelResult,
  CelTypeValue,
  CelUint,
  type CelValue,
  isList,
  noSuchOverload,
} from './value.ts';

/** Formats doubles and nested values. */
export interface FormatStyle {
  /** Formats a value for `%d`. */
  readonly decimal: (value: CelValue) => string | CelError;
  /** Formats a value for `%s`. */
  string(value: CelValue): string | CelError;
  fixed(value: number, places: number): string;
  scientific(value: number, places: number): string;
}

const defaultPlaces = 6;

/** Evaluates `string.format(list)` in the API server's style. */
export const formatString: Body = (text = null, args = null) =>
  formatStringWith(americanStyle, text, args);

/** Evaluates `string.format(list)` up to 1.32, where spaces surround the sign of an exponent. */
export const formatStringUntil32: Body = (text = null, args = null) =>
  formatStringWith(spacedStyle, text, args);

/** Evaluates `string.format(list)` in a style. */
export const formatStringWith = (style: FormatStyle, text: CelValue, args: CelValue): CelResult => {
  if (typeof text !== 'string' || !isList(args)) return noSuchOverload;
  let result = '';
  let used = 0;
  let end = 0;
  for (let at = text.indexOf('%'); at >= 0; at = text.indexOf('%', end)) {
    result += text.slice(end, at);
    end = at + 1;
    if (text[end] === '%') {
      result += '%';
      end++;
      continue;
    }
    const value = args[used];
    if (value === undefined) return new CelError(`index ${used} out of range`);
    if (end === text.length) return new CelError('unexpected end of string');
    const clause = readClause(text, end);
    if (clause instanceof CelError) return clause;
    const filled = formatClause(style, clause, value);
    if (filled instanceof CelError) return wrapError('error during formatting', filled);
    result += filled;
    end = clause.end;
    used++;
  }
  return result + text.slice(end);
};

interface Clause {
  readonly letter: ClauseLetter;
  readonly places: number;
  /** The index after the clause. */
  readonly end: number;
}

const clauseLetters = ['s', 'd', 'f', 'e', 'b', 'x', 'X', 'o'] as const;
export type ClauseLetter = (typeof clauseLetters)[number];

const precisionPattern = /\.([0-9]*)/y;

/** Parses the clause whose percent sign precedes `from`. */
export const readClause = (text: string, from: number): Clause | CelError => {
  precisionPattern.lastIndex = from;
  const precision = precisionPattern.exec(text);
  const error = precision === null ? undefined : precisionError(precision, text.length);
  if (error !== undefined) {
    return new CelError(
      `could not parse formatting clause: error while parsing precision: ${error}`,
    );
  }
  const at = from + (precision?.[0].length ?? 0);
  const letter = clauseLetters.find((each) => each === text[at]);
  if (letter === undefined) {
    // cel-go reads bytes and prints only the first one of a character.
    const [byte = 0] = encodeUtf8(String.fromCodePoint(text.codePointAt(at) ?? 0));
    return new CelError(
      `could not parse formatting clause: unrecognized formatting clause "${String.fromCharCode(byte)}"`,
    );
  }
  return { letter, places: Number(precision?.[1] ?? defaultPlaces), end: at + 1 };
};

const precisionError = (
  { 0: { length }, 1: digits = '', index }: RegExpExecArray,
  textLength: number,
): string | undefined => {
  if (index + length === textLength) return 'could not find end of precision specifier';
  const problem = digits === '' ? 'invalid syntax' : 'value out of range';
  return digits === '' || isBeyondInt64(digits)
    ? `error while converting precision to integer: strconv.Atoi: parsing "${digits}": ${problem}`
    : undefined;
};

const isBeyondInt64 = (digits: string): boolean => {
  const written = digits.replace(/^0+/, '');
  return written.length > 19 || BigInt(written) > maxInt64;
};

const formatClause = (style: FormatStyle, clause: Clause, value: CelValue): string | CelError => {
  switch (clause.letter) {
    case 's':
      return style.string(value);
    case 'd':
      return style.decimal(value);
    case 'f':
      return formatDoubleClause(value, formatClauseErrors.fixed, (number) =>
        style.fixed(number, clause.places),
      );
    case 'e':
      return formatDoubleClause(value, formatClauseErrors.scientific, (number) =>
        style.scientific(number, clause.places),
      );
    case 'b':
      return formatBinary(value);
    case 'o':
      return formatOctal(value);
    default:
      return formatHex(value, clause.letter === 'X');
  }
};

const integerOf = (value: CelValue): bigint | undefined => {
  if (value instanceof CelUint) return value.value;
  return typeof value === 'bigint' ? value : undefined;
};

/** Formats an integer for `%d`. */
export const formatDecimal = (value: CelValue): string | CelError =>
  integerOf(value)?.toString() ?? invalidArgument(formatClauseErrors.decimal, value);

const formatDoubleClause = (
  value: CelValue,
  message: string,
  print: (number: number) => string,
): string | CelError => {
  const number = typeof value === 'string' ? specialDoubles.get(value) : value;
  if (typeof number === 'number') return print(number);
  return invalidArgument(message, value);
};

const specialDoubles: ReadonlyMap<string, number> = new Map([
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
]);

const formatBinary = (value: CelValue): string | CelError => {
  if (typeof value === 'boolean') return value ? '1' : '0';
  return integerOf(value)?.toString(2) ?? invalidArgument(formatClauseErrors.binary, value);
};

const formatOctal = (value: CelValue): string | CelError =>
  integerOf(value)?.toString(8) ?? invalidArgument(formatClauseErrors.octal, value);

const formatHex = (value: CelValue, upper: boolean): string | CelError => {
  const digits = hexDigits(value);
  if (digits === undefined) {
    return invalidArgument(formatClauseErrors.hex, value);
  }
  return upper ? digits.toUpperCase() : digits;
};

const hexDigits = (value: CelValue): string | undefined => {
  if (typeof value === 'string') return hexOf(encodeUtf8(value));
  return value instanceof CelBytes ? hexOf(value.bytes) : integerOf(value)?.toString(16);
};

const invalidArgument = (rule: string, value: CelValue): CelError =>
  new CelError(`${rule}, was given ${typeNameOf(value)}`);

/** Returns the error for a value that `%s` cannot print. */
export const unprintableArgument = (value: CelValue): CelError =>
  invalidArgument(formatClauseErrors.string, value);

const wrapError = (what: string, error: CelError): CelError =>
  new CelError(`${what}: ${error.message}`);

const printValue = (value: CelValue): string | CelError => {
  if (isList(value)) return printList(value);
  if (isMap(value)) return printMap(value);
  if (value === null) return 'null';
  if (!isPrintable(value)) return unprintableArgument(value);
  const text = toStringValue(value);
  if (typeof text === 'string') return text;
  const message = text instanceof CelError ? text.message : '';
  return new CelError(`could not convert argument ${goQuote(message)} to string`);
};

const isPrintable = (value: CelValue): boolean =>
  typeof value !== 'object' ||
  value instanceof CelUint ||
  value instanceof CelBytes ||
  value instanceof CelTypeValue ||
  value instanceof CelTimestamp ||
  value instanceof CelDuration;

const printList = (list: readonly CelValue[]): string | CelError => {
  const parts: string[] = [];
  for (const element of list) {
    const part = printNested(element);
    if (part instanceof CelError) return part;
    parts.push(part);
  }
  return `[${parts.join(', ')}]`;
};

const printMap = (map: MapValue): string | CelError => {
  const parts: { readonly key: string; readonly text: string }[] = [];
  for (const [key, value] of mapEntries(map)) {
    const name = printKey(key);
    if (name instanceof CelError) return name;
    const text = printNested(value);
    if (text instanceof CelError) return text;
    parts.push({ key: name, text: `${name}:${text}` });
  }
  parts.sort((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)));
  return `{${parts.map((part) => part.text).join(', ')}}`;
};

const printKey = (key: CelValue): string | CelError => {
  if (typeof key === 'string') return goQuote(key);
  if (typeof key === 'boolean') return String(key);
  const whole = integerOf(key);
  if (whole !== undefined) return whole.toString();
  return new CelError(`no formatting function for map key of type ${typeNameOf(key)}`);
};

const printNested = (value: CelValue): string | CelError => {
  if (typeof value === 'number') return printNestedDouble(value);
  if (value !== null && !isList(value) && !isMap(value) && !isPrintable(value)) {
    return new CelError(`no formatting function for ${typeNameOf(value)}`);
  }
  const text = printValue(value);
  if (text instanceof CelError) return text;
  if (typeof value === 'string') return goQuote(text);
  if (value instanceof CelBytes) return `b${goQuote(text)}`;
  if (value instanceof CelTimestamp) return `timestamp(${goQuote(text)})`;
  return value instanceof CelDuration ? `duration(${goQuote(text)})` : text;
};

const printNestedDouble = (value: number): string => {
  const special = formatSpecial(value, 'Inf');
  if (special !== undefined)
    return special.endsWith('Inf') && value > 0 ? '"+Inf"' : `"${special}"`;
  const { whole, fraction } = fixedDigits(value, defaultPlaces);
  return `${Object.is(value, -0) || value < 0 ? '-' : ''}${whole}.${fraction}`;
};

const formatSpecial = (value: number, infinity: string): string | undefined => {
  if (Number.isNaN(value)) return 'NaN';
  if (Number.isFinite(value)) return undefined;
  return value < 0 ? `-${infinity}` : infinity;
};

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** Go stops parsing a precision when another digit follows a number greater than a million. */
const isPrecisionTooLarge = (places: number): boolean => Math.floor(places / 10) > 1_000_000;
const noVerb = '%!(NOVERB)';

/**
 * Go stores the minimum number of decimals in 8 bits and the maximum in 16 bits with a sign. Up to
 * 255 both are the precision; above, trailing zeros are omitted. If the maximum is negative, the
 * shortest representation is written.
 */
const digitsOf = (
  value: number,
  places: number,
): { readonly whole: string; readonly fraction: string } => {
  const minDecimals = places & 0xff;
  const maxDecimals = (places << 16) >> 16;
  const { whole, fraction } =
    maxDecimals < 0 ? shortestDigits(value) : fixedDigits(value, maxDecimals);
  return {
    whole,
    fraction: trimEnd(maxDecimals === 0 ? '' : fraction, isZero).padEnd(minDecimals, '0'),
  };
};

const americanStyle: FormatStyle = {
  decimal: (value) => formatDecimal(value),
  string: printValue,
  fixed: (value, places) => {
    if (isPrecisionTooLarge(places)) return noVerb;
    const special = formatSpecial(value, '∞');
    if (special !== undefined) return special;
    const { whole, fraction } = digitsOf(value, places);
    const grouped = whole.replace(/\B(?=(?:[0-9]{3})+$)/g, ',');
    const sign = value < 0 ? '-' : '';
    return fraction === '' ? sign + grouped : `${sign}${grouped}.${fraction}`;
  },
  scientific: scientificFormatter('×'),
};

/** Uses narrow no-break spaces, as golang.org/x/text did at that time. */
const spacedStyle: FormatStyle = {
  ...americanStyle,
  scientific: scientificFormatter('\u202f×\u202f'),
};

/** Uses the precision as the width, like cel-go; results depend on that bug. */
function scientificFormatter(sign: string): (value: number, precision: number) => string {
  return (value, precision) => {
    if (isPrecisionTooLarge(precision)) return noVerb;
    const width = precision & 0xffff;
    const special = formatSpecial(value, '∞');
    if (special !== undefined) return special.padStart(width);
    const { digits, exponent } = scientificDigits(value, defaultPlaces);
    const power = String(Math.abs(exponent))
      .padStart(2, '0')
      .replace(/[0-9]/g, (digit) => superscripts[Number(digit)] ?? digit);
    const mantissa = `${value < 0 ? '-' : ''}${digits[0]}.${digits.slice(1)}`;
    return `${mantissa}${sign}10${exponent < 0 ? '⁻' : ''}${power}`.padStart(width);
  };
}
