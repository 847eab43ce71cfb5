/**
 * Resource quantities: decimal numbers with a suffix. Like in Kubernetes, an amount is either small
 * (an int64 with a power of ten) or big, and only small amounts can be integers.
 */
import { sizeLimitExceeded } from './arithmetic.ts';
import { int64 } from './int64.ts';
import { CelError, CelObject, type CelResult, type CelValue, noSuchOverload } from './value.ts';

/** The kind of suffix with which a quantity is printed. */
export type QuantityFormat = 'decimalSi' | 'binarySi' | 'decimalExponent';

/** The largest difference between the powers of ten of two quantities in a calculation. */
export const maxQuantityExponent = 10_000;

/** An exact decimal number. */
export interface QuantityAmount {
  readonly unscaled: bigint;
  /** The power of ten. */
  readonly exponent: number;
}

interface SharedAmount {
  amount: QuantityAmount;
}

/** A resource quantity. */
export class CelQuantity extends CelObject {
  /** The amount, which several quantities share up to 1.36. */
  readonly #shared: SharedAmount;
  readonly format: QuantityFormat;
  /** The original string, if it is canonical. */
  readonly text: string | undefined;
  /**
   * Whether it is the result of arithmetic. Kubernetes then stores it differently, and it equals
   * nothing.
   */
  readonly isComputed: boolean;
  /**
   * Whether the amount is stored as int64. Comparing with a big quantity makes it big, as in
   * Kubernetes.
   */
  isSmall: boolean;
  constructor(parts: {
    readonly amount: QuantityAmount | CelQuantity;
    readonly format: QuantityFormat;
    readonly isSmall: boolean;
    readonly text?: string | undefined;
    readonly isComputed?: boolean;
  }) {
    super();
    this.#shared =
      parts.amount instanceof CelQuantity ? parts.amount.#shared : { amount: parts.amount };
    this.format = parts.format;
    this.isSmall = parts.isSmall;
    this.text = parts.text;
    this.isComputed = parts.isComputed ?? false;
  }
  get amount(): QuantityAmount {
    return this.#shared.amount;
  }
  get typeName(): string {
    return 'kubernetes.Quantity';
  }
  /** Changes the amount of every quantity that shares it. */
  replaceAmount(amount: QuantityAmount): void {
    this.#shared.amount = amount;
  }
  override equals(other: CelValue): CelResult {
    if (!(other instanceof CelQuantity) || other.isComputed) return noSuchOverload;
    return compareAmounts(this.amount, other.amount) === 0;
  }
  override toString(): string {
    return this.text ?? formatQuantity(this);
  }
}

/** Returns -1, 0 or 1. A receiver that is compared with a big quantity becomes big. */
export const compareQuantities = (a: CelQuantity, b: CelQuantity): number => {
  if (!a.isSmall || !b.isSmall) a.isSmall = false;
  return compareAmounts(a.amount, b.amount);
};

/** Returns -1, 0 or 1. */
export const signOf = ({ amount }: CelQuantity): number =>
  amount.unscaled === 0n ? 0 : amount.unscaled < 0n ? -1 : 1;

/** Returns the whole number, or `undefined` if it is not one or does not fit into int64. */
export const integerOf = ({ amount, isSmall }: CelQuantity): bigint | undefined => {
  if (!isSmall || amount.exponent < 0) return undefined;
  const scaled = scaleToInt64(amount.unscaled, amount.exponent);
  return scaled instanceof CelError ? undefined : scaled;
};

/** Returns the nearest double, computed like `AsApproximateFloat64` of Kubernetes. */
export const asApproximateFloat = ({ amount }: CelQuantity): number => {
  const base = Number(amount.unscaled);
  return amount.exponent === 0 ? base : base * powerOfTen(amount.exponent);
};

/**
 * Evaluates `a + b` or `a - b` as in releases up to 1.36: arithmetic changes a big receiver, which
 * shares its amount with every result.
 */
export const addInPlace = (a: CelQuantity, b: CelQuantity, sign: 1n | -1n): CelResult => {
  const result = addQuantities(a, b, sign);
  if (a.isSmall || !(result instanceof CelQuantity)) return result;
  a.replaceAmount(result.amount);
  return new CelQuantity({ amount: a, format: result.format, isSmall: false, isComputed: true });
};

/**
 * Evaluates `a + b` or `a - b`. The result has the format of `a`, or that of `b` if `a` is zero.
 */
export const addQuantities = (a: CelQuantity, b: CelQuantity, sign: 1n | -1n): CelResult => {
  const format = a.amount.unscaled === 0n ? b.format : a.format;
  const { exponent } = b.amount;
  if (a.isSmall && b.isSmall) {
    // Negating the smallest int64 gives itself.
    const added = { unscaled: BigInt.asIntN(64, sign * b.amount.unscaled), exponent };
    const sum = addAmounts(a.amount, added);
    if (!(sum instanceof CelError) && fitsInt64(a.amount, added, sum)) {
      return new CelQuantity({ amount: sum, format, isSmall: true, isComputed: true });
    }
  }
  const sum = addAmounts(a.amount, { unscaled: sign * b.amount.unscaled, exponent });
  if (sum instanceof CelError) return sum;
  return new CelQuantity({ amount: sum, format, isSmall: false, isComputed: true });
};

const addAmounts = (a: QuantityAmount, b: QuantityAmount): QuantityAmount | CelError => {
  if (b.unscaled === 0n) return a;
  if (a.unscaled === 0n) return b;
  const exponent = Math.min(a.exponent, b.exponent);
  if (Math.max(a.exponent, b.exponent) - exponent > maxQuantityExponent) return sizeLimitExceeded;
  return {
    unscaled:
      a.unscaled * 10n ** BigInt(a.exponent - exponent) +
      b.unscaled * 10n ** BigInt(b.exponent - exponent),
    exponent,
  };
};

const fitsInt64 = (a: QuantityAmount, b: QuantityAmount, sum: QuantityAmount): boolean =>
  [a, b].every(
    ({ unscaled, exponent }) =>
      unscaled === 0n || !(scaleToInt64(unscaled, exponent - sum.exponent) instanceof CelError),
  ) && !(int64(sum.unscaled) instanceof CelError);

const scaleToInt64 = (unscaled: bigint, exponent: number): bigint | CelError => {
  if (unscaled === 0n) return 0n;
  return exponent > 18 ? sizeLimitExceeded : int64(unscaled * 10n ** BigInt(exponent));
};

const compareAmounts = (a: QuantityAmount, b: QuantityAmount): number => {
  const signs = [a, b].map(({ unscaled }) => (unscaled === 0n ? 0 : unscaled < 0n ? -1 : 1));
  const [left = 0, right = 0] = signs;
  if (left !== right || left === 0) return Math.sign(left - right);
  const magnitude = digitsOf(a) + a.exponent - (digitsOf(b) + b.exponent);
  if (magnitude !== 0) return Math.sign(magnitude) * left;
  // For the same magnitude, the exponents differ by no more than the numbers of digits.
  const exponent = Math.min(a.exponent, b.exponent);
  const x = a.unscaled * 10n ** BigInt(a.exponent - exponent);
  const y = b.unscaled * 10n ** BigInt(b.exponent - exponent);
  return x === y ? 0 : x < y ? -1 : 1;
};

const digitsOf = ({ unscaled }: QuantityAmount): number =>
  (unscaled < 0n ? -unscaled : unscaled).toString().length;

/** Computes Go's `Pow10` as a product of table entries, so that the last bit is the same. */
const powerOfTen = (exponent: number): number => {
  if (exponent > 308) return Number.POSITIVE_INFINITY;
  if (exponent < -323) return 0;
  const size = Math.abs(exponent);
  const small = Number(`1e${size % 32}`);
  const steps = Math.floor(size / 32) * 32;
  return exponent < 0 ? Number(`1e-${steps}`) / small : Number(`1e${steps}`) * small;
};

const formatQuantity = ({ amount, format }: CelQuantity): string => {
  if (amount.unscaled === 0n) return '0';
  const binary = format === 'binarySi' ? formatBinarySi(amount) : undefined;
  if (binary !== undefined) return binary;
  let { unscaled, exponent } = amount;
  while (unscaled % 10n === 0n) {
    unscaled /= 10n;
    exponent++;
  }
  const shift = ((exponent % 3) + 3) % 3;
  const places = exponent - shift;
  const digits = (unscaled * 10n ** BigInt(shift)).toString();
  if (format === 'decimalExponent') return places === 0 ? digits : `${digits}e${places}`;
  return digits + (decimalSuffixes.get(places) ?? '');
};

const formatBinarySi = ({ unscaled, exponent }: QuantityAmount): string | undefined => {
  const divisor = 10n ** BigInt(Math.max(0, -exponent));
  if (unscaled % divisor !== 0n) return undefined;
  let value = (unscaled / divisor) * 10n ** BigInt(Math.max(0, exponent));
  if (value > -1024n && value < 1024n) return undefined;
  let power = 0;
  while (value % 1024n === 0n) {
    value /= 1024n;
    power++;
  }
  return value.toString() + (binarySuffixes[power] ?? '');
};

const binarySuffixes = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

const decimalSuffixes: ReadonlyMap<number, string> = new Map([
  [-9, 'n'],
  [-6, 'u'],
  [-3, 'm'],
  [0, ''],
  [3, 'k'],
  [6, 'M'],
  [9, 'G'],
  [12, 'T'],
  [15, 'P'],
  [18, 'E'],
]);
