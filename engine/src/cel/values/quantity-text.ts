/** Text -> quantity, in the real parser's two ways: small numbers quickly, everything else exactly. */
import { isZero, trimStart } from '../../formats/trim.ts';
import { tooLong } from './arithmetic.ts';
import {
  CelQuantity,
  maxQuantityExponent,
  type QuantityAmount,
  type QuantityFormat,
} from './quantity-value.ts';
import { CelError } from './value.ts';

const wrongForm = new CelError(
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
);
const wrongSuffix = new CelError("unable to parse quantity's suffix");

/** Reads a quantity. */
export const parseQuantity = (text: string): CelQuantity | CelError => {
  const match = /^([+-]?)([0-9]*)(?:\.([0-9]*))?((?:[eEinumkKMGTP]+[-+]?|[-+])[0-9]*)?$/.exec(text);
  if (text === '' || match === null) return wrongForm;
  if (text === '0') {
    return new CelQuantity({ amount: zero, format: 'decimalSi', small: true, text });
  }
  const [, sign = '', digits = '', fraction = '', suffix = ''] = match;
  const whole = trimStart(digits, isZero);
  const scale = interpretSuffix(suffix);
  if (scale === undefined) return wrongSuffix;
  const parts = { negative: sign === '-', whole: whole === '' ? '0' : whole, fraction };
  return parseSmall(text, parts, scale) ?? parseBig(parts, scale);
};

interface Parts {
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
  const known = suffixes.get(suffix);
  if (known !== undefined) return known;
  const match = /^[eE]([+-]?[0-9]+)$/.exec(suffix);
  if (match === null) return undefined;
  const exponent = BigInt((match[1] ?? '').replace('+', ''));
  if (exponent !== BigInt.asIntN(64, exponent)) return undefined;
  return { base: 10, exponent: Number(BigInt.asIntN(32, exponent)), format: 'decimalExponent' };
};

/** Numbers of few digits, held as int64. `undefined`: it needs the other way. */
const parseSmall = (text: string, parts: Parts, scale: SuffixScale): CelQuantity | undefined => {
  const { base, exponent, format } = scale;
  const shifted = parts.whole + parts.fraction;
  const sign = parts.negative ? -1n : 1n;
  if (base === 2) {
    const digitsOfBase = Math.trunc((Math.fround(exponent) * 3) / 10);
    if (parts.fraction !== '' || 15 - parts.whole.length - digitsOfBase - 1 < 0) return undefined;
    const value = BigInt(parts.whole);
    const unscaled = sign * value * (1n << BigInt(exponent));
    const kept = value % 8n === 0n ? undefined : text;
    return new CelQuantity({ amount: { unscaled, exponent: 0 }, format, small: true, text: kept });
  }
  const power = exponent - parts.fraction.length;
  if (shifted.length > 18 || power < -9) return undefined;
  const canonical = power % 3 === 0 && !shifted.endsWith('000') && !shifted.startsWith('0');
  return new CelQuantity({
    amount: { unscaled: sign * BigInt(shifted), exponent: power },
    format,
    small: true,
    text: canonical ? text : undefined,
  });
};

/** Any number, rounded up to a billionth, never above int64 in the binary format. */
const parseBig = (parts: Parts, scale: SuffixScale): CelQuantity | CelError => {
  const { base, exponent } = scale;
  if (Math.abs(exponent) > maxQuantityExponent) return tooLong;
  const factor = base === 2 ? 1n << BigInt(exponent) : 1n;
  const power = (base === 10 ? exponent : 0) - parts.fraction.length;
  const nanos = roundedUp(BigInt(parts.whole + parts.fraction) * factor, power + 9);
  const limited = scale.format === 'binarySi' && nanos > maxNanos ? maxNanos : nanos;
  const isPart = limited > 0n && limited < 1_000_000_000n;
  return new CelQuantity({
    amount: { unscaled: parts.negative ? -limited : limited, exponent: -9 },
    format: scale.format === 'binarySi' && isPart ? 'decimalSi' : scale.format,
    small: false,
  });
};

const maxNanos = (2n ** 63n - 1n) * 1_000_000_000n;

const roundedUp = (value: bigint, power: number): bigint => {
  if (power >= 0) return value * 10n ** BigInt(power);
  const divisor = 10n ** BigInt(-power);
  return value / divisor + (value % divisor === 0n ? 0n : 1n);
};
