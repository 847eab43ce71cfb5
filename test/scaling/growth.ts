/**
 * Measures how the processor time of a reader grows with its input. A first run with the longest
 * string is enough for most readers: quadratic ones need much longer. The others are measured with
 * strings of length n and 4n; if their time seems to grow more than linearly, with n, 2n and 4n,
 * the best of five runs each, on longer strings until the times are large enough to compare.
 */
import { processorMsOf } from '../support/processor-time.ts';

export interface Growth {
  /** The time for 4n, divided by the time for n: 4 for linear readers, 16 for quadratic ones. */
  readonly ratio: number;
  /** The ratios of 2n to n and of 4n to 2n. */
  readonly steps: readonly [number, number];
  /** The time for 4n. */
  readonly milliseconds: number;
  /** The length of 4n. */
  readonly length: number;
}

/** Prepares a call with a string of the given length. */
export type Reader = (length: number) => () => unknown;

/** The length of the longest string; `AUTHGRAPH_SCALING=long` uses longer ones. */
const defaultLength = (process.env.AUTHGRAPH_SCALING === 'long' ? 64 : 4) * 1024;
const maxLength = 512 * 1024;
/** A first run below this time ends the measurement. */
const negligibleMs = 3;
/** Clocks of threads may have steps of 4 ms; a reader that stays below this time is bounded. */
const measurableMs = 80;
const leastMs = 1;
/** Longer runs are not repeated within a measurement. */
const longMs = 200;
/** A measurement with longer runs is not repeated. */
const certainMs = 2000;
/**
 * The maximum ratio: linear growth gives 4; the rest is for noise, garbage collection and caches.
 */
const maxRatio = 10;
/** A first comparison below this ratio ends the measurement. */
const certainRatio = 7;
const attempts = 3;
const once = { runs: 1, enough: 0 };

/** Returns `undefined` if the time is linear. */
export const growthBeyondLinear = async (
  read: Reader,
  length = defaultLength,
): Promise<Growth | undefined> => {
  const first = await processorMsOf(read(length), { runs: 3, enough: negligibleMs, longest: 40 });
  if (first < negligibleMs) return undefined;
  const quarter = await processorMsOf(read(length / 4), { runs: 1, enough: 0 });
  if (first / quarter < certainRatio) return undefined;
  let last: Growth | undefined;
  let longest = length;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    while (longest < maxLength && (await processorMsOf(read(longest), once)) < measurableMs) {
      longest *= 4;
    }
    last = await growthAt(read, longest);
    if (last.ratio <= maxRatio || last.milliseconds < measurableMs) return undefined;
    if (last.milliseconds > certainMs) return last;
  }
  return last;
};

const growthAt = async (read: Reader, length: number): Promise<Growth> => {
  const n = Math.max(await bestOf(read(length / 4)), leastMs);
  const twice = Math.max(await bestOf(read(length / 2)), leastMs);
  const fourTimes = await bestOf(read(length));
  return {
    ratio: fourTimes / n,
    steps: [twice / n, fourTimes / twice],
    milliseconds: fourTimes,
    length,
  };
};

const bestOf = (work: () => unknown): Promise<number> =>
  processorMsOf(work, { runs: 5, enough: 0, longest: longMs });
