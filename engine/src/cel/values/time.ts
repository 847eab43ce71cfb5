/** Points and spans of time with nanoseconds, in the ranges of the real server. */
import { int64, integerOverflow } from './int64.ts';
import { CelError, CelObject, type CelValue } from './value.ts';

/** Nanoseconds in a second. */
export const nanosPerSecond = 1_000_000_000n;

/** Seconds since 1970 at the start of year 1 and the end of year 9999. */
const firstSecond = -62_135_596_800n;
const lastSecond = 253_402_300_799n;

/** The zero of timestamps: the start of year 1. */
export const zeroTimeNanos = firstSecond * nanosPerSecond;

/** The error of a time outside the years 1 to 9999. */
const timestampOverflow = new CelError('timestamp overflow');

/** A point in time. It remembers the offset that it was written with, for its text only. */
export class CelTimestamp extends CelObject {
  /** Nanoseconds since 1970. */
  readonly nanos: bigint;
  readonly offsetSeconds: number;
  constructor(nanos: bigint, offsetSeconds = 0) {
    super();
    this.nanos = nanos;
    this.offsetSeconds = offsetSeconds;
  }
  get typeName(): string {
    return 'google.protobuf.Timestamp';
  }
  override equals(other: CelValue): boolean {
    return other instanceof CelTimestamp && other.nanos === this.nanos;
  }
}

/** A span of time. */
export class CelDuration extends CelObject {
  readonly nanos: bigint;
  constructor(nanos: bigint) {
    super();
    this.nanos = nanos;
  }
  get typeName(): string {
    return 'google.protobuf.Duration';
  }
  override equals(other: CelValue): boolean {
    return other instanceof CelDuration && other.nanos === this.nanos;
  }
}

/** Whole seconds since 1970, rounded down. */
export const secondsOf = (time: CelTimestamp): bigint =>
  (time.nanos - (((time.nanos % nanosPerSecond) + nanosPerSecond) % nanosPerSecond)) /
  nanosPerSecond;

/** A timestamp of seconds since 1970, if it lies in the years 1 to 9999. */
export const timestampOfSeconds = (seconds: bigint): CelTimestamp | CelError =>
  seconds < firstSecond || seconds > lastSecond
    ? timestampOverflow
    : new CelTimestamp(seconds * nanosPerSecond);

/** A timestamp, checked to lie in the years 1 to 9999. */
export const timestampInRange = (nanos: bigint, offsetSeconds: number): CelTimestamp | CelError => {
  const time = new CelTimestamp(nanos, offsetSeconds);
  const seconds = secondsOf(time);
  return seconds < firstSecond || seconds > lastSecond ? timestampOverflow : time;
};

/** A duration, if it fits into int64 nanoseconds. */
export const durationInRange = (nanos: bigint): CelDuration | CelError => {
  const checked = int64(nanos);
  return checked instanceof CelError ? checked : new CelDuration(checked);
};

/** `time + span`. */
export const addToTimestamp = (time: CelTimestamp, span: CelDuration): CelTimestamp | CelError =>
  timestampInRange(time.nanos + span.nanos, time.offsetSeconds);

/** `time - span`. */
export const subtractFromTimestamp = (
  time: CelTimestamp,
  span: CelDuration,
): CelTimestamp | CelError => {
  // The real one adds the negated span, and the smallest span has no opposite.
  if (int64(-span.nanos) instanceof CelError) return integerOverflow;
  return timestampInRange(time.nanos - span.nanos, time.offsetSeconds);
};

/** `later - earlier`. */
export const timeBetween = (later: CelTimestamp, earlier: CelTimestamp): CelDuration | CelError =>
  durationInRange(later.nanos - earlier.nanos);
