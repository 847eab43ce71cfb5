/** Conversions between types, with kube-apiserver's error messages. */
import { formatDouble } from '../../formats/go-float.ts';
import { decodeUtf8, encodeUtf8 } from '../../formats/utf8.ts';
import { int64, intFromDouble, uint64, uintFromDouble } from './int64.ts';
import { typeNameOf } from './runtime-type.ts';
import { CelDuration, CelTimestamp, secondsOf, timestampOfSeconds } from './time.ts';
import { formatDuration, formatTimestamp, parseDuration, parseTimestamp } from './time-format.ts';
import {
  CelBytes,
  CelError,
  CelOptional,
  type CelResult,
  CelTypeValue,
  CelUint,
  type CelValue,
} from './value.ts';

/** Evaluates `type(x)`. */
export const toType = (value: CelValue): CelResult => new CelTypeValue(typeNameOf(value));

/** Evaluates `type(x)` in 1.30, where the type of optionals is named `optional`. */
export const toTypeWithPlainOptional = (value: CelValue): CelResult =>
  value instanceof CelOptional ? new CelTypeValue('optional') : toType(value);

/** Evaluates `int(x)`. */
export const toInt = (value: CelValue): CelResult => {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return intFromDouble(value);
  if (value instanceof CelUint) return int64(value.value);
  if (value instanceof CelDuration) return value.nanos;
  if (value instanceof CelTimestamp) return secondsOf(value);
  if (typeof value === 'string' && /^[+-]?[0-9]+$/.test(value)) {
    const parsed = exceeds64Bits(value) ? undefined : int64(BigInt(value.replace('+', '')));
    if (parsed !== undefined && !(parsed instanceof CelError)) return parsed;
  }
  return conversionError(value, 'int');
};

/**
 * Checks whether a number needs more than 64 bits, apart from leading zeros. Parsing all its digits
 * would take long.
 */
const exceeds64Bits = (digits: string): boolean => /[1-9][0-9]{20}/.test(digits);

/** Evaluates `uint(x)`. */
export const toUint = (value: CelValue): CelResult => {
  if (value instanceof CelUint) return value;
  if (typeof value === 'number') return uintFromDouble(value);
  if (typeof value === 'bigint') return uint64(value);
  if (typeof value === 'string' && /^[0-9]+$/.test(value)) {
    const parsed = exceeds64Bits(value) ? undefined : uint64(BigInt(value));
    if (parsed !== undefined && !(parsed instanceof CelError)) return parsed;
  }
  return conversionError(value, 'uint');
};

/** Evaluates `double(x)`. */
export const toDouble = (value: CelValue): CelResult => {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof CelUint) return Number(value.value);
  const parsed = typeof value === 'string' ? parseDouble(value) : undefined;
  return parsed ?? conversionError(value, 'double');
};

/** Evaluates `bool(x)`. */
export const toBool = (value: CelValue): CelResult => {
  if (typeof value === 'boolean') return value;
  const parsed = typeof value === 'string' ? boolSpellings.get(value) : undefined;
  return parsed ?? conversionError(value, 'bool');
};

/** Evaluates `string(x)`. */
export const toStringValue = (value: CelValue): CelResult => {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return formatDouble(value);
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (value instanceof CelUint) return String(value.value);
  if (value instanceof CelTimestamp) return formatTimestamp(value);
  if (value instanceof CelDuration) return formatDuration(value);
  if (value instanceof CelTypeValue) return value.name;
  return value instanceof CelBytes ? bytesToString(value) : conversionError(value, 'string');
};

/** Evaluates `bytes(x)`. */
export const toBytes = (value: CelValue): CelResult => {
  if (value instanceof CelBytes) return value;
  return typeof value === 'string'
    ? new CelBytes(encodeUtf8(value))
    : conversionError(value, 'bytes');
};

/** Evaluates `timestamp(x)`. */
export const toTimestamp = (value: CelValue): CelResult => {
  if (value instanceof CelTimestamp) return value;
  if (typeof value === 'bigint') return timestampOfSeconds(value);
  const parsed = typeof value === 'string' ? parseTimestamp(value) : undefined;
  return parsed ?? conversionError(value, 'google.protobuf.Timestamp');
};

/** Evaluates `duration(x)`. */
export const toDuration = (value: CelValue): CelResult => {
  if (value instanceof CelDuration) return value;
  const parsed = typeof value === 'string' ? parseDuration(value) : undefined;
  return parsed ?? conversionError(value, 'google.protobuf.Duration');
};

const conversionError = (value: CelValue, to: string): CelError =>
  new CelError(`type conversion error from '${typeNameOf(value)}' to '${to}'`);

const boolSpellings: ReadonlyMap<string, boolean> = new Map([
  ...['1', 't', 'T', 'TRUE', 'true', 'True'].map((text) => [text, true] as const),
  ...['0', 'f', 'F', 'FALSE', 'false', 'False'].map((text) => [text, false] as const),
]);

/**
 * Parses decimal and hexadecimal numbers, infinities and NaN like Go's `ParseFloat`. Underscores
 * and numbers that are too large are errors.
 */
const parseDouble = (text: string): number | undefined => {
  const special = specialDoubles.get(text.toLowerCase());
  if (special !== undefined) return special;
  if (/^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/.test(text)) {
    const parsed = Number(text);
    return Number.isFinite(parsed) ? parsed : undefined;
  }
  return parseHexDouble(text);
};

const parseHexDouble = (text: string): number | undefined => {
  const match = /^([+-]?)0[xX]([0-9a-fA-F]*)(?:\.([0-9a-fA-F]*))?[pP]([+-]?[0-9]{1,5})$/.exec(text);
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match ?? [];
  if (match === null || whole + fraction === '') return undefined;
  const digits = Number(BigInt(`0x${whole}${fraction}`));
  const parsed = digits * 2 ** (Number(exponent) - 4 * fraction.length);
  if (!Number.isFinite(parsed)) return undefined;
  return sign === '-' ? -parsed : parsed;
};

const specialDoubles: ReadonlyMap<string, number> = new Map([
  ['nan', Number.NaN],
  ['inf', Number.POSITIVE_INFINITY],
  ['+inf', Number.POSITIVE_INFINITY],
  ['-inf', Number.NEGATIVE_INFINITY],
  ['infinity', Number.POSITIVE_INFINITY],
  ['+infinity', Number.POSITIVE_INFINITY],
  ['-infinity', Number.NEGATIVE_INFINITY],
]);

const bytesToString = (value: CelBytes): CelResult =>
  decodeUtf8(value.bytes) ?? new CelError('invalid UTF-8 in bytes, cannot convert to string');
