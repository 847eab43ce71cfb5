/**
 * `format` of the latest strings library, which only conformance tests select: numbers are not
 * localized, and nested strings not quoted.
 */

import { toStringValue } from '../../../engine/src/cel/values/conversions.ts';
import { fixedDigits, scientificDigits } from '../../../engine/src/cel/values/exact-decimal.ts';
import { isMap, mapEntries } from '../../../engine/src/cel/values/map-value.ts';
import {
  type FormatStyle,
  formatDecimal,
  formatStringWith,
  unprintableArgument,
} from '../../../engine/src/cel/values/string-format.ts';
import {
  CelBytes,
  CelError,
  type CelResult,
  type CelValue,
  isList,
} from '../../../engine/src/cel/values/value.ts';
import { formatDoublePlain } from '../../../engine/src/formats/go-float.ts';

/** Evaluates `format` of the latest strings library. */
export const formatStringLatest = (text: CelValue = null, args: CelValue = null): CelResult =>
  formatStringWith(plainStyle, text, args);

const printValue = (value: CelValue): string | CelError => {
  if (isList(value)) return joinParts(value.map(printValue), '[', ']');
  if (isMap(value)) {
    const entries = mapEntries(value).map(([key, entry]): string | CelError => {
      const name = printValue(key);
      const text = printValue(entry);
      if (name instanceof CelError) return name;
      return text instanceof CelError ? text : `${name}: ${text}`;
    });
    return joinParts(entries.sort(), '{', '}');
  }
  if (value === null) return 'null';
  if (typeof value === 'number') return formatSpecial(value) ?? formatDoublePlain(value);
  if (value instanceof CelBytes) return new TextDecoder().decode(value.bytes);
  const text = toStringValue(value);
  return typeof text === 'string' ? text : unprintableArgument(value);
};

const joinParts = (
  parts: readonly (string | CelError)[],
  open: string,
  close: string,
): string | CelError => {
  const wrong = parts.find((part) => part instanceof CelError);
  return wrong ?? open + parts.join(', ') + close;
};

const formatSpecial = (value: number): string | undefined => {
  if (Number.isNaN(value)) return 'NaN';
  if (Number.isFinite(value)) return undefined;
  return value < 0 ? '-Infinity' : 'Infinity';
};

const signOf = (value: number): string => (value < 0 || Object.is(value, -0) ? '-' : '');

/** The maximum number of decimals. */
const maxPlaces = 100_000;

const plainStyle: FormatStyle = {
  decimal: (value) =>
    typeof value === 'number'
      ? (formatSpecial(value) ?? formatDoublePlain(value))
      : formatDecimal(value),
  string: printValue,
  fixed: (value, places) => {
    const special = formatSpecial(value);
    if (special !== undefined) return special;
    const { whole, fraction } = fixedDigits(value, Math.min(places, maxPlaces));
    return places === 0 ? signOf(value) + whole : `${signOf(value)}${whole}.${fraction}`;
  },
  scientific: (value, places) => {
    const special = formatSpecial(value);
    if (special !== undefined) return special;
    const { digits, exponent } = scientificDigits(value, Math.min(places, maxPlaces));
    const mantissa = places === 0 ? digits : `${digits[0]}.${digits.slice(1)}`;
    const power = String(Math.abs(exponent)).padStart(2, '0');
    return `${signOf(value)}${mantissa}e${exponent < 0 ? '-' : '+'}${power}`;
  },
};
