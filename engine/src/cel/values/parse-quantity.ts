/**
 * Parses quantities like Kubernetes: numbers of few digits as int64, all others as exact decimals.
 */
import { isZero, trimStart } from '../../formats/trim.ts';
import { sizeLimitExceeded } from './arithmetic.ts';
import {
  CelQuantity,
  maxQuantityExponent,
  type QuantityAmount,
  type QuantityFormat,
} from './quantity-value.ts';
import { CelError } from './value.ts';

const formatError = new CelError(
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
);
const suffixError = new CelError("unable to parse quantity's suffix");

/** Parses a quantity. */
export const parseQuantity = (text: string): CelQuantity | CelError => {
  const match = /^([+-]?)([0-9]*)(?:\.([0-9]*))?((?:[eEinumkKMGTP]+[-+]?|[-+])[0-9]*)?$/.exec(text);
  if (text === '' || match === null) return formatError;
  if (text === '0') {
    return new CelQuantity({ amount: zero, format: 'decimalSi', isSmall: true, text });
  }
  const [, sign = '', digits = '', fraction = '', suffix = ''] = match;
  const whole = trimStart(digits, isZero);
  const scale = interpretSuffix(suffix);
  if (scale === undefined) return suffixError;
  const parts = { negative: sign === '-', whole: whole === '' ? '0' : whole, fraction };
  return parseInt64Amount(text, parts, scale) ?? parseDecimalAmount(parts, scale);
};

interface NumberParts {
  readonly negative: boolean;
  readonly whole: string;
  readonly fraction: string;
}

interface SuffixScale {
  readonly base: 2 | 10;
  readonly exponent: number;
  readonly format: QuantityFormat;
}

const zero: QuantityAmount = { unscaled: 0n, exponent: 0 };

const suffixes: ReadonlyMap<string, SuffixScale> = new Map<string, SuffixScale>([
  ...['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'].map(
    (suffix, index): [string, SuffixScale] => [
      suffix,
      { base: 10, exponent: (index - 3) * 3, format: 'decimalSi' },
    ],
  ),
  ...['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'].map((suffix, index): [string, SuffixScale] => [
    suffix,
    { base: 2, exponent: (index + 1) * 10, format: 'binarySi' },
  ]),
]);

const interpretSuffix = (suffix: string): SuffixScale | undefined => {
  const siSuffix = suffixes.get(suffix);
  if (siSuffix !== undefined) return siSuffix;
  const match = /^[eE]([+-]?[0-9]+)$/.exec(suffix);
  if (match === null) return undefined;
  const exponent = BigInt((match[1] ?? '').replace('+', ''));
  if (exponent !== BigInt.asIntN(64, exponent)) return undefined;
  return { base: 10, exponent: Number(BigInt.asIntN(32, exponent)), format: 'decimalExponent' };
};

/** Parses a number of few digits as int64; returns `undefined` for others. */
const parseInt64Amount = (
  text: string,
  parts: NumberParts,
  scale: SuffixScale,
): CelQuantity | undefined => {
  const { base, exponent, format } = scale;
  const shifted = parts.whole + parts.fraction;
  const sign = parts.negative ? -1n : 1n;
  if (base === 2) {
    const digitsOfBase = Math.trunc((Math.fround(exponent) * 3) / 10);
    if (parts.fraction !== '' || 15 - parts.whole.length - digitsOfBase - 1 < 0) return undefined;
    const value = BigInt(parts.whole);
    const unscaled = sign * value * (1n << BigInt(exponent));
    const cachedText = value % 8n === 0n ? undefined : text;
    return new CelQuantity({
      amount: { unscaled, exponent: 0 },
      format,
      isSmall: true,
      text: cachedText,
    });
  }
  const power = exponent - parts.fraction.length;
  if (shifted.length > 18 || power < -9) return undefined;
  const isCanonical = power % 3 === 0 && !shifted.endsWith('000') && !shifted.startsWith('0');
  return new CelQuantity({
    amount: { unscaled: sign * BigInt(shifted), exponent: power },
    format,
    isSmall: true,
    text: isCanonical ? text : undefined,
  });
};

/** Parses any number. It is rounded up to nanos, and limited to int64 in the binary format. */
const parseDecimalAmount = (parts: NumberParts, scale: SuffixScale): CelQuantity | CelError => {
  const { base, exponent } = scale;
  if (Math.abs(exponent) > maxQuantityExponent) return sizeLimitExceeded;
  const factor = base === 2 ? 1n << BigInt(exponent) : 1n;
  const power = (base === 10 ? exponent : 0) - parts.fraction.length;
  const nanos = roundUp(BigInt(parts.whole + parts.fraction) * factor, power + 9);
  const limited = scale.format === 'binarySi' && nanos > maxNanos ? maxNanos : nanos;
  const isFraction = limited > 0n && limited < 1_000_000_000n;
  return new CelQuantity({
    amount: { unscaled: parts.negative ? -limited : limited, exponent: -9 },
    format: scale.format === 'binarySi' && isFraction ? 'decimalSi' : scale.format,
    isSmall: false,
  });
};

const maxNanos = (2n ** 63n - 1n) * 1_000_000_000n;

const roundUp = (value: bigint, power: number): bigint => {
  if (power >= 0) return value * 10n ** BigInt(power);
  const divisor = 10n ** BigInt(-power);
  return value / divisor + (value % divisor === 0n ? 0n : 1n);
};
