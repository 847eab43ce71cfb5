/**
 * Exports traces and metrics by OTLP with the official SDK of OpenTelemetry. Its packages are
 * optional, and are loaded only if the environment names an endpoint.
 */
import type { Log } from '../../ports/log.ts';
import type { Metrics } from '../../ports/metrics.ts';
import type { Tracing } from '../../ports/tracing.ts';
import { otelMetrics } from './otel-metrics.ts';
import { otelTracing } from './otel-tracing.ts';
import { readTelemetry, type Sampling, type TelemetrySettings } from './telemetry-settings.ts';

export interface Telemetry {
  /** Absent if traces are not exported. */
  readonly tracing: Tracing | undefined;
  /** Absent if metrics are not exported. */
  readonly metrics: Metrics | undefined;
  /** Exports what is left, and ends. */
  close(): Promise<void>;
}

export type TelemetryOpening =
  | { readonly kind: 'off' }
  | { readonly kind: 'open'; readonly telemetry: Telemetry }
  | { readonly kind: 'failed'; readonly message: string; readonly help: string };

export interface TelemetryOptions {
  /** Returns an environment variable. */
  readonly variable: (name: string) => string | undefined;
  readonly version: string;
  readonly log: Log;
  /** Distinguishes this process from others of the same server; absent if it is the only one. */
  readonly instance?: string | undefined;
}

/** The packages to install, which `engine/package.json` lists as optional peers. */
const packages = [
  '@opentelemetry/api',
  '@opentelemetry/core',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace',
  '@opentelemetry/sdk-metrics',
  '@opentelemetry/exporter-trace-otlp-proto',
  '@opentelemetry/exporter-metrics-otlp-proto',
];

/** Starts the export that the environment configures. */
export const openTelemetry = async (options: TelemetryOptions): Promise<TelemetryOpening> => {
  const reading = readTelemetry(options.variable);
  if (reading.kind === 'off') return reading;
  if (reading.kind === 'problem') return { ...reading, kind: 'failed' };
  let sdk: Sdk;
  try {
    sdk = await loadSdk();
  } catch (cause) {
    return {
      kind: 'failed',
      message: `OTEL_EXPORTER_OTLP_ENDPOINT is set, but the OpenTelemetry packages cannot be loaded: ${firstLine(cause)}`,
      help: `Install them next to authgraph, or remove the variable: npm install ${packages.join(' ')}`,
    };
  }
  return { kind: 'open', telemetry: startExport(sdk, reading.settings, options) };
};

type Sdk = Awaited<ReturnType<typeof loadSdk>>;

const loadSdk = async () => ({
  api: await import('@opentelemetry/api'),
  core: await import('@opentelemetry/core'),
  resources: await import('@opentelemetry/resources'),
  trace: await import('@opentelemetry/sdk-trace'),
  metrics: await import('@opentelemetry/sdk-metrics'),
  traceExporter: await import('@opentelemetry/exporter-trace-otlp-proto'),
  metricExporter: await import('@opentelemetry/exporter-metrics-otlp-proto'),
});

const startExport = (
  sdk: Sdk,
  settings: TelemetrySettings,
  { version, log, instance }: TelemetryOptions,
): Telemetry => {
  const { api, core, resources } = sdk;
  core.setGlobalErrorHandler(exportErrorLog(log));
  const resource = resources
    .defaultResource()
    .merge(
      resources.resourceFromAttributes({ 'service.name': 'authgraph', 'service.version': version }),
    )
    .merge(resources.detectResources({ detectors: [resources.envDetector] }))
    .merge(
      resources.resourceFromAttributes(
        instance === undefined ? {} : { 'service.instance.id': instance },
      ),
    );
  const traces =
    settings.traces &&
    new sdk.trace.TracerProvider({
      resource,
      sampler: samplerOf(sdk, settings.traces),
      spanProcessors: [
        new sdk.trace.BatchSpanProcessor({ exporter: new sdk.traceExporter.OTLPTraceExporter() }),
      ],
    });
  const metrics = settings.metrics
    ? new sdk.metrics.MeterProvider({
        resource,
        readers: [
          new sdk.metrics.PeriodicExportingMetricReader({
            exporter: new sdk.metricExporter.OTLPMetricExporter(),
          }),
        ],
      })
    : undefined;
  const propagator = new core.W3CTraceContextPropagator();
  return {
    tracing:
      traces && otelTracing({ api, tracer: traces.getTracer('authgraph', version), propagator }),
    metrics: metrics && otelMetrics(metrics.getMeter('authgraph', version)),
    async close() {
      // A collector that does not respond must not delay the end.
      await Promise.race([
        Promise.allSettled([traces?.shutdown(), metrics?.shutdown()]),
        new Promise((resolve) => setTimeout(resolve, closeMs).unref()),
      ]);
    },
  };
};

const closeMs = 3_000;

const samplerOf = ({ trace }: Sdk, { ratio, followsParent }: Sampling) => {
  const root = new trace.TraceIdRatioBasedSampler(ratio);
  return followsParent ? new trace.ParentBasedSampler({ root }) : root;
};

/** Errors are logged at most once a minute, with the number of those in between. */
const errorIntervalMs = 60_000;

const exportErrorLog = (log: Log) => {
  let loggedAt = Number.NEGATIVE_INFINITY;
  let omitted = 0;
  return (error: unknown): void => {
    if (performance.now() - loggedAt < errorIntervalMs) {
      omitted += 1;
      return;
    }
    loggedAt = performance.now();
    const reason = firstLine(error);
    log.event('warn', 'export of traces or metrics failed', { reason, omitted });
    omitted = 0;
  };
};

const firstLine = (cause: unknown): string => {
  const text = cause instanceof Error ? cause.message : JSON.stringify(cause);
  return (text ?? '').split('\n', 1)[0]?.slice(0, 512) ?? '';
};
