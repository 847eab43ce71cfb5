/** Times in certificates, parsed as strictly as by Go. */
import { type DerReader, derTag, toLatin1 } from './der.ts';

/** Returns milliseconds since 1970, or a string if the time is malformed. */
export const readTime = (times: DerReader): number | string => {
  const tag = times.nextTag;
  if (tag !== derTag.utcTime && tag !== derTag.generalizedTime)
    return 'x509: unsupported time format';
  const text = toLatin1((times.read(tag) ?? new Uint8Array()).subarray(0, 32));
  const isUtc = tag === derTag.utcTime;
  const moment = isUtc ? utcTime(text) : generalizedTime(text);
  return moment ?? `x509: malformed ${isUtc ? 'UTCTime' : 'GeneralizedTime'}`;
};

const zone = '(Z|[-+](?!0000)(?:[01]\\d|2[0-4])[0-5]\\d)';
const utcForm = new RegExp(`^(\\d\\d)(\\d\\d)(\\d\\d)(\\d\\d)(\\d\\d)(\\d\\d)?${zone}$`);
const generalizedForm = new RegExp(`^(\\d{4})(\\d\\d)(\\d\\d)(\\d\\d)(\\d\\d)(\\d\\d)${zone}$`);

/** Parses a time with a two-digit year, which means 1950 to 2049. */
const utcTime = (text: string): number | undefined => {
  const [, year = '', ...rest] = utcForm.exec(text) ?? [];
  if (year === '') return undefined;
  return momentOf(Number(year) < 50 ? 2000 + Number(year) : 1900 + Number(year), rest);
};

const generalizedTime = (text: string): number | undefined => {
  const [, year = '', ...rest] = generalizedForm.exec(text) ?? [];
  return year === '' ? undefined : momentOf(Number(year), rest);
};

const momentOf = (year: number, rest: readonly (string | undefined)[]): number | undefined => {
  const [month = 0, day = 0, hour = 0, minute = 0, second = 0] = rest
    .slice(0, 5)
    .map((part) => Number(part ?? 0));
  // A year with the same leap days that `Date.UTC` accepts as a four-digit year.
  const inMonth = new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
  const isDay = month >= 1 && month <= 12 && day >= 1 && day <= inMonth;
  if (!isDay || hour > 23 || minute > 59 || second > 59) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second);
  return date.getTime() - zoneMinutes(rest[5] ?? 'Z') * 60_000;
};

const zoneMinutes = (text: string): number => {
  if (text === 'Z') return 0;
  const minutes = Number(text.slice(1, 3)) * 60 + Number(text.slice(3, 5));
  return text.startsWith('-') ? -minutes : minutes;
};
