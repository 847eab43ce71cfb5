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

const daysIn = (year: number, month: number): number => {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return month === 2 && leap ? 29 : (daysOfMonth[month - 1] ?? 0);
};
