/** Parses and formats timestamps and durations as Go's `time` package does. */

import { formatDoublePlain } from '../../formats/go-float.ts';
import { parseGoRfc3339 } from '../../formats/go-rfc3339.ts';
import { isZero, trimEnd } from '../../formats/trim.ts';
import { CelDuration, CelTimestamp, nanosPerSecond, secondsOf, timestampInRange } from './time.ts';
import type { CelError } from './value.ts';

/**
 * Parses an RFC 3339 timestamp. Returns `undefined` if it is malformed, an error if it is out of
 * range.
 */
export const parseTimestamp = (text: string): CelTimestamp | CelError | undefined => {
  const moment = parseGoRfc3339(text);
  if (moment === undefined) return undefined;
  const nanos = BigInt(moment.seconds) * nanosPerSecond + BigInt(moment.nanos);
  return timestampInRange(nanos, moment.offsetSeconds);
};

/** Formats as RFC 3339 with as many decimals as needed, in the timestamp's original offset. */
export const formatTimestamp = (time: CelTimestamp): string => {
  const seconds = Number(secondsOf(time));
  const fraction = time.nanos - BigInt(seconds) * nanosPerSecond;
  const iso = new Date((seconds + time.offsetSeconds) * 1000).toISOString();
  const [, date = ''] = /^[+-]?0*(\d{4,}-.*)\.\d+Z$/.exec(iso) ?? [];
  const digits = fraction === 0n ? '' : `.${formatNanos(fraction)}`;
  return date + digits + formatOffset(time.offsetSeconds);
};

/** Formats as RFC 3339 in UTC. */
export const formatTimestampUtc = (time: CelTimestamp): string =>
  formatTimestamp(new CelTimestamp(time.nanos));

/** Parses a duration like `1h2m3.5s`; returns `undefined` if it is malformed or too long. */
export const parseDuration = (text: string): CelDuration | undefined => {
  const [, sign = '', body = ''] = /^([+-]?)(.*)$/s.exec(text) ?? [];
  if (body === '0') return new CelDuration(0n);
  if (!/^(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/.test(body)) return undefined;
  const limit = 2n ** 63n;
  let total = 0n;
  for (const [, whole = '', fraction = '', unit = ''] of body.matchAll(
    /(\d*)(?:\.(\d*))?([a-zµμ]+)/gy,
  )) {
    const scale = nanosByUnit.get(unit) ?? 0n;
    const amount = BigInt(whole === '' ? 0 : whole);
    if (amount > limit / scale) return undefined;
    total += amount * scale + fractionNanos(fraction, scale);
    if (total > limit) return undefined;
  }
  if (sign === '-') return new CelDuration(-total);
  return total === limit ? undefined : new CelDuration(total);
};

/** Formats as seconds with the fewest digits: `3600.001s`. */
export const formatDuration = (span: CelDuration): string =>
  `${formatDoublePlain(durationSeconds(span))}s`;

/** Formats as Go's `Duration.String` does: `1h0m0.001s`. */
export const formatGoDuration = (span: CelDuration): string => {
  if (span.nanos === 0n) return '0s';
  const sign = span.nanos < 0n ? '-' : '';
  const nanos = span.nanos < 0n ? -span.nanos : span.nanos;
  if (nanos < 1000n) return `${sign}${nanos}ns`;
  if (nanos < 1_000_000n) return `${sign}${formatDecimal(nanos, 3)}µs`;
  if (nanos < nanosPerSecond) return `${sign}${formatDecimal(nanos, 6)}ms`;
  const minutes = nanos / (60n * nanosPerSecond);
  const rest = `${formatDecimal(nanos % (60n * nanosPerSecond), 9)}s`;
  if (minutes === 0n) return sign + rest;
  const hours = minutes / 60n;
  return hours === 0n ? `${sign}${minutes}m${rest}` : `${sign}${hours}h${minutes % 60n}m${rest}`;
};

/** Computes Go's `Duration.Seconds()`, which adds the whole part and the fraction as doubles. */
const durationSeconds = (span: CelDuration): number => durationInUnit(span, nanosPerSecond);

/** Returns a duration in a unit as a double, with Go's rounding. */
export const durationInUnit = (span: CelDuration, unit: bigint): number =>
  Number(span.nanos / unit) + Number(span.nanos % unit) / Number(unit);

const nanosByUnit: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1000n],
  ['µs', 1000n],
  ['μs', 1000n],
  ['ms', 1_000_000n],
  ['s', nanosPerSecond],
  ['m', 60n * nanosPerSecond],
  ['h', 3600n * nanosPerSecond],
]);

/**
 * Converts the digits of a fraction like Go: it uses as many digits as fit into int64, and
 * multiplies as doubles.
 */
const fractionNanos = (digits: string, scale: bigint): bigint => {
  let value = 0n;
  let divisor = 1;
  for (const digit of digits) {
    const next = value * 10n + BigInt(digit);
    if (next > 2n ** 63n - 1n) break;
    value = next;
    divisor *= 10;
  }
  return BigInt(Math.trunc(Number(value) * (Number(scale) / divisor)));
};

const formatDecimal = (value: bigint, places: number): string => {
  const digits = value.toString().padStart(places + 1, '0');
  const fraction = trimEnd(digits.slice(-places), isZero);
  const whole = digits.slice(0, -places);
  return fraction === '' ? whole : `${whole}.${fraction}`;
};

const formatNanos = (fraction: bigint): string =>
  trimEnd(fraction.toString().padStart(9, '0'), isZero);

const formatOffset = (seconds: number): string => {
  if (seconds === 0) return 'Z';
  const minutes = Math.floor(Math.abs(seconds) / 60);
  const twoDigits = (value: number): string => String(value).padStart(2, '0');
  return `${seconds < 0 ? '-' : '+'}${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
};
