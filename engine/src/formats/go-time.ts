/**
 * Times in seconds since 1970, computed and printed like Go's `time.Time`: with 64 bits that wrap
 * around, as `2023-11-14 22:13:19 +0000 UTC`.
 */
import { isZero, trimEnd } from './trim.ts';

/** A number if it is exact, else a 64-bit bigint. */
export type GoSeconds = number | bigint;

/** Go's zero time: the start of year 1. */
export const goZeroTime: GoSeconds = -62_135_596_800;

/** Checks whether a time is before `milliseconds` (since 1970). */
export const isBefore = (seconds: GoSeconds, milliseconds: number): boolean =>
  typeof seconds === 'number'
    ? seconds * 1000 < milliseconds
    : sinceYearOne(seconds) * 1000n < BigInt(Math.floor(milliseconds)) + yearOneOffset * 1000n;

/** Checks whether a time is after `milliseconds` (since 1970). */
export const isAfter = (seconds: GoSeconds, milliseconds: number): boolean =>
  typeof seconds === 'number'
    ? seconds * 1000 > milliseconds
    : sinceYearOne(seconds) * 1000n > BigInt(Math.floor(milliseconds)) + yearOneOffset * 1000n;

/** Formats a time in UTC; `milliseconds` is added as a fraction unless it is 0. */
export const formatGoTime = (seconds: GoSeconds, milliseconds = 0): string => {
  if (typeof seconds === 'number' && seconds >= 0 && seconds < year10000) {
    const iso = new Date(seconds * 1000).toISOString();
    return `${iso.slice(0, 10)} ${iso.slice(11, 19)}${fraction(milliseconds)} +0000 UTC`;
  }
  const absolute = BigInt.asUintN(64, BigInt(seconds) + yearOneOffset + absoluteOffset);
  const days = absolute / 86_400n;
  const { year, month, day } = civilDate(days);
  const inDay = Number(absolute % 86_400n);
  const clock = [inDay / 3600, (inDay / 60) % 60, inDay % 60].map((part) => twoDigits(part));
  return `${padYear(year)}-${twoDigits(month)}-${twoDigits(day)} ${clock.join(':')}${fraction(milliseconds)} +0000 UTC`;
};

/** Formats a time in milliseconds since 1970. */
export const formatGoMilliseconds = (milliseconds: number): string => {
  const seconds = Math.floor(milliseconds / 1000);
  return formatGoTime(seconds, Math.floor(milliseconds - seconds * 1000));
};

/** The first second whose year has more than four digits. */
const year10000 = 253_402_300_800;

/** Seconds from the start of year 1 to 1970. */
const yearOneOffset = 62_135_596_800n;

/** Years from the absolute zero of Go's clock, a first of March, to year 0. */
const absoluteYears = 292_277_022_400n;

/**
 * Seconds from absolute zero to the start of year 1: whole cycles of 400 years, then March to
 * December.
 */
const absoluteOffset = ((absoluteYears / 400n) * 146_097n + 306n) * 86_400n;

const sinceYearOne = (seconds: bigint): bigint => BigInt.asIntN(64, seconds + yearOneOffset);

interface CivilDate {
  readonly year: bigint;
  readonly month: number;
  readonly day: number;
}

/**
 * Converts days since the first of March of the absolute year 0, with which a cycle of 400 years
 * begins.
 */
const civilDate = (days: bigint): CivilDate => {
  const cycle = days / 146_097n;
  const inCycle = Number(days % 146_097n);
  const century = Math.min(Math.floor(inCycle / 36_524), 3);
  const inCentury = inCycle - century * 36_524;
  const leapGroup = Math.floor(inCentury / 1461);
  const inGroup = inCentury - leapGroup * 1461;
  const yearInGroup = Math.min(Math.floor(inGroup / 365), 3);
  const inYear = inGroup - yearInGroup * 365;
  const marchYear = cycle * 400n + BigInt(century * 100 + leapGroup * 4 + yearInGroup);
  // From March on, months have 31, 30, 31, 30 and 31 days, again and again.
  const marchMonth = Math.floor((5 * inYear + 2) / 153);
  const day = inYear - Math.floor((153 * marchMonth + 2) / 5) + 1;
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  return { year: marchYear - absoluteYears + (month < 3 ? 1n : 0n), month, day };
};

const twoDigits = (value: number): string => String(Math.floor(value)).padStart(2, '0');

const padYear = (year: bigint): string =>
  year < 0n ? `-${String(-year).padStart(4, '0')}` : String(year).padStart(4, '0');

const fraction = (milliseconds: number): string =>
  milliseconds === 0 ? '' : `.${trimEnd(String(milliseconds).padStart(3, '0'), isZero)}`;
