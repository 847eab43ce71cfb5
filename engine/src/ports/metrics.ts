/** Counting and timing under the names of `model/metric-catalog.ts`. */

export type MetricLabels = Readonly<Record<string, string>>;

export interface Metrics {
  /** Present where nothing is counted: then nothing needs to be timed. */
  readonly disabled?: true;
  increment(name: string, labels?: MetricLabels): void;
  set(name: string, value: number, labels?: MetricLabels): void;
  observe(name: string, value: number, labels?: MetricLabels): void;
  /** Forgets the series of a gauge whose labels start with these (a key set hash that is gone). */
  forget(name: string, labels: MetricLabels): void;
}
