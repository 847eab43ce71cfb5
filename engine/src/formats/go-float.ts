/** Formats doubles like Go. */

/** The smallest exponent for which `%g` uses exponent notation. */
const largestPlainExponent = 6;

/** Formats like Go's `%g` with the fewest digits: `1e+06`, `1.5`, `+Inf`. */
export const formatDouble = (value: number): string => {
  if (Number.isNaN(value)) return 'NaN';
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  if (value === Number.NEGATIVE_INFINITY) return '-Inf';
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const [mantissa = '', exponentText = '0'] = value.toExponential().split('e');
  const exponent = Number(exponentText);
  if (exponent < -4 || exponent >= largestPlainExponent) return `${mantissa}e${signed(exponent)}`;
  return plainDigits(mantissa, exponent);
};

/** Formats like Go's `%f` with the fewest digits, never with an exponent. */
export const formatDoublePlain = (value: number): string => {
  if (!Number.isFinite(value) || value === 0) return formatDouble(value);
  const [mantissa = '', exponentText = '0'] = value.toExponential().split('e');
  return plainDigits(mantissa, Number(exponentText));
};

const signed = (exponent: number): string =>
  `${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;

const plainDigits = (mantissa: string, exponent: number): string => {
  const negative = mantissa.startsWith('-');
  const digits = mantissa.replace('-', '').replace('.', '');
  const sign = negative ? '-' : '';
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  const rest = digits.slice(exponent + 1);
  return rest === '' ? sign + whole : `${sign}${whole}.${rest}`;
};
