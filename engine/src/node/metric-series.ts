/**
 * Series of counters and histograms. A request adds about a dozen samples, so a sample is a single
 * addition here, and the library gets the sums when the metrics are read. The catalog defines which
 * labels a series may have.
 */
import { type MetricLabelValues, type MetricRow, serverIdLabel } from '../model/metric-catalog.ts';
import type { MetricLabels } from '../ports/metrics.ts';

/** The samples under one set of labels. */
export interface Series {
  add(value: number): void;
}

/** A counter that collects the increments which the library has not received yet. */
export class CounterSeries implements Series {
  readonly labels: MetricLabels;
  #pending = 0;

  constructor(labels: MetricLabels) {
    this.labels = labels;
  }

  add(value: number): void {
    this.#pending += value;
  }

  /** Returns the sum since the last call and resets it. */
  take(): number {
    const pending = this.#pending;
    this.#pending = 0;
    return pending;
  }
}

/** Samples sorted into buckets. `bounds` are the upper bounds, ascending. */
export class HistogramSeries implements Series {
  readonly labels: MetricLabels;
  readonly #bounds: readonly number[];
  /** Count of each bucket alone, not cumulative. */
  readonly #counts: number[];
  sum = 0;
  count = 0;

  constructor(labels: MetricLabels, bounds: readonly number[]) {
    this.labels = labels;
    this.#bounds = bounds;
    this.#counts = bounds.map(() => 0);
  }

  add(value: number): void {
    this.sum += value;
    this.count += 1;
    const counts = this.#counts;
    for (let place = 0; place < counts.length; place += 1) {
      if (value > (this.#bounds[place] ?? 0)) continue;
      counts[place] = (counts[place] ?? 0) + 1;
      return;
    }
  }

  /** Returns the cumulative count for each bound. */
  upTo(): readonly number[] {
    let sum = 0;
    return this.#counts.map((count) => {
      sum += count;
      return sum;
    });
  }
}

/**
 * Returns a function that maps labels to a series of a family, or `undefined` for labels that the
 * catalog does not allow.
 */
export const createSeriesLookup = (
  row: MetricRow,
  serverIdHash: string,
  make: (labels: MetricLabels) => Series,
): ((labels: MetricLabels) => Series | undefined) => {
  // Frequent callers pass the same labels object, which is looked up by identity.
  const seriesByLabels = new WeakMap<MetricLabels, Series>();
  const seriesByKey = new Map<string, Series>();
  const find = (labels: MetricLabels): Series | undefined => {
    const complete = completeLabels(row, labels, serverIdHash);
    if (complete === undefined) return undefined;
    const key = JSON.stringify(complete);
    const series = seriesByKey.get(key) ?? make(complete);
    seriesByKey.set(key, series);
    return series;
  };
  return (labels) => {
    const cached = seriesByLabels.get(labels);
    if (cached !== undefined) return cached;
    const series = find(labels);
    if (series !== undefined) seriesByLabels.set(labels, series);
    return series;
  };
};

/**
 * Returns all labels of the row in its order; `undefined` if one is missing, unknown or not among
 * the allowed values.
 */
export const completeLabels = (
  row: MetricRow,
  labels: MetricLabels = {},
  serverIdHash: string,
): MetricLabels | undefined => {
  for (const name of Object.keys(labels)) if (!row.labels.has(name)) return undefined;
  const complete: Record<string, string> = {};
  for (const [name, allowed] of row.labels) {
    const value = labels[name] ?? (name === serverIdLabel ? serverIdHash : undefined);
    if (value === undefined || !isAllowed(value, allowed)) return undefined;
    complete[name] = value;
  }
  return complete;
};

const isAllowed = (value: string, allowed: MetricLabelValues): boolean =>
  allowed === 'digest' ? /^(?:sha256:[0-9a-f]{64})?$/.test(value) : allowed.includes(value);
