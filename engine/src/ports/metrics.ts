/** Counting and timing under the names of `model/metric-catalogue.ts`. */

export type MetricLabels = Readonly<Record<string, string>>;

export interface Metrics {
  increment(name: string, labels?: MetricLabels): void;
  set(name: string, value: number, labels?: MetricLabels): void;
  observe(name: string, value: number, labels?: MetricLabels): void;
  /** Forgets the series of a gauge whose labels start with these (a key set hash that is gone). */
  forget(name: string, labels: MetricLabels): void;
}
