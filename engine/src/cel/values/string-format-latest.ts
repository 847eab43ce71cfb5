/** `format` of the newest strings library, which only conformance tests select: plain numbers, no quotes. */

import { formatDoublePlain } from '../../formats/double-text.ts';
import { toText } from './conversions.ts';
import { fixedDigits, scientificDigits } from './exact-decimal.ts';
import { isMap, mapEntries } from './map-value.ts';
import { decimal, type FormatStyle, formatWith, refusedText } from './string-format.ts';
import { CelBytes, CelError, type CelResult, type CelValue, isList } from './value.ts';

/** Fills the clauses of a text. */
export const formatTextLatest = (text: CelValue = null, args: CelValue = null): CelResult =>
  formatWith(plainStyle, text, args);

const printText = (value: CelValue): string | CelError => {
  if (isList(value)) return printAll(value.map(printText), '[', ']');
  if (isMap(value)) {
    const entries = mapEntries(value).map(([key, entry]): string | CelError => {
      const name = printText(key);
      const text = printText(entry);
      if (name instanceof CelError) return name;
      return text instanceof CelError ? text : `${name}: ${text}`;
    });
    return printAll(entries.sort(), '{', '}');
  }
  if (value === null) return 'null';
  if (typeof value === 'number') return special(value) ?? formatDoublePlain(value);
  if (value instanceof CelBytes) return new TextDecoder().decode(value.bytes);
  const text = toText(value);
  return typeof text === 'string' ? text : refusedText(value);
};

const printAll = (
  parts: readonly (string | CelError)[],
  open: string,
  close: string,
): string | CelError => {
  const wrong = parts.find((part) => part instanceof CelError);
  return wrong ?? open + parts.join(', ') + close;
};

const special = (value: number): string | undefined => {
  if (Number.isNaN(value)) return 'NaN';
  if (Number.isFinite(value)) return undefined;
  return value < 0 ? '-Infinity' : 'Infinity';
};

const signOf = (value: number): string => (value < 0 || Object.is(value, -0) ? '-' : '');

/** Most digits after the point. */
const maxPlaces = 100_000;

const plainStyle: FormatStyle = {
  decimal: (value) =>
    typeof value === 'number' ? (special(value) ?? formatDoublePlain(value)) : decimal(value),
  text: printText,
  fixed: (value, places) => {
    const named = special(value);
    if (named !== undefined) return named;
    const { whole, fraction } = fixedDigits(value, Math.min(places, maxPlaces));
    return places === 0 ? signOf(value) + whole : `${signOf(value)}${whole}.${fraction}`;
  },
  scientific: (value, places) => {
    const named = special(value);
    if (named !== undefined) return named;
    const { digits, exponent } = scientificDigits(value, Math.min(places, maxPlaces));
    const mantissa = places === 0 ? digits : `${digits[0]}.${digits.slice(1)}`;
    const power = String(Math.abs(exponent)).padStart(2, '0');
    return `${signOf(value)}${mantissa}e${exponent < 0 ? '-' : '+'}${power}`;
  },
};
