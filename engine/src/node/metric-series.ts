/**
 * Counters and histograms are added to a dozen times in one request: a sample is one addition here,
 * and the library is told when somebody reads. Which labels a series may have the catalogue says.
 */
import { type MetricLabelValues, type MetricRow, serverIdLabel } from '../model/metric-catalog.ts';
import type { MetricLabels } from '../ports/metrics.ts';

/** What was counted or timed under one set of labels. */
export interface Series {
  add(value: number): void;
}

/** Adds up what the library was not yet told. */
export class CounterSeries implements Series {
  readonly labels: MetricLabels;
  #pending = 0;

  constructor(labels: MetricLabels) {
    this.labels = labels;
  }

  add(value: number): void {
    this.#pending += value;
  }

  /** What was added since the last call. */
  take(): number {
    const pending = this.#pending;
    this.#pending = 0;
    return pending;
  }
}

/** Samples sorted into buckets. `bounds`: upper ones, ascending. */
export class HistogramSeries implements Series {
  readonly labels: MetricLabels;
  readonly #bounds: readonly number[];
  /** Of each bucket alone. */
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

  /** How many samples were at most so large, for each bound. */
  upTo(): readonly number[] {
    let sum = 0;
    return this.#counts.map((count) => {
      sum += count;
      return sum;
    });
  }
}

/** Labels -> series of a family; `undefined` for labels that the catalogue does not know. */
export const createSeriesLookup = (
  row: MetricRow,
  serverIdHash: string,
  make: (labels: MetricLabels) => Series,
): ((labels: MetricLabels) => Series | undefined) => {
  // Who counts often gives the very same labels: these are looked at once.
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
    const found = find(labels);
    if (found !== undefined) seriesByLabels.set(labels, found);
    return found;
  };
};

/** All labels of the row in its order; `undefined` where one is missing, foreign or out of its set. */
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
