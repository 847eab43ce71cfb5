/** What a process of `serve` consists of before it serves requests. */
import { hostname } from 'node:os';
import { keySetMetricsGate } from '../model/feature-gates.ts';
import { productVersion } from '../model/product-version.ts';
import { nodeKeyCache } from '../node/key-cache.ts';
import { type LogFormat, nodeLog } from '../node/log.ts';
import { nodeMetrics } from '../node/metrics.ts';
import { nodePorts } from '../node/ports.ts';
import { openTelemetry } from '../node/telemetry/open-telemetry.ts';
import { bothMetrics } from '../node/telemetry/otel-metrics.ts';
import type { StartCheck } from '../server/check-start.ts';
import type { ServeOptions } from '../server/flags/options.ts';
import type { MemoryBudget } from '../server/memory/memory-budget.ts';
import type { ReservedPort } from '../server/reserve-port.ts';
import { traceHttp } from '../server/tracing/trace-http.ts';
import { traceAuthenticator } from '../server/tracing/trace-requests.ts';
import { throughPrimary, type WorkerProcess, workerLog } from '../server/workers/worker-process.ts';
import type { Io } from './io.ts';
import { withoutDiagnostics } from './serve-log.ts';
import type { ServedConfiguration } from './served-configuration.ts';

export type Configuration = Extract<ServedConfiguration, { kind: 'configuration' }>;

export interface RuntimeSettings {
  readonly budget: MemoryBudget;
  readonly format: LogFormat;
  readonly io: Io;
  /** Present if this process is a worker. */
  readonly worker: WorkerProcess | undefined;
}

/** Creates the metrics, the log, the ports and the export of traces and metrics. */
export const runtimeOf = async (
  { logLevel: level, jwksCacheDir: directory, workers }: ServeOptions,
  { budget, format, io, worker }: RuntimeSettings,
) => {
  const lines = nodeLog({ level, format, maxBufferedCharacters: budget.logCharacters });
  const ownLines = worker === undefined ? lines : workerLog(lines, worker.setup.worker);
  const log = format === 'text' ? withoutDiagnostics(ownLines) : ownLines;
  const telemetry = await openTelemetry({
    variable: io.variable,
    version: productVersion,
    log,
    instance: workers === 1 ? undefined : `${hostname()}-${process.pid}`,
  });
  const exported = telemetry.kind === 'open' ? telemetry.telemetry : undefined;
  const page = nodeMetrics();
  const metrics = exported?.metrics ? bothMetrics(page, exported.metrics) : page;
  const keyCache = directory === undefined ? undefined : nodeKeyCache({ directory, log });
  const ports = nodePorts({ log, metrics, ...(keyCache === undefined ? {} : { keyCache }) });
  const http = worker === undefined ? ports.http : throughPrimary(ports.http, worker.call);
  const tracing = exported?.tracing;
  return {
    page,
    metrics,
    log,
    telemetry,
    tracing,
    ports: { ...ports, http: tracing ? traceHttp(http, tracing) : http },
  };
};

export type Runtime = Awaited<ReturnType<typeof runtimeOf>>;

export const closeRuntime = async ({ ports, telemetry, log }: Runtime): Promise<void> => {
  await ports.http.close();
  if (telemetry.kind === 'open') await telemetry.telemetry.close();
  log.flush();
};

export const loadOptionsOf = (
  options: ServeOptions,
  { source, settings }: Configuration,
  { ports, tracing, budget }: Pick<Runtime, 'ports' | 'tracing'> & Pick<RuntimeSettings, 'budget'>,
) => ({
  configuration: source,
  settings,
  ports,
  link: {
    mode: 'product' as const,
    jwksRefetch: options.jwksRefetch,
    keySetMetrics: options.featureGates.get(keySetMetricsGate) ?? true,
    apiAudiences: options.apiAudiences,
    cacheLimits: budget,
    wrapAuthenticator: tracing && traceAuthenticator(tracing),
  },
  modules: { settings: options.modules },
});

/** A start whose flags and files are valid. */
export interface CheckedStart {
  readonly options: ServeOptions;
  readonly runtime: Runtime;
  readonly loading: ReturnType<typeof loadOptionsOf>;
  readonly check: Extract<StartCheck, { kind: 'good' }>;
  readonly signal: AbortSignal;
  readonly files: WatchedFiles;
  readonly budget: MemoryBudget;
  readonly port: ReservedPort;
  /** Present if this process is a worker. */
  readonly worker: WorkerProcess | undefined;
}

/** The files that the server watches. */
export interface WatchedFiles {
  /** Reads all files again; absent before the server runs, which reads them anyway. */
  checkNow?: () => Promise<void>;
}
