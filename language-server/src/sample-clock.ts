/** Reports when time alone changes verdicts: claims expire, or become valid. */
import { acceptedSince, ownClaim } from '@authgraph/engine/language';
import type { Sample } from './samples.ts';

export interface SampleClock {
  /** Waits for the next such time of the samples, instead of the previous ones. */
  follow(samples: readonly Pick<Sample, 'claims'>[]): void;
}

/** `now` returns milliseconds since 1970, or `undefined` if the clock stands still. */
export const createSampleClock = (
  now: () => number | undefined,
  onVerdictsChanged: () => void,
): SampleClock => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    follow(samples): void {
      clearTimeout(timer);
      const current = now();
      if (current === undefined) return;
      const next = nextVerdictChange(samples, current);
      if (next === Infinity) return;
      timer = setTimeout(onVerdictsChanged, Math.min(next - current + marginMs, longestMs));
      // A browser returns a number.
      if (typeof timer === 'object') timer.unref();
    },
  };
};

/** Returns when time alone changes a verdict, in milliseconds since 1970; `Infinity` for never. */
export const nextVerdictChange = (
  samples: readonly Pick<Sample, 'claims'>[],
  now: number,
): number =>
  samples
    .flatMap(timesOf)
    .filter((time) => time > now)
    .reduce((earliest, time) => Math.min(earliest, time), Infinity);

const timesOf = ({ claims }: Pick<Sample, 'claims'>): readonly number[] => {
  const [expiry, start] = [ownClaim(claims, 'exp'), ownClaim(claims, 'nbf')];
  return [
    ...(typeof expiry === 'number' ? [expiry * 1000] : []),
    ...(typeof start === 'number' ? [acceptedSince(start)] : []),
  ];
};

/** Timers may fire a little early. */
const marginMs = 50;

/** The longest delay of a timer. */
const longestMs = 2 ** 31 - 1;
