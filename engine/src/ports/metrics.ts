/** The metrics port. Names are those of `model/metric-catalog.ts`. */

export type MetricLabels = Readonly<Record<string, string>>;

export interface Metrics {
  /** Set if metrics are disabled, so that callers need not measure times. */
  readonly disabled?: true;
  increment(name: string, labels?: MetricLabels): void;
  set(name: string, value: number, labels?: MetricLabels): void;
  observe(name: string, value: number, labels?: MetricLabels): void;
  /**
   * Removes the series of a gauge whose labels start with these, such as those of an old key set
   * hash.
   */
  forget(name: string, labels: MetricLabels): void;
}
