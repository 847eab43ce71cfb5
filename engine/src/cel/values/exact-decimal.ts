/**
 * Prints doubles with a fixed number of digits from their exact value, rounding ties to even, as Go
 * does.
 */

/** Returns the exact absolute value of a finite double as a fraction of integers. */
const fractionOf = (
  value: number,
): { readonly numerator: bigint; readonly denominator: bigint } => {
  let exponent = 0;
  let scaled = Math.abs(value);
  while (!Number.isInteger(scaled)) {
    scaled *= 2;
    exponent++;
  }
  return { numerator: BigInt(scaled), denominator: 1n << BigInt(exponent) };
};

/** Returns the digits before and after the decimal point of a finite double, without its sign. */
export const fixedDigits = (
  value: number,
  places: number,
): { readonly whole: string; readonly fraction: string } => {
  const { numerator, denominator } = fractionOf(value);
  const digits = divideToEven(numerator * 10n ** BigInt(places), denominator)
    .toString()
    .padStart(places + 1, '0');
  return {
    whole: digits.slice(0, digits.length - places),
    fraction: digits.slice(-places || digits.length),
  };
};

/** Returns the fewest digits that parse as the same finite double, without its sign. */
export const shortestDigits = (
  value: number,
): { readonly whole: string; readonly fraction: string } => {
  const [mantissa = '', exponent = ''] = Math.abs(value).toExponential().split('e');
  const digits = mantissa.replace('.', '');
  const point = Number(exponent) + 1;
  return point > 0
    ? { whole: digits.slice(0, point).padEnd(point, '0'), fraction: digits.slice(point) }
    : { whole: '0', fraction: '0'.repeat(-point) + digits };
};

/**
 * Returns the digits of the mantissa and the decimal exponent of a finite double, without its sign.
 */
export const scientificDigits = (
  value: number,
  places: number,
): { readonly digits: string; readonly exponent: number } => {
  if (value === 0) return { digits: '0'.repeat(places + 1), exponent: 0 };
  const { numerator, denominator } = fractionOf(value);
  const exponent = Number(Math.abs(value).toExponential().split('e')[1]);
  const power = 10n ** BigInt(Math.abs(places - exponent));
  const rounded =
    places >= exponent
      ? divideToEven(numerator * power, denominator)
      : divideToEven(numerator, denominator * power);
  const digits = rounded.toString();
  return digits.length > places + 1
    ? { digits: digits.slice(0, -1), exponent: exponent + 1 }
    : { digits, exponent };
};

const divideToEven = (numerator: bigint, denominator: bigint): bigint => {
  const quotient = numerator / denominator;
  const twice = (numerator % denominator) * 2n;
  if (twice < denominator || (twice === denominator && quotient % 2n === 0n)) return quotient;
  return quotient + 1n;
};
