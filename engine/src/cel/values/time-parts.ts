/**
 * Evaluates the accessors of timestamps and durations: `getHours()`,
 * `getFullYear('Europe/Berlin')`.
 */
import { goQuote } from '../../formats/go-quote.ts';
import { CelDuration, CelTimestamp, nanosPerSecond, secondsOf } from './time.ts';
import { durationInUnit } from './time-format.ts';
import { CelError, type CelResult, type CelValue, noSuchOverload } from './value.ts';

/** Parts that durations have, too. */
export type DurationPart = 'hours' | 'minutes' | 'seconds' | 'milliseconds';
/** Parts of a timestamp. */
export type TimePart = keyof typeof readers;

/**
 * Creates the implementation of a timestamp accessor, which uses UTC or the time zone of its second
 * argument.
 */
export const timePart =
  (part: TimePart) =>
  (...args: CelValue[]): CelResult => {
    const [time, zone] = args;
    if (!(time instanceof CelTimestamp)) return noSuchOverload;
    if (zone !== undefined && typeof zone !== 'string') return noSuchOverload;
    const offset = zone === undefined ? 0 : zoneOffset(zone, time);
    if (offset instanceof CelError) return offset;
    const date = new Date((Number(secondsOf(time)) + offset) * 1000);
    return BigInt(readers[part](date, time));
  };

/**
 * Creates the implementation of a duration accessor, which returns a whole number of hours,
 * minutes, …
 */
export const durationPart =
  (part: DurationPart) =>
  (...args: CelValue[]): CelResult => {
    const [span] = args;
    if (!(span instanceof CelDuration)) return noSuchOverload;
    if (part === 'milliseconds') return span.nanos / 1_000_000n;
    return BigInt(Math.trunc(durationInUnit(span, nanosByPart[part])));
  };

const nanosByPart = {
  hours: 3600n * nanosPerSecond,
  minutes: 60n * nanosPerSecond,
  seconds: nanosPerSecond,
};

/** Readers of the parts of a timestamp; the date is that of the time zone. */
const readers = {
  year: (date: Date) => date.getUTCFullYear(),
  month: (date: Date) => date.getUTCMonth(),
  dayOfYear: (date: Date) => dayOfYear(date),
  dayOfMonth: (date: Date) => date.getUTCDate() - 1,
  date: (date: Date) => date.getUTCDate(),
  dayOfWeek: (date: Date) => date.getUTCDay(),
  hours: (date: Date) => date.getUTCHours(),
  minutes: (date: Date) => date.getUTCMinutes(),
  seconds: (date: Date) => date.getUTCSeconds(),
  milliseconds: (_: Date, time: CelTimestamp) =>
    Number((time.nanos - secondsOf(time) * nanosPerSecond) / 1_000_000n),
} as const;

const dayOfYear = (date: Date): number => {
  const start = new Date(date);
  start.setUTCMonth(0, 1);
  return Math.round((date.getTime() - start.getTime()) / 86_400_000);
};

/** Returns the seconds east of UTC: for `+02:30`, or for an IANA time zone at that moment. */
const zoneOffset = (zone: string, time: CelTimestamp): number | CelError => {
  const colon = zone.indexOf(':');
  if (colon < 0) return namedZoneOffset(zone, time);
  const hours = parseGoInteger(zone.slice(0, colon));
  if (hours instanceof CelError) return hours;
  const minutes = parseGoInteger(zone.slice(colon + 1));
  if (minutes instanceof CelError) return minutes;
  return (zone.startsWith('-') ? hours * 60 - minutes : hours * 60 + minutes) * 60;
};

const parseGoInteger = (text: string): number | CelError => {
  if (!/^[+-]?[0-9]+$/.test(text)) {
    return new CelError(`strconv.Atoi: parsing ${goQuote(text)}: invalid syntax`);
  }
  return Number(text);
};

const namedZoneOffset = (zone: string, time: CelTimestamp): number | CelError => {
  if (zone === '' || zone === 'UTC' || zone === 'Local') return 0;
  if (/^[\\/]|\.\./.test(zone)) return new CelError('time: invalid location name');
  const unknown = new CelError(`unknown time zone ${zone}`);
  const seconds = Number(secondsOf(time));
  // Go's names of time zones are case-sensitive, those of the JavaScript host are not.
  if (!/^[A-Z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*$/.test(zone)) return unknown;
  const format = zoneFormat(zone);
  if (format === undefined) return unknown;
  const parts = new Map(
    format.formatToParts(seconds * 1000).map((part) => [part.type, part.value]),
  );
  const read = (name: Intl.DateTimeFormatPartTypes): number => Number(parts.get(name));
  const local = new Date(0);
  local.setUTCFullYear(read('year'), read('month') - 1, read('day'));
  local.setUTCHours(read('hour'), read('minute'), read('second'));
  return local.getTime() / 1000 - seconds;
};

const zoneFormat = (zone: string): Intl.DateTimeFormat | undefined => {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    return undefined;
  }
};
