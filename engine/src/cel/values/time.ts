/** Timestamps and durations in nanoseconds, within kube-apiserver's ranges. */
import { int64, integerOverflow } from './int64.ts';
import { CelError, CelObject, type CelValue } from './value.ts';

/** The number of nanoseconds in a second. */
export const nanosPerSecond = 1_000_000_000n;

/** Seconds since 1970 at the start of year 1 and at the end of year 9999. */
const firstSecond = -62_135_596_800n;
const lastSecond = 253_402_300_799n;

/** The zero value of a timestamp in nanoseconds: the start of year 1. */
export const zeroTimeNanos = firstSecond * nanosPerSecond;

/** The error for a timestamp outside of the years 1 to 9999. */
const timestampOverflow = new CelError('timestamp overflow');

/** A point in time, with the offset of its original string, which only printing uses. */
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

/** Returns the whole seconds since 1970, rounded down. */
export const secondsOf = (time: CelTimestamp): bigint =>
  (time.nanos - (((time.nanos % nanosPerSecond) + nanosPerSecond) % nanosPerSecond)) /
  nanosPerSecond;

/** Returns the timestamp for seconds since 1970, or an error outside of the years 1 to 9999. */
export const timestampOfSeconds = (seconds: bigint): CelTimestamp | CelError =>
  seconds < firstSecond || seconds > lastSecond
    ? timestampOverflow
    : new CelTimestamp(seconds * nanosPerSecond);

/** Returns a timestamp, or an error outside of the years 1 to 9999. */
export const timestampInRange = (nanos: bigint, offsetSeconds: number): CelTimestamp | CelError => {
  const time = new CelTimestamp(nanos, offsetSeconds);
  const seconds = secondsOf(time);
  return seconds < firstSecond || seconds > lastSecond ? timestampOverflow : time;
};

/** Returns a duration, or an error if it does not fit into int64 nanoseconds. */
export const durationInRange = (nanos: bigint): CelDuration | CelError => {
  const checked = int64(nanos);
  return checked instanceof CelError ? checked : new CelDuration(checked);
};

/** Evaluates `timestamp + duration`. */
export const addToTimestamp = (time: CelTimestamp, span: CelDuration): CelTimestamp | CelError =>
  timestampInRange(time.nanos + span.nanos, time.offsetSeconds);

/** Evaluates `timestamp - duration`. */
export const subtractFromTimestamp = (
  time: CelTimestamp,
  span: CelDuration,
): CelTimestamp | CelError => {
  // cel-go adds the negated duration, and the smallest duration cannot be negated.
  if (int64(-span.nanos) instanceof CelError) return integerOverflow;
  return timestampInRange(time.nanos - span.nanos, time.offsetSeconds);
};

/** Evaluates `later - earlier`. */
export const timeBetween = (later: CelTimestamp, earlier: CelTimestamp): CelDuration | CelError =>
  durationInRange(later.nanos - earlier.nanos);
