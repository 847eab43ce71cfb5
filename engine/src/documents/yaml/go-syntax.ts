/** Formats values like Go's `%#v`, which some messages of the YAML loader contain. */
import { goQuote } from '../../formats/go-quote.ts';
import type { ScalarValue } from './yaml-scalar.ts';

export type LoadedValue =
  | ScalarValue
  | { readonly kind: 'array'; readonly items: readonly LoadedValue[] }
  | { readonly kind: 'object'; readonly entries: () => readonly LoadedEntry[] };

export interface LoadedEntry {
  readonly key: LoadedValue;
  readonly value: LoadedValue;
}

/** Formats a top-level value; nil is `<nil>`. */
export const goSyntax = (value: LoadedValue): string =>
  value.kind === 'null' ? '<nil>' : nestedSyntax(value);

const nestedSyntax = (value: LoadedValue): string => {
  switch (value.kind) {
    case 'null':
      return 'interface {}(nil)';
    case 'bool':
      return String(value.value);
    case 'int':
      return value.value > 2n ** 63n - 1n ? `0x${value.value.toString(16)}` : String(value.value);
    case 'float':
      return goFloat(value.value);
    case 'string':
      return goQuote(value.text);
    case 'array':
      return `[]interface {}{${value.items.map(nestedSyntax).join(', ')}}`;
    case 'object':
      return `map[interface {}]interface {}{${sorted(value.entries())
        .map((entry) => `${nestedSyntax(entry.key)}:${nestedSyntax(entry.value)}`)
        .join(', ')}}`;
  }
};

/** Sorts keys like Go prints maps: null, then numbers by kind, then strings. */
const sorted = (entries: readonly LoadedEntry[]): readonly LoadedEntry[] =>
  [...entries].sort((a, b) => {
    const byKind = rank(a.key) - rank(b.key);
    if (byKind !== 0) return byKind;
    if (a.key.kind === 'int' && b.key.kind === 'int') return a.key.value < b.key.value ? -1 : 1;
    if (a.key.kind === 'float' && b.key.kind === 'float') return a.key.value - b.key.value;
    return nestedSyntax(a.key) < nestedSyntax(b.key) ? -1 : 1;
  });

const ranks = ['null', 'int', 'float', 'string', 'bool', 'array', 'object'];
const rank = (value: LoadedValue): number => ranks.indexOf(value.kind);

const goFloat = (value: number): string => {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  return shortest(value, (digits) => Number(value.toExponential(digits)) === value);
};

/** Formats a float as a JSON key: Go's shortest 32-bit representation. */
export const goFloatKey = (value: number): string => {
  if (Number.isNaN(value)) return '.nan';
  const single = Math.fround(value);
  if (!Number.isFinite(single)) return value > 0 ? '.inf' : '-.inf';
  return shortest(single, (digits) => Math.fround(Number(single.toExponential(digits))) === single);
};

/**
 * Formats a number like `%g` with the fewest sufficient digits; exponents outside of -4…5 are
 * printed.
 */
const shortest = (value: number, isEnough: (digits: number) => boolean): string => {
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  let digits = 0;
  while (digits < 16 && !isEnough(digits)) digits += 1;
  const [mantissa = '0', power = '0'] = value.toExponential(digits).split('e');
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 6) return plainDecimal(mantissa, exponent);
  const sign = exponent < 0 ? '-' : '+';
  return `${mantissa}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`;
};

const plainDecimal = (mantissa: string, exponent: number): string => {
  const negative = mantissa.startsWith('-');
  const digits = mantissa.replace(/[-.]/g, '');
  const point = exponent + 1;
  const text =
    point <= 0
      ? `0.${'0'.repeat(-point)}${digits}`
      : point >= digits.length
        ? digits + '0'.repeat(point - digits.length)
        : `${digits.slice(0, point)}.${digits.slice(point)}`;
  return negative ? `-${text}` : text;
};
