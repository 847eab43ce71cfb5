/**
 * Parses RFC 3339 timestamps like Go's `time.Parse`: an hour may have one digit, a fraction may
 * follow a comma, offsets extend to 24:60, and lowercase `t` and `z` are rejected.
 */

export interface Rfc3339Time {
  /** Whole seconds since 1970. */
  readonly seconds: number;
  /** 0 to 999,999,999 in addition to `seconds`. */
  readonly nanos: number;
  /** The time zone offset of the timestamp. */
  readonly offsetSeconds: number;
}

const form =
  /^(\d{4})-(\d\d)-(\d\d)T(\d{1,2}):(\d\d):(\d\d)(?:[.,](\d+))?(?:Z|([+-])(\d\d):(\d\d))$/;

const daysOfMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Returns `undefined` for a malformed timestamp. */
export const parseGoRfc3339 = (text: string): Rfc3339Time | undefined => {
  const match = form.exec(text);
  if (match === null) return undefined;
  const part = (index: number): number => Number(match[index] ?? 0);
  const [year, month, day] = [part(1), part(2), part(3)];
  const [hour, minute, second] = [part(4), part(5), part(6)];
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined;
  if (hour > 23 || minute > 59 || second > 59 || part(9) > 24 || part(10) > 60) return undefined;
  const offsetSeconds = (part(9) * 60 + part(10)) * 60 * (match[8] === '-' ? -1 : 1);
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const seconds = date.getTime() / 1000 + hour * 3600 + minute * 60 + second - offsetSeconds;
  return { seconds, nanos: Number((match[7] ?? '').slice(0, 9).padEnd(9, '0')), offsetSeconds };
};

/** Formats milliseconds since 1970 in UTC, with whole seconds. */
export const formatRfc3339 = (milliseconds: number): string =>
  new Date(milliseconds).toISOString().replace(/\.\d{3}Z$/, 'Z');

const daysIn = (year: number, month: number): number => {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return month === 2 && leap ? 29 : (daysOfMonth[month - 1] ?? 0);
};

/** Go's layout of RFC 3339. */
const layout = '2006-01-02T15:04:05Z07:00';

interface LayoutPart {
  readonly element: string;
  /** Matches the text of the part. */
  readonly form: RegExp;
  /** The allowed numbers, and what Go calls a number outside of them. */
  readonly range?: readonly [least: number, most: number, name: string];
}

/** The parts of the layout before the time zone, which are parsed one after another. */
const layoutParts: readonly LayoutPart[] = [
  { element: '2006', form: /^\d{4}/ },
  { element: '-', form: /^-/ },
  { element: '01', form: /^\d\d/, range: [1, 12, 'month'] },
  { element: '-', form: /^-/ },
  { element: '02', form: /^\d\d/ },
  { element: 'T', form: /^T/ },
  { element: '15', form: /^\d{1,2}/, range: [0, 23, 'hour'] },
  { element: ':', form: /^:/ },
  { element: '04', form: /^\d\d/, range: [0, 59, 'minute'] },
  { element: ':', form: /^:/ },
  { element: '05', form: /^\d\d(?:[.,]\d+)?/, range: [0, 59, 'second'] },
];

/** Returns Go's error for a malformed timestamp. */
export const goRfc3339Error = (text: string): string | undefined => {
  if (parseGoRfc3339(text) !== undefined) return undefined;
  const value = goTimeQuote(text);
  const unparsed = (rest: string, element: string): string =>
    `parsing time ${value} as "${layout}": cannot parse ${goTimeQuote(rest)} as "${element}"`;
  let rest = text;
  for (const { element, form: partForm, range } of layoutParts) {
    const match = partForm.exec(rest)?.[0];
    if (match === undefined) return unparsed(rest, element);
    rest = rest.slice(match.length);
    const number = Number.parseInt(match, 10);
    if (range !== undefined && (number < range[0] || number > range[1]))
      return `parsing time ${value}: ${range[2]} out of range`;
  }
  const problem = zoneProblem(rest) ?? 'day out of range';
  return problem === 'unparsed' ? unparsed(rest, 'Z07:00') : `parsing time ${value}: ${problem}`;
};

/** Returns the problem of the time zone and of text after it. */
const zoneProblem = (text: string): string | undefined => {
  const [zone, sign = '+', hours = '00', minutes = '00'] = /^(?:Z|(.)(..):(..))/s.exec(text) ?? [];
  if (zone === undefined) return 'unparsed';
  const areNumbers = /^\d\d$/.test(hours) && /^\d\d$/.test(minutes);
  if (areNumbers && Number(minutes) > 60) return 'time zone offset minute out of range';
  if (/^\d\d$/.test(hours) && Number(hours) > 24) return 'time zone offset hour out of range';
  if (!areNumbers || !/[+-]/.test(sign)) return 'unparsed';
  const rest = text.slice(zone.length);
  return rest === '' ? undefined : `extra text: ${goTimeQuote(rest)}`;
};

/** Quotes like Go's package `time`, which escapes every byte beyond ASCII. */
const goTimeQuote = (text: string): string => {
  const escaped = text
    .replaceAll(/["\\]/g, '\\$&')
    .replaceAll(/[^ -\u007f]+/g, (characters) =>
      Array.from(
        new TextEncoder().encode(characters),
        (byte) => `\\x${byte.toString(16).padStart(2, '0')}`,
      ).join(''),
    );
  return `"${escaped}"`;
};
