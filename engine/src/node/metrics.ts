/**
 * Counting and timing of the catalogue's metrics, written as Prometheus reads them. A sample that
 * the catalogue does not know is refused and counted, so that no caller can open a new series.
 */
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import {
  type MetricLabelValues,
  type MetricRow,
  metricCatalogue,
  serverIdLabel,
} from '../model/metric-catalogue.ts';
import type { MetricLabels, Metrics } from '../ports/metrics.ts';
import { serverIdentityHash } from './server-identity.ts';

export interface MetricsOptions {
  /** What stands for this server in labels: `sha256:<hex>`; made from the host's name where absent. */
  readonly serverIdHash?: string;
}

export interface NodeMetrics extends Metrics {
  /** Every family that has a sample, in the text format. */
  text(): Promise<string>;
  readonly contentType: string;
}

/** Metrics of one server: a registry of its own, so that several servers fit in one process. */
export const nodeMetrics = (options: MetricsOptions = {}): NodeMetrics => {
  const serverIdHash = options.serverIdHash ?? serverIdentityHash();
  const registry = new Registry();
  const families = new Map(metricCatalogue.map((row) => [row.name, family(row, registry)]));
  const refused = families.get('authgraph_metrics_refused_total');

  const withFamily = (
    name: string,
    labels: MetricLabels | undefined,
    call: (found: Family, labels: MetricLabels) => boolean,
  ): void => {
    const found = families.get(name);
    const whole = found && completeLabels(found.row, labels, serverIdHash);
    const taken = found !== undefined && whole !== undefined && call(found, whole);
    if (!taken) refused?.increment?.({});
  };

  return {
    increment: (name, labels) =>
      withFamily(name, labels, (found, whole) => {
        found.increment?.(whole);
        return found.increment !== undefined;
      }),
    set: (name, value, labels) =>
      withFamily(name, labels, (found, whole) => {
        found.set?.(value, whole);
        return found.set !== undefined;
      }),
    observe: (name, value, labels) =>
      withFamily(name, labels, (found, whole) => {
        found.observe?.(value, whole);
        return found.observe !== undefined;
      }),
    forget(name, labels) {
      families.get(name)?.forget(labels);
    },
    text: async () => withoutEmptyFamilies(await registry.metrics()),
    contentType: registry.contentType,
  };
};

/** One metric at work; the calls its kind does not know are absent. */
interface Family {
  readonly row: MetricRow;
  readonly increment?: (labels: MetricLabels) => void;
  readonly set?: (value: number, labels: MetricLabels) => void;
  readonly observe?: (value: number, labels: MetricLabels) => void;
  forget(labels: MetricLabels): void;
}

const family = (row: MetricRow, registry: Registry): Family => {
  const settings = {
    name: row.name,
    help: `[${row.stability}] ${row.help}`,
    labelNames: [...row.labels.keys()],
    registers: [registry],
  };
  if (row.kind === 'counter') {
    const counter = new Counter(settings);
    return { row, increment: (labels) => counter.inc(labels), forget: forgetter(counter).forget };
  }
  if (row.kind === 'histogram') {
    const histogram = new Histogram({ ...settings, buckets: [...(row.buckets ?? [])] });
    return {
      row,
      observe: (value, labels) => histogram.observe(labels, value),
      forget: forgetter(histogram).forget,
    };
  }
  const gauge = new Gauge(settings);
  const { remember, forget } = forgetter(gauge);
  return {
    row,
    set(value, labels) {
      remember(labels);
      gauge.set(labels, value);
    },
    forget,
  };
};

/** Series of gauges that live on; more could only be a leak of ours. */
const maxGaugeSeries = 4096;

/** The library removes a series by all of its labels; this finds those by some of them. */
const forgetter = (metric: { remove(labels: MetricLabels): void }) => {
  const seriesByKey = new Map<string, MetricLabels>();
  return {
    remember(labels: MetricLabels): void {
      const key = JSON.stringify(labels);
      if (seriesByKey.has(key)) return;
      const oldest = seriesByKey.entries().next();
      if (seriesByKey.size >= maxGaugeSeries && !oldest.done) {
        metric.remove(oldest.value[1]);
        seriesByKey.delete(oldest.value[0]);
      }
      seriesByKey.set(key, labels);
    },
    forget(labels: MetricLabels): void {
      const wanted = Object.entries(labels);
      for (const [key, series] of seriesByKey) {
        if (!wanted.every(([name, value]) => series[name] === value)) continue;
        metric.remove(series);
        seriesByKey.delete(key);
      }
    },
  };
};

/** All labels of the row in its order; `undefined` where one is missing, foreign or out of its set. */
const completeLabels = (
  row: MetricRow,
  given: MetricLabels = {},
  serverIdHash: string,
): MetricLabels | undefined => {
  for (const name of Object.keys(given)) if (!row.labels.has(name)) return undefined;
  const whole: Record<string, string> = {};
  for (const [name, allowed] of row.labels) {
    const value = given[name] ?? (name === serverIdLabel ? serverIdHash : undefined);
    if (value === undefined || !isAllowed(value, allowed)) return undefined;
    whole[name] = value;
  }
  return whole;
};

const isAllowed = (value: string, allowed: MetricLabelValues): boolean =>
  allowed === 'digest' ? /^(?:sha256:[0-9a-f]{64})?$/.test(value) : allowed.includes(value);

/** The real server prints a family from its first sample on; the library prints every heading. */
const withoutEmptyFamilies = (text: string): string =>
  text
    .split(/\n\n/)
    .map((block) => block.trim())
    .filter((block) => block.split('\n').some((line) => line !== '' && !line.startsWith('#')))
    .map((block) => `${block}\n`)
    .join('');
