/** The metrics of the catalog as instruments of OpenTelemetry, with the same names and labels. */
import type { Meter } from '@opentelemetry/api';
import { type MetricRow, metricCatalog } from '../../model/metric-catalog.ts';
import type { MetricLabels, Metrics } from '../../ports/metrics.ts';
import { completeLabels } from '../metric-series.ts';
import { serverIdentityHash } from '../server-identity.ts';

/** Records a value for labels that the catalog allows; other samples are dropped. */
type Recorder = (value: number, labels: MetricLabels) => void;

/** Creates the instruments; samples without a series in the catalog are dropped. */
export const otelMetrics = (meter: Meter): Metrics => {
  const serverIdHash = serverIdentityHash();
  const gauges = new Map<string, Map<string, readonly [MetricLabels, number]>>();
  const recorders = new Map<string, Recorder>();
  for (const row of metricCatalog) {
    const record = createInstrument(row, meter, gauges);
    recorders.set(row.name, (value, labels) => {
      const complete = completeLabels(row, labels, serverIdHash);
      if (complete !== undefined) record(value, complete);
    });
  }
  return {
    increment: (name, labels = {}) => recorders.get(name)?.(1, labels),
    set: (name, value, labels = {}) => recorders.get(name)?.(value, labels),
    observe: (name, value, labels = {}) => recorders.get(name)?.(value, labels),
    forget(name, labels) {
      const series = gauges.get(name);
      const wanted = Object.entries(labels);
      for (const [key, [known]] of series ?? [])
        if (wanted.every(([label, value]) => known[label] === value)) series?.delete(key);
    },
  };
};

const createInstrument = (
  { name, kind, help, buckets = [] }: MetricRow,
  meter: Meter,
  gauges: Map<string, Map<string, readonly [MetricLabels, number]>>,
): Recorder => {
  const description = help;
  switch (kind) {
    case 'counter': {
      const counter = meter.createCounter(name, { description });
      return (value, labels) => counter.add(value, labels);
    }
    case 'histogram': {
      const advice = { explicitBucketBoundaries: [...buckets] };
      const histogram = meter.createHistogram(name, { description, advice });
      return (value, labels) => histogram.record(value, labels);
    }
    case 'gauge': {
      // Observed, because a series that is removed must not be exported any longer.
      const series = new Map<string, readonly [MetricLabels, number]>();
      gauges.set(name, series);
      meter.createObservableGauge(name, { description }).addCallback((result) => {
        for (const [labels, value] of series.values()) result.observe(value, labels);
      });
      return (value, labels) => {
        series.set(JSON.stringify(labels), [labels, value]);
      };
    }
  }
};

/** Returns metrics that record each sample twice. */
export const bothMetrics = (first: Metrics, second: Metrics): Metrics => ({
  increment(name, labels) {
    first.increment(name, labels);
    second.increment(name, labels);
  },
  set(name, value, labels) {
    first.set(name, value, labels);
    second.set(name, value, labels);
  },
  observe(name, value, labels) {
    first.observe(name, value, labels);
    second.observe(name, value, labels);
  },
  forget(name, labels) {
    first.forget(name, labels);
    second.forget(name, labels);
  },
});
