/**
 * Records the metrics of the catalog and prints them in the Prometheus text format. A sample that
 * the catalog does not allow is dropped and counted, so that no caller can create a new series.
 */
import { AggregatorRegistry, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { type MetricRow, metricCatalog } from '../model/metric-catalog.ts';
import type { MetricLabels, Metrics } from '../ports/metrics.ts';
import {
  CounterSeries,
  completeLabels,
  createSeriesLookup,
  HistogramSeries,
  type Series,
} from './metric-series.ts';
import { serverIdentityHash } from './server-identity.ts';

/**
 * Options that identify this server in labels.
 *
 * @example
 * ```ts
 * const options: MetricsOptions = { serverIdHash: 'sha256:0123' };
 * ```
 */
export interface MetricsOptions {
  /** Identifies this server in labels: `sha256:<hex>`; derived from the host name if absent. */
  readonly serverIdHash?: string;
}

/**
 * The metrics port, and the page that Prometheus scrapes.
 *
 * @example
 * ```ts
 * const metrics: NodeMetrics = nodeMetrics();
 * console.log(await metrics.text());
 * ```
 */
export interface NodeMetrics extends Metrics {
  /** Returns every family that has a sample, in the text format. */
  text(): Promise<string>;
  /** Returns every family as data, for `mergedMetrics`. */
  families(): Promise<readonly MetricFamily[]>;
  readonly contentType: string;
}

/** A metric with its samples, as data that another process can merge. */
export type MetricFamily = Awaited<ReturnType<Registry['getMetricsAsJSON']>>[number];

const gaugeNames = new Set(
  metricCatalog.filter(({ kind }) => kind === 'gauge').map(({ name }) => name),
);

/** Returns the counters and the histograms. */
export const withoutGauges = (families: readonly MetricFamily[]): readonly MetricFamily[] =>
  families.filter(({ name }) => !gaugeNames.has(name));

/**
 * Merges the metrics of several processes: counters and histograms are added, and a gauge is added
 * or its largest value is used; the catalog has the exceptions.
 */
export const mergedMetrics = async (
  processes: readonly (readonly MetricFamily[])[],
): Promise<{ readonly text: string; readonly families: readonly MetricFamily[] }> => {
  const merged = AggregatorRegistry.aggregate(processes.map((families) => [...families]));
  return {
    text: withoutEmptyFamilies(await merged.metrics()),
    families: await merged.getMetricsAsJSON(),
  };
};

/**
 * Returns the metrics of one server, with a registry of its own, so that several servers can run in
 * one process.
 *
 * @example
 * ```ts
 * const metrics = nodeMetrics();
 * const ports = nodePorts({ metrics });
 * ```
 */
export const nodeMetrics = (options: MetricsOptions = {}): NodeMetrics => {
  const serverIdHash = options.serverIdHash ?? serverIdentityHash();
  const registry = new Registry();
  const families = new Map(
    metricCatalog.map((row) => [row.name, createFamily(row, registry, serverIdHash)]),
  );
  const countRefused = (): void => {
    const refused = families.get('authgraph_metrics_refused_total');
    if (refused?.kind === 'counter') refused.seriesOf(noLabels)?.add(1);
  };

  const seriesOf = (
    name: string,
    kind: SeriesFamily['kind'],
    labels: MetricLabels = noLabels,
  ): Series | undefined => {
    const family = families.get(name);
    return family?.kind === kind ? family.seriesOf(labels) : undefined;
  };
  const add = (series: Series | undefined, value: number): void => {
    if (series === undefined) countRefused();
    else series.add(value);
  };

  return {
    increment: (name, labels) => add(seriesOf(name, 'counter', labels), 1),
    observe: (name, value, labels) => add(seriesOf(name, 'histogram', labels), value),
    set(name, value, labels) {
      const family = families.get(name);
      const isSet = family?.kind === 'gauge' && family.set(value, labels ?? noLabels);
      if (!isSet) countRefused();
    },
    forget(name, labels) {
      const family = families.get(name);
      if (family?.kind === 'gauge') family.forget(labels);
    },
    text: async () => withoutEmptyFamilies(await registry.metrics()),
    families: () => registry.getMetricsAsJSON(),
    contentType: registry.contentType,
  };
};

const noLabels: MetricLabels = {};

/** A metric of the catalog that is being recorded. */
type Family = SeriesFamily | GaugeFamily;

interface SeriesFamily {
  readonly kind: 'counter' | 'histogram';
  /** Returns the series, or `undefined` for labels that the catalog does not allow. */
  seriesOf(labels: MetricLabels): Series | undefined;
}

interface GaugeFamily {
  readonly kind: 'gauge';
  /** Sets the value; returns `false` for labels that the catalog does not allow. */
  set(value: number, labels: MetricLabels): boolean;
  forget(labels: MetricLabels): void;
}

const createFamily = (row: MetricRow, registry: Registry, serverIdHash: string): Family => {
  const settings: FamilySettings = {
    name: row.name,
    help: `[${row.stability ?? 'ALPHA'}] ${row.help}`,
    labelNames: [...row.labels.keys()],
    aggregator: row.ofWorkers ?? (row.kind === 'gauge' ? 'max' : 'sum'),
  };
  const { kind, buckets = [] } = row;
  if (kind === 'gauge') return createGaugeFamily(row, settings, { registry, serverIdHash });
  const make =
    kind === 'counter'
      ? createCounter(settings, registry)
      : createHistogram(settings, buckets, registry);
  return { kind, seriesOf: createSeriesLookup(row, serverIdHash, make) };
};

interface FamilySettings {
  readonly name: string;
  readonly help: string;
  readonly labelNames: string[];
  readonly aggregator: 'sum' | 'max';
}

/** Registers a counter; returns a function that creates its series. */
const createCounter = (settings: FamilySettings, registry: Registry) => {
  const all: CounterSeries[] = [];
  new Counter({
    ...settings,
    registers: [registry],
    collect() {
      for (const series of all) this.inc(series.labels, series.take());
    },
  });
  return (labels: MetricLabels): Series => appendTo(new CounterSeries(labels), all);
};

const createHistogram = (
  settings: FamilySettings,
  bounds: readonly number[],
  registry: Registry,
) => {
  const all: HistogramSeries[] = [];
  registry.registerMetric(new PrecomputedHistogram(settings, bounds, all));
  return (labels: MetricLabels): Series => appendTo(new HistogramSeries(labels, bounds), all);
};

const appendTo = <T>(item: T, all: T[]): T => {
  all.push(item);
  return item;
};

/** A histogram whose buckets are counted here and only printed by the library. */
class PrecomputedHistogram extends Histogram<string> {
  readonly #settings: FamilySettings;
  readonly #bounds: readonly number[];
  readonly #series: readonly HistogramSeries[];

  constructor(
    settings: FamilySettings,
    bounds: readonly number[],
    series: readonly HistogramSeries[],
  ) {
    super({ ...settings, buckets: [...bounds], registers: [] });
    this.#settings = settings;
    this.#bounds = bounds;
    this.#series = series;
  }

  /**
   * Returns the values that the library prints. It calls this method, although its types do not
   * declare it.
   */
  getForPromString() {
    const { name, help } = this.#settings;
    const values = this.#series.flatMap((series) => {
      const { labels: sharedLabels, sum, count } = series;
      const line = (suffix: string, labels: object, value: number) => ({
        metricName: `${name}_${suffix}`,
        labels,
        sharedLabels,
        value,
      });
      const upTo = series.upTo();
      return [
        ...this.#bounds.map((le, place) => line('bucket', { le }, upTo[place] ?? 0)),
        line('bucket', { le: '+Inf' }, count),
        line('sum', {}, sum),
        line('count', {}, count),
      ];
    });
    return { name, help, type: 'histogram', values, aggregator: 'sum' };
  }

  /** Returns the same values as data, with all labels of each. */
  override async get() {
    const base = await super.get();
    const values = this.getForPromString().values.map(
      ({ metricName, labels, sharedLabels, value }) => ({
        metricName,
        labels: { ...sharedLabels, ...labels },
        value,
      }),
    );
    return { ...base, values };
  }
}

const createGaugeFamily = (
  row: MetricRow,
  settings: FamilySettings,
  { registry, serverIdHash }: { readonly registry: Registry; readonly serverIdHash: string },
): GaugeFamily => {
  const gauge = new Gauge({ ...settings, registers: [registry] });
  const { remember, forget } = createSeriesTracker(gauge);
  return {
    kind: 'gauge',
    set(value, labels) {
      const complete = completeLabels(row, labels, serverIdHash);
      if (complete === undefined) return false;
      remember(complete);
      gauge.set(complete, value);
      return true;
    },
    forget,
  };
};

/** Maximum number of series of a gauge; only a leak could exceed it. */
const maxGaugeSeries = 4096;

/** The library removes a series by all of its labels; this tracker finds series by some of them. */
const createSeriesTracker = (metric: { remove(labels: MetricLabels): void }) => {
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

/** kube-apiserver prints a family once it has a sample; the library prints every heading. */
const withoutEmptyFamilies = (text: string): string =>
  text
    .split(/\n\n/)
    .map((block) => block.trim())
    .filter((block) => block.split('\n').some((line) => line !== '' && !line.startsWith('#')))
    .map((block) => `${block}\n`)
    .join('');
